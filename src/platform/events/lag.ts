import type { TimeSource } from '../common/clock.ts'
import type { Store } from '../storage/store.ts'
import { endOfLog } from './log.ts'
import { eventAfter, eventConsumers } from './queries.ts'

/** How far a consumer is behind the end of the event log. */
export interface ConsumerLag {
  readonly consumer: string
  /**
   * The number of events that it has not handled. An import of posts counts as one for each post.
   */
  readonly events: number
  /** The age of the oldest of them; 0 if there are none. */
  readonly seconds: number
}

const SECOND_MS = 1_000

/** The lag of every consumer that has begun. */
export async function consumerLags(store: Store, clock: TimeSource): Promise<ConsumerLag[]> {
  const consumers = await store.all(eventConsumers, {})
  const end = await endOfLog(store)
  return Promise.all(
    consumers.map(async ({ name, position }) => {
      const oldest = await store.first(eventAfter, { after: position })
      if (!oldest) return { consumer: name, events: 0, seconds: 0 }
      const ageMs = Math.max(0, clock.now() - oldest.at)
      return { consumer: name, events: eventsFrom(oldest, end), seconds: ageMs / SECOND_MS }
    }),
  )
}

/** How many events there are from one of them to a position. */
export const eventsFrom = (oldest: { position: number; items: number }, end: number): number =>
  Math.max(0, end - oldest.position + oldest.items)
