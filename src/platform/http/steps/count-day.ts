import type { Step } from '../contract.ts'
import { compileDayCount } from '../day-limits.ts'
import { ApiError } from '../errors.ts'

/**
 * Also counts a call for the day of its user, across all apps, and for that of its app, if the
 * endpoint has such limits. It is one of the endpoint's own steps. From here on, every reply has
 * the headers of these limits.
 */
export const countForDay: Step = {
  name: 'count for day',
  compile(endpoint, services) {
    const { vocabulary } = services.naming
    const count = compileDayCount(endpoint, services)
    const overLimit = new ApiError(endpoint.overLimit)
    return async ({ caller, reply }) => {
      const { allowed, headers } = await count({ user: caller.userId, app: caller.app?.id })
      for (const [name, value] of Object.entries(headers)) reply.header(vocabulary.header(name), value)
      if (!allowed) throw overLimit
    }
  },
}
