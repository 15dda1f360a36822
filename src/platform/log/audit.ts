import type { Logger } from 'pino'
import { truncated } from '../common/cut-text.ts'
import { isoTime } from '../common/time.ts'
import type { EventData } from '../events/event.ts'
import type { Consumer } from '../events/follower.ts'

/** Long values, such as lists of ids, are cut: the other members already say what happened. */
const MAX_VALUE_CHARACTERS = 200

const shortened = (data: EventData): EventData =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > MAX_VALUE_CHARACTERS
        ? truncated(value, MAX_VALUE_CHARACTERS)
        : value,
    ]),
  )

/**
 * Writes a log line for every domain event, whichever process emitted it, including changes made
 * with the command line while the server runs. With several nodes, one of them writes it.
 */
export function auditLog(log: Logger): Consumer {
  const audit = log.child({ audit: true })
  return {
    name: 'audit log',
    async take(events) {
      for (const { kind, position, at, data } of events)
        audit.info({ event: kind, position, happened_at: isoTime(at), ...shortened(data) }, kind)
    },
    missed: (gap) => audit.warn(gap, 'events were trimmed before they were logged'),
  }
}
