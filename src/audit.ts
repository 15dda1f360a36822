import type { Logger } from 'pino'
import { isoTime } from './common/time.ts'
import type { Consumer } from './events/follower.ts'

/**
 * Writes a line into the log for every domain event, whichever process it happened in: what the command line changes
 * beside the server is there too. Of several nodes, one writes it.
 */
export function auditLog(log: Logger): Consumer {
  const audit = log.child({ audit: true })
  return {
    name: 'audit log',
    async take(events) {
      for (const { kind, position, at, data } of events)
        audit.info({ event: kind, position, happened_at: isoTime(at), ...data }, kind)
    },
    missed: (gap) => audit.warn(gap, 'events were trimmed before they were logged'),
  }
}
