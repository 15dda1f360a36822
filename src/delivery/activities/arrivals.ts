import { systemClock } from '../../platform/common/clock.ts'
import { Loop, POLL_MS, SHORT_PAUSES } from '../../platform/common/loop.ts'
import type { Store } from '../../platform/storage/store.ts'
import { ACTIVITY_CHANNEL } from './producer.ts'
import { appsWithActivitiesAfter, lastActivityPosition } from './queries.ts'

/**
 * Wakes the feeds of the apps that have new activities. One read after a commit, or after the
 * interval of the poll, finds them for all feeds of a node: with a read, a timer or a listener for
 * each feed, an activity would cost as much as there are feeds.
 */
export class Arrivals {
  readonly #store: Store
  readonly #onError: (error: unknown) => void
  /** What wakes the feeds of each app. */
  readonly #feeds = new Map<string, Set<() => void>>()
  #loop: Loop | undefined

  constructor(store: Store, onError: (error: unknown) => void) {
    this.#store = store
    this.#onError = onError
  }

  /** Wakes a feed when its app may have new activities, until the result is disposed of. */
  listen(app: string, wake: () => void): Disposable {
    const feeds = this.#feeds.get(app) ?? new Set()
    this.#feeds.set(app, feeds.add(wake))
    this.#loop ??= this.#follow()
    return {
      [Symbol.dispose]: () => {
        feeds.delete(wake)
        if (feeds.size === 0 && this.#feeds.get(app) === feeds) this.#feeds.delete(app)
        if (this.#feeds.size > 0) return
        void this.#loop?.stop()
        this.#loop = undefined
      },
    }
  }

  #follow(): Loop {
    /** Up to here, activities have woken their feeds. Undefined before the first read. */
    let position: number | undefined
    const loop = new Loop({
      wakeUps: (wake) => this.#store.listen(ACTIVITY_CHANNEL, wake),
      round: async () => {
        position = await this.#wakeAfter(position)
        return systemClock.now() + POLL_MS.watched
      },
      onError: this.#onError,
      pauses: SHORT_PAUSES,
    })
    loop.start()
    return loop
  }

  /**
   * Wakes the feeds of the apps with activities after a position. Without one, any app may have
   * some. Resolves to the position of the last activity.
   */
  async #wakeAfter(after: number | undefined): Promise<number> {
    if (after === undefined) {
      const last = await this.#store.first(lastActivityPosition, {})
      this.#wake([...this.#feeds.keys()])
      return last?.position ?? 0
    }
    const found = await this.#store.all(appsWithActivitiesAfter, { after })
    this.#wake(found.map(({ app_id }) => app_id))
    return found.reduce((last, { position }) => Math.max(last, position), after)
  }

  #wake(apps: readonly string[]): void {
    for (const app of apps) for (const wake of this.#feeds.get(app) ?? []) wake()
  }
}
