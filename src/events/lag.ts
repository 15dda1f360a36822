import type { TimeSource } from '../common/clock.ts'
import type { Store } from '../storage/store.ts'
import { currentPosition } from './log.ts'
import { eventConsumers, eventsAfter } from './queries.ts'

/** How far a consumer is behind the end of the event log. */
export interface ConsumerLag {
  readonly consumer: string
  /** The number of events that it has not handled. */
  readonly events: number
  /** The age of the oldest of them; 0 if there are none. */
  readonly seconds: number
}

const SECOND_MS = 1_000

/** The lag of every consumer that has handled an event. */
export async function consumerLags(store: Store, clock: TimeSource): Promise<ConsumerLag[]> {
  const consumers = await store.all(eventConsumers, {})
  const last = await currentPosition(store)
  return Promise.all(
    consumers.map(async ({ name, position }) => {
      const oldest = await store.first(eventsAfter, { after: position, limit: 1 })
      const ageMs = oldest ? Math.max(0, clock.now() - oldest.at) : 0
      return { consumer: name, events: Math.max(0, last - position), seconds: ageMs / SECOND_MS }
    }),
  )
}
