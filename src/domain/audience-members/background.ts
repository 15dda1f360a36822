import { afterError } from '../../platform/common/after-error.ts'
import type { Clock } from '../../platform/common/clock.ts'
import { Loop, WHEN_WOKEN } from '../../platform/common/loop.ts'
import { SharedRun } from '../../platform/common/shared-run.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import type { MemberStore, Membership, Step } from './membership.ts'
import { SharedRoom } from './share.ts'

export interface MembershipOptions {
  clock: Clock
  /** How long a batch waits at least until it is merged. */
  delaySeconds: number
  /**
   * How often to check for work that is due by the clock, in milliseconds; if absent, only after
   * uploads.
   */
  lookEveryMs?: number
  onError(error: unknown): void
}

/** Maximum bytes of bodies that are being checked. */
const MAX_UNCHECKED_BYTES = 64 * 1024 * 1024
/**
 * After a merge, merging pauses for this many times its duration while uploads continue and few
 * keys wait: merging all of them later costs little more than merging a part.
 */
const REST_SHARE = 3
const MAX_REST_MS = 30_000
const REST_KEYS = 250_000
const QUIET_MS = 500
const LOOK_MS = 50
/** The longest pause after a failure that concerns all audiences. It is retried soon. */
const MAX_PAUSE_MS = 30_000
/** How long `stop` waits for work in progress. Interrupted work is done at the next start. */
const STOP_MS = 5_000

/** Kinds of work, which are retried after failures. */
type Work = 'merging' | 'maintenance'

/** Audience membership over one kind of storage. */
export function createMembership(store: MemberStore, options: MembershipOptions): Membership {
  const { clock } = options
  const background = new Background(store, options)
  const unchecked = new SharedRoom(MAX_UNCHECKED_BYTES)
  return {
    async accept(upload) {
      const { account, body } = upload
      const { length } = body
      if (!unchecked.hold(account, length))
        throw apiError('over capacity', 'too many uploads are being checked')
      try {
        const accepted = await store.take(upload, clock.now())
        if (accepted === 'full') throw apiError('over capacity', 'too many uploads wait to be merged')
        if (accepted.kind === 'fine') background.uploaded(accepted.keys)
        return accepted
      } finally {
        unchecked.giveBack(account, length)
      }
    },
    states: (audiences, through) => store.states(audiences, clock.now(), through),
    tally: (request) => store.tally(request),
    async forget(audience) {
      await store.forget(audience, clock.now())
      background.maintain()
    },
    ...(store.copyInto && { copyInto: (copies) => store.copyInto?.(copies) ?? Promise.resolve(false) }),
    drain: () => background.drain(),
    async close() {
      await background.stop()
      await store.close()
    },
  }
}

/** Runs merges and maintenance while any is due, one at a time. */
class Background {
  readonly #store: MemberStore
  readonly #options: MembershipOptions
  readonly #loop: Loop
  /** The loop and those who wait for the end of the work share it. */
  readonly #work = new SharedRun(() => this.#run())
  /** More work may have become due since the current round checked. */
  #again: boolean
  /** Consecutive failures, and whether it is pausing after the last one. */
  readonly #failing = {
    merging: { failures: 0, isPaused: false },
    maintenance: { failures: 0, isPaused: false },
  }
  #inHurry = 0
  #restUntil = 0
  /** Keys uploaded to this process since the last merge, and the time of the last upload. */
  #waitingKeys = 0
  #uploadedAt = 0

  constructor(store: MemberStore, options: MembershipOptions) {
    this.#store = store
    this.#options = options
    const { clock, lookEveryMs, onError } = options
    this.#again = lookEveryMs !== undefined
    this.#loop = new Loop({
      clock,
      round: async (isPoll) => {
        this.#again ||= isPoll
        await this.#work.run()
        return lookEveryMs === undefined ? WHEN_WOKEN : clock.now() + lookEveryMs
      },
      onError,
    })
    this.#loop.start()
  }

  uploaded(keys: number): void {
    this.#waitingKeys += keys
    this.#uploadedAt = performance.now()
    this.maintain()
  }

  maintain(): void {
    this.#again = true
    this.#loop.wake()
  }

  async drain(): Promise<void> {
    this.#inHurry++
    try {
      this.#again = true
      await this.#work.run()
    } finally {
      this.#inHurry--
    }
  }

  async stop(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const isLate = new Promise((resolve) => (timer = setTimeout(resolve, STOP_MS)))
    await Promise.race([Promise.all([this.#loop.stop(), this.#work.run()]), isLate])
    clearTimeout(timer)
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#loop.stopping.aborted) {
      await this.#backOff()
      this.#again = false
      if (await this.#attempt('merging', () => this.#mergeOnce())) this.#again = true
      // At least one step after each merge, so that continuous uploads do not prevent maintenance.
      while ((await this.#attempt('maintenance', () => this.#maintainOnce())) && !this.#again);
    }
  }

  /**
   * Does one kind of work. Returns whether there is more. Failed work is retried after a pause,
   * without delaying the other kind.
   */
  async #attempt(name: Work, work: () => Promise<boolean>): Promise<boolean> {
    const signal = this.#loop.stopping
    const mustWait = this.#inHurry === 0 && this.#failing[name].isPaused
    if (signal.aborted || mustWait) return false
    try {
      const more = await work()
      this.#failing[name].failures = 0
      return more
    } catch (error) {
      if (signal.aborted) return false
      void this.#pause(name)
      this.#options.onError(error)
      return false
    }
  }

  async #pause(name: Work): Promise<void> {
    const failing = this.#failing[name]
    if (failing.isPaused) return
    failing.isPaused = true
    const came = await afterError(failing.failures++, this.#loop.stopping, { longestMs: MAX_PAUSE_MS })
    failing.isPaused = false
    if (came) this.maintain()
  }

  /** One merge. Returns false if there was nothing to do. */
  async #mergeOnce(): Promise<boolean> {
    const { clock, delaySeconds } = this.#options
    const [began, at] = [performance.now(), clock.now()]
    this.#waitingKeys = 0
    const { keys, more, errors } = await this.#store.merge(at - delaySeconds * 1000, at)
    this.#tell(errors)
    const now = performance.now()
    // No pause while more is due.
    if (!more) this.#restUntil = now + Math.min((now - began) * REST_SHARE, MAX_REST_MS)
    return keys > 0 || more
  }

  async #maintainOnce(): Promise<boolean> {
    const { more, errors } = await this.#store.maintain(this.#options.clock.now())
    this.#tell(errors)
    return more
  }

  #tell(errors: Step['errors'] = []): void {
    for (const error of errors) this.#options.onError(error)
  }

  /** Waits until the next merge is due. */
  async #backOff(): Promise<void> {
    while (performance.now() < this.#restUntil && !this.#mustMerge()) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref())
    }
  }

  #mustMerge(): boolean {
    const isQuiet = performance.now() - this.#uploadedAt > QUIET_MS
    return this.#inHurry > 0 || this.#loop.stopping.aborted || isQuiet || this.#waitingKeys > REST_KEYS
  }
}
