import { createHash } from 'node:crypto'
import type { EventData, LoggedEvent } from '../../platform/events/event.ts'
import type { Activity } from './kind.ts'

/**
 * A positive 63-bit number. It is the same for all recipients of the activity, and stays the same when the event is
 * handled again.
 */
export function eventUuid({ kind, event, subject, direction }: Activity): string {
  const { position, at } = event as LoggedEvent<EventData>
  const text = JSON.stringify([at, position, kind.name, subject, direction ?? ''])
  return (createHash('sha256').update(text).digest().readBigUInt64BE() >> 1n).toString()
}
