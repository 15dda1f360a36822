import type { Context } from '../context.ts'
import { forgetRequests, forgetSessions } from './queries.ts'

/** Deletes request tokens and browser sessions that have expired: nobody can use them any more. */
export function forgetExpired({ store, clock }: Pick<Context, 'store' | 'clock'>): Promise<void> {
  return store.write(async (tx) => {
    await tx.run(forgetRequests, { now: clock.now() })
    await tx.run(forgetSessions, { now: clock.now() })
  })
}
