import { type Store, StoreUnavailable } from './store.ts'
import { assertOutsideWrite, type Connection } from './transaction.ts'

/** What SQLite and PostgreSQL implement of a store. Reads may return their rows at once. */
export interface Database
  extends Pick<Connection, 'dialect' | 'all' | 'first'>,
    Pick<Store, 'write' | 'snapshotVersion' | 'durable' | 'close' | 'copyInto'> {}

/**
 * The store on a database. Rejects every use inside the function given to `write`, and after
 * closing.
 */
export function storeOn(database: Database, listeners: Listeners): Store {
  let closed = false
  function assertOpen(): void {
    if (closed) throw new StoreUnavailable('the store is closed')
  }
  return {
    dialect: database.dialect,
    async all(query, args) {
      assertOutsideWrite()
      assertOpen()
      return database.all(query, args)
    },
    async first(query, args) {
      assertOutsideWrite()
      assertOpen()
      return database.first(query, args)
    },
    async write(work) {
      assertOutsideWrite()
      assertOpen()
      return database.write(work)
    },
    snapshotVersion: () => (closed ? undefined : database.snapshotVersion()),
    async durable() {
      assertOpen()
      await database.durable()
    },
    listen: (channel, wake) => listeners.listen(channel, wake),
    wakeAll: () => listeners.notifyAll(),
    ...(database.copyInto && {
      async copyInto(target: string) {
        assertOutsideWrite()
        assertOpen()
        await database.copyInto?.(target)
      },
    }),
    async close() {
      closed = true
      await database.close()
    },
  }
}

/** The listeners of the channels of a store. */
export class Listeners {
  readonly #channels = new Map<string, Set<() => void>>()

  listen(channel: string, wake: () => void): Disposable {
    const listeners = this.#channels.get(channel) ?? new Set()
    this.#channels.set(channel, listeners)
    // A new function each time, so that each call of `listen` can be disposed of separately.
    const listener = () => wake()
    listeners.add(listener)
    return { [Symbol.dispose]: () => void listeners.delete(listener) }
  }

  notifyAll(): void {
    this.notify([...this.#channels.keys()])
  }

  /** Notifies the listeners of each channel once. */
  notify(channels: Iterable<string>): void {
    for (const channel of new Set(channels)) for (const wake of this.#channels.get(channel) ?? []) wake()
  }
}
