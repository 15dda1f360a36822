import type { Bus } from '../../platform/cluster/bus.ts'
import type { Store } from '../../platform/storage/store.ts'

/**
 * The store, with its channels extended to the listeners of other nodes: commits of this node are
 * published on the bus, and messages of other nodes wake the listeners here. It guarantees nothing:
 * a message may be lost.
 *
 * @param origin Unique per process.
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
