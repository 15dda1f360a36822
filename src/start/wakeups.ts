import type { Bus } from '../cluster/bus.ts'
import type { Store } from '../storage/store.ts'

/**
 * The store, whose channels reach the listeners of other nodes too: what this node commits is published on the bus, and
 * what others publish wakes the listeners here. It makes nothing certain: a message may be lost.
 *
 * @param origin Another text for each process.
 */
export function withWakeups(store: Store, bus: Bus, origin: string): Store {
  const sender = Buffer.from(origin)
  const relayed = new Set<string>()
  return {
    ...store,
    listen(channel, wake) {
      const name = `wake ${channel}`
      if (!relayed.has(channel)) {
        relayed.add(channel)
        store.listen(channel, () => bus.publish(name, sender))
      }
      const local = store.listen(channel, wake)
      const isOwn = (data: Uint8Array) => sender.equals(data)
      const remote = bus.subscribe(name, (data) => void (isOwn(data) || wake()), wake)
      return {
        [Symbol.dispose]() {
          local[Symbol.dispose]()
          remote[Symbol.dispose]()
        },
      }
    },
  }
}
