import { systemClock, WOKEN } from '../../platform/common/clock.ts'
import { SharedRun } from '../../platform/common/shared-run.ts'
import type { Store } from '../../platform/storage/store.ts'
import { ACTIVITY_CHANNEL } from './producer.ts'
import { appsWithActivitiesAfter, lastActivityPosition } from './queries.ts'

/** A wake-up may be lost, so the table is polled at this interval while there are feeds, in real time. */
const LOOK_MS = 500

/**
 * Wakes the feeds of the apps that have new activities. One read after a commit, or after the interval of the poll,
 * finds them for all feeds of a store: with a read, a timer or a listener for each feed, an activity would cost as much
 * as there are feeds.
 */
export class Arrivals {
  readonly #store: Store
  readonly #onError: (error: unknown) => void
  /** The apps that have feeds, and what resolves when one may have new activities. */
  readonly #apps = new Map<string, { feeds: number; woken: PromiseWithResolvers<void> }>()
  readonly #look = new SharedRun(() => this.#read())
  /** Up to here, activities have woken their feeds. Undefined before the first read. */
  #position: number | undefined
  #following: { stop: AbortController; listener: Disposable } | undefined

  constructor(store: Store, onError: (error: unknown) => void) {
    this.#store = store
    this.#onError = onError
  }

  /** Adds a feed of an app. */
  add(app: string): void {
    const known = this.#apps.get(app)
    if (known) known.feeds++
    else this.#apps.set(app, { feeds: 1, woken: Promise.withResolvers() })
    if (!this.#following) this.#follow()
  }

  /** Removes a feed of an app. */
  remove(app: string): void {
    const known = this.#apps.get(app)
    if (known && --known.feeds === 0) this.#apps.delete(app)
    if (this.#apps.size > 0) return
    this.#following?.stop.abort(WOKEN)
    this.#following?.listener[Symbol.dispose]()
    this.#following = undefined
    this.#position = undefined
  }

  /** Resolves when the app may have activities that were committed after the call. */
  next(app: string): Promise<void> {
    return this.#apps.get(app)?.woken.promise ?? Promise.resolve()
  }

  wake(app: string): void {
    const known = this.#apps.get(app)
    if (!known) return
    known.woken.resolve()
    known.woken = Promise.withResolvers()
  }

  #follow(): void {
    const stop = new AbortController()
    const look = () => void this.#look.run()
    this.#following = { stop, listener: this.#store.listen(ACTIVITY_CHANNEL, look) }
    void (async () => {
      do await this.#look.run()
      while (await systemClock.at(systemClock.now() + LOOK_MS, stop.signal))
    })()
  }

  async #read(): Promise<void> {
    const following = this.#following
    try {
      const { position, apps } = await this.#arrivedAfter(this.#position)
      // All feeds may have left meanwhile, and others may have come.
      if (this.#following !== following) return
      this.#position = position
      for (const app of apps) this.wake(app)
    } catch (error) {
      this.#onError(error)
    }
  }

  /** The last position, and the apps with activities after the former one. Without one, any app may have some. */
  async #arrivedAfter(after: number | undefined) {
    if (after === undefined) {
      const last = await this.#store.first(lastActivityPosition, {})
      return { position: last?.position ?? 0, apps: [...this.#apps.keys()] }
    }
    const found = await this.#store.all(appsWithActivitiesAfter, { after })
    const position = found.reduce((last, one) => Math.max(last, one.position), after)
    return { position, apps: found.map(({ app_id }) => app_id) }
  }
}
