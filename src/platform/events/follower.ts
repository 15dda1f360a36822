import type { RetryPauses } from '../common/after-error.ts'
import { type Clock, systemClock } from '../common/clock.ts'
import { AT_ONCE, Loop, POLL_MS } from '../common/loop.ts'
import { renewing } from '../common/renewing.ts'
import { Slices } from '../common/slices.ts'
import type { Store, Transaction } from '../storage/store.ts'
import type { LoggedEvent } from './event.ts'
import { MAX_ATTEMPTS, maxAttempts, mayBeOfEvent } from './fault.ts'
import {
  addConsumer,
  commitPosition,
  consumerByName,
  forgetGap,
  leaseConsumer,
  releaseConsumer,
} from './queries.ts'
import { LogReader } from './reader.ts'
import type { EventConsumerRow } from './tables.ts'

/** A consumer of the event log. Its position is stored under its name. */
export interface Consumer {
  /** Stored, so it must never change. */
  readonly name: string
  /**
   * Tells the operator how to repair the consequences of a skipped event. Absent if there is no
   * way.
   */
  readonly remedy?: string
  /**
   * Called before the first events by a process that handles them, even if there are none. Called
   * again when it throws, after `missed`, and when `onLost` says so. When it keeps throwing, events
   * are handled without it.
   */
  prepare?(signal: AbortSignal): Promise<void>
  /**
   * Calls `prepareAgain` when something that `prepare` has made was lost, until the result is
   * disposed of.
   */
  onLost?(prepareAgain: () => void): Disposable | undefined
  /**
   * What replies read, if the consumer maintains something of the kind. They wait until it has
   * caught up (`CatchUp`).
   */
  readonly index?: Index
  /**
   * Handles the next events, in order. Called again with the same events when it throws, or when
   * the process ends before their position is stored: each event is handled at least once. An event
   * that keeps making it throw, even alone, is skipped; with an error of data, after the second
   * attempt. `signal` is aborted by a stop, which waits for the batch. May resolve to writes, which
   * are committed with the position and therefore happen exactly once. May resolve to `IGNORED` if
   * the events had no effect: their position is then stored later, together with that of others.
   */
  take(events: readonly LoggedEvent[], signal: AbortSignal): Promise<void> | Promise<ConsumerResult>
  /**
   * Called before the first events that this process handles, and again when another process has
   * handled events since. The consumer's state in memory may be out of date.
   */
  gained?(): void
  /**
   * Called once when events after `after` and up to `to` were trimmed before this consumer had
   * handled them. When it keeps throwing, events are handled without it.
   */
  missed(gap: { after: number; to: number }): void | Promise<void>
}

/** Data that replies read and a consumer maintains. */
export interface Index {
  /** Whether it is complete, apart from events that the consumer has not handled. */
  isBuilt(): Promise<boolean>
  /** The share that is built, from 0 to 1, while this process builds it. */
  builtShare?(): number | undefined
  /**
   * Called once if the consumer was behind at the start of this process and has caught up. Replies
   * wait for it.
   */
  caughtUp?(signal: AbortSignal): Promise<unknown>
}

/**
 * An event that a consumer could not handle and does not receive again. `cause` is the last error.
 */
export class SkippedEvent extends Error {
  override readonly name = 'SkippedEvent'
  readonly event: LoggedEvent

  constructor(event: LoggedEvent, attempts: number, cause: unknown) {
    super(`the event ${event.kind} at position ${event.position} was skipped after ${attempts} attempts`, {
      cause,
    })
    this.event = event
  }
}

/**
 * A step that a consumer could not perform before its next events, which it receives nevertheless.
 * `cause` is the last error.
 */
export class SkippedStep extends Error {
  override readonly name = 'SkippedStep'

  constructor(step: Step, cause: unknown) {
    const what = step === 'prepare' ? 'preparations of a consumer' : 'a gap in the events'
    super(`${what} could not be handled in ${MAX_ATTEMPTS} attempts: its events are handled without`, {
      cause,
    })
  }
}

type Step = 'prepare' | 'missed'

/** The writes of a batch, in the store that contains the consumer's position. */
export type BatchWrites = (tx: Transaction) => Promise<void>

/** The events of a batch had no effect, and would have none if they were handled again. */
export const IGNORED = Symbol('ignored')

/** The outcome of a batch. */
export type ConsumerResult = BatchWrites | typeof IGNORED | undefined

export interface FollowOptions {
  store: Store
  clock: Clock
  /**
   * Identifies the node. Another process with the same text takes over at once; others when the
   * lease has expired.
   */
  holder: string
  /**
   * Called when a batch could not be read or handled, and is retried; with a `SkippedEvent` or
   * `SkippedStep` when it is not retried.
   */
  onError: (error: unknown, consumer: string) => void
  batchSize?: number
  leaseMs?: number
  /** Between attempts, in real time. */
  pauses?: RetryPauses
  /** How long the position of ignored events may stay unstored, in real time. */
  storeAfterMs?: number
}

export interface Follower {
  /** Waits for the current batch, and releases the lease. */
  stop(): Promise<void>
}

const BATCH_SIZE = 100
/**
 * Events about more things than this are handled in several batches, so that the position is stored
 * in between.
 */
const BATCH_ITEMS = 2_000
const LEASE_MS = 30_000
/**
 * The position of ignored events is stored after this many events or this time, whichever comes
 * first.
 */
const MAX_UNSTORED = 1_000
const STORE_AFTER_MS = 1_000
/**
 * Follows the event log with a consumer until it is stopped. Of several nodes, one handles events
 * at a time.
 */
export function follow(consumer: Consumer, options: FollowOptions): Follower {
  const follower = new ConsumerFollower(consumer, options)
  follower.start()
  return follower
}

/** The first events, which are about few things. At least one. */
function fewItems(events: readonly LoggedEvent[], after: number): readonly LoggedEvent[] {
  const end = events.findIndex(({ position }) => position - after > BATCH_ITEMS)
  return end < 0 ? events : events.slice(0, Math.max(1, end))
}

class ConsumerFollower implements Follower {
  readonly #consumer: Consumer
  readonly #options: FollowOptions
  readonly #reader: LogReader
  readonly #loop: Loop
  #losses: Disposable | undefined
  readonly #slices = new Slices()
  readonly #leaseMs: number
  /** Events up to this position are handled one at a time: one of them made a batch fail. */
  #singlyTo = 0
  /** How often the event at a position failed alone. */
  #failing = { position: 0, attempts: 0 }
  /** How often the consumer must have been prepared, and how often it has. */
  #preparations = { wanted: 0, done: 0 }
  /** The stored state, while this process holds the lease and there is no gap between events. */
  #known: EventConsumerRow | undefined
  /** Whether other processes may have handled events since this one last did. */
  #isGained = true
  /** Ignored events after the stored position. */
  #ahead: { position: number; events: number; isDue: boolean } | undefined
  #isTimed = false
  /** Failures in a row of each step. */
  readonly #faults: Record<Step, number> = { prepare: 0, missed: 0 }

  constructor(consumer: Consumer, options: FollowOptions) {
    const { store, clock, onError, pauses } = options
    this.#consumer = consumer
    this.#options = options
    this.#leaseMs = options.leaseMs ?? LEASE_MS
    this.#reader = new LogReader(store, 0)
    this.#loop = new Loop({
      clock,
      wakeUps: (wake) => this.#reader.listen(wake),
      round: (isPoll) => this.#round(isPoll),
      onError: (error) => onError(error, consumer.name),
      ...(pauses && { pauses }),
    })
  }

  start(): void {
    this.#prepareAgain()
    this.#losses = this.#consumer.onLost?.(() => this.#prepareAgain())
    this.#loop.start()
  }

  async stop(): Promise<void> {
    this.#losses?.[Symbol.dispose]()
    await this.#loop.stop()
    const { store, holder } = this.#options
    const { name } = this.#consumer
    const ahead = this.#ahead?.position
    await store
      .write(async (tx) => {
        if (ahead !== undefined) await tx.run(commitPosition, { name, holder, position: ahead, until: 0 })
        await tx.run(releaseConsumer, { name, holder })
      })
      .catch(() => undefined)
  }

  #prepareAgain(): void {
    if (!this.#consumer.prepare) return
    this.#preparations.wanted++
    this.#loop.wake()
  }

  get #isPrepared(): boolean {
    return this.#preparations.done === this.#preparations.wanted
  }

  /** Handles one batch. What is known of the stored state does not outlast an error or a poll. */
  #round(isPoll: boolean): Promise<number> {
    const known = isPoll ? undefined : this.#known
    this.#known = undefined
    return this.#step(known)
  }

  /** Resolves to the time until which there is nothing to do, unless something wakes the loop. */
  async #step(known: EventConsumerRow | undefined): Promise<number> {
    const { clock, holder, batchSize = BATCH_SIZE } = this.#options
    const state = known ?? (await this.#state())
    const limit = state.position < this.#singlyTo ? 1 : batchSize
    const now = clock.now()
    const pollAt = now + POLL_MS.announced
    if (state.holder !== holder && state.lease_until > now) return Math.min(state.lease_until, pollAt)
    this.#reader.position = state.position
    const read = await this.#reader.next(limit)
    const events = fewItems(read, state.position)
    if (events.length === 0 && state.gap_to === null && this.#isPrepared) {
      if (this.#ahead?.isDue) await this.#commit(this.#ahead.position, undefined)
      this.#known = known
      return pollAt
    }
    const isLeased = state.holder === holder && state.lease_until - now > this.#leaseMs / 2
    if (!isLeased) {
      if (state.holder !== holder) this.#isGained = true
      await this.#lease()
      // The previous holder may have advanced since the state was read.
      return this.#step(undefined)
    }
    // Events may have been trimmed since the state was read. An event about many things looks the
    // same, and is read again.
    if (known && events[0]?.position !== state.position + 1) return AT_ONCE
    if (this.#isGained) this.#consumer.gained?.()
    this.#isGained = false
    this.#known = await this.#handle(state, events)
    const isEnd = events.length === read.length && read.length < limit
    return this.#known && isEnd ? pollAt : AT_ONCE
  }

  /** A new consumer begins with the oldest event. */
  async #state(): Promise<EventConsumerRow> {
    const { name } = this.#consumer
    const known = await this.#options.store.first(consumerByName, { name })
    // If another process took over, it continues after the stored position, not after what was
    // ignored here.
    if (known?.holder !== this.#options.holder) this.#ahead = undefined
    if (!known) return { name, position: 0, gap_to: null, holder: '', lease_until: 0 }
    return { ...known, position: Math.max(known.position, this.#ahead?.position ?? 0) }
  }

  /** Does nothing while another node has the lease. */
  async #lease(): Promise<void> {
    const { store, clock, holder } = this.#options
    const { name } = this.#consumer
    await store.write(async (tx) => {
      const now = clock.now()
      await tx.run(addConsumer, { name })
      await tx.run(leaseConsumer, { name, holder, now, until: now + this.#leaseMs })
    })
  }

  /** Resolves to the new state, or to undefined when it must be read again. */
  async #handle(
    state: EventConsumerRow,
    events: readonly LoggedEvent[],
  ): Promise<EventConsumerRow | undefined> {
    const { store } = this.#options
    const { name, position, gap_to } = state
    if (!this.#isPrepared) {
      const { wanted } = this.#preparations
      await this.#try('prepare', async () => this.#consumer.prepare?.(this.#loop.stopping))
      this.#preparations.done = wanted
      // The lease may have been renewed, and events may have been trimmed: the next step reads both
      // again.
      return undefined
    }
    if (gap_to !== null) {
      // Ignored events do not count as missed.
      if (gap_to > position)
        await this.#try('missed', async () => this.#consumer.missed({ after: position, to: gap_to }))
      await store.write((tx) => tx.run(forgetGap, { name, to: gap_to }))
      // Rebuilds what was missed at once, even if no event follows.
      if (gap_to > position && this.#consumer.prepare) {
        this.#prepareAgain()
        return undefined
      }
    }
    const last = events.at(-1)
    if (!last) return undefined
    const until = await this.#takeAndCommit(events, { position: last.position, until: state.lease_until })
    return until === undefined
      ? undefined
      : { ...state, gap_to: null, position: last.position, lease_until: until }
  }

  /** Runs a step that concerns no single event. A step that keeps failing by itself is skipped. */
  async #try(step: Step, work: () => Promise<void>): Promise<void> {
    try {
      await this.#holdingLease(work)
    } catch (error) {
      const isFault = !this.#loop.stopping.aborted && mayBeOfEvent(error)
      if (!isFault || ++this.#faults[step] < MAX_ATTEMPTS) throw error
      this.#options.onError(new SkippedStep(step, error), this.#consumer.name)
    }
    this.#faults[step] = 0
  }

  /**
   * Resolves to the end of the lease, or to undefined when another node has taken over and handles
   * the same events.
   */
  async #takeAndCommit(
    events: readonly LoggedEvent[],
    { position, until }: { position: number; until: number },
  ): Promise<number | undefined> {
    const signal = this.#loop.stopping
    // Consumers wake together. Each of them has a turn of the event loop of its own.
    await this.#slices.next()
    try {
      const taken = await this.#holdingLease(
        async () => (await this.#consumer.take(events, signal)) ?? undefined,
      )
      if (taken === IGNORED && this.#mayWait(events, position)) return until
      return await this.#commit(position, taken === IGNORED ? undefined : taken)
    } catch (error) {
      const skipped = signal.aborted ? undefined : this.#skippedBy(error, events)
      if (!skipped) throw error
      const until = await this.#commit(position, undefined)
      if (until !== undefined) this.#options.onError(skipped, this.#consumer.name)
      return until
    }
  }

  /** Whether the position of ignored events may be stored later. */
  #mayWait(events: readonly LoggedEvent[], position: number): boolean {
    const ahead = this.#ahead ?? { position, events: 0, isDue: false }
    ahead.position = position
    ahead.events += events.length
    this.#ahead = ahead
    void this.#storeLater()
    return ahead.events < MAX_UNSTORED && !ahead.isDue
  }

  async #storeLater(): Promise<void> {
    if (this.#isTimed) return
    this.#isTimed = true
    const { storeAfterMs = STORE_AFTER_MS } = this.#options
    await systemClock.at(systemClock.now() + storeAfterMs, this.#loop.stopping)
    this.#isTimed = false
    if (!this.#ahead) return
    this.#ahead.isDue = true
    this.#loop.wake()
  }

  async #commit(position: number, writes: BatchWrites | undefined): Promise<number | undefined> {
    const { clock, store, holder } = this.#options
    const until = clock.now() + this.#leaseMs
    const at = { name: this.#consumer.name, holder, position, until }
    const committed = await store.write(async (tx) => {
      const isCommitted = (await tx.run(commitPosition, at)) === 1
      if (isCommitted) await writes?.(tx)
      return isCommitted ? until : undefined
    })
    this.#ahead = undefined
    return committed
  }

  /** The event to skip because of an error: it was handled alone, and failed too often. */
  #skippedBy(error: unknown, events: readonly LoggedEvent[]): SkippedEvent | undefined {
    const [event] = events
    if (!event || !mayBeOfEvent(error)) return undefined
    if (events.length > 1) {
      this.#singlyTo = events.at(-1)?.position ?? 0
      return undefined
    }
    const { position } = event
    // It may have failed before, in a batch.
    const before = position <= this.#singlyTo ? 1 : 0
    const attempts = (this.#failing.position === position ? this.#failing.attempts : before) + 1
    this.#failing = { position, attempts }
    return attempts < maxAttempts(error) ? undefined : new SkippedEvent(event, attempts, error)
  }

  #holdingLease<Result>(work: () => Promise<Result>): Promise<Result> {
    const { clock, onError } = this.#options
    const lease = {
      clock,
      everyMs: this.#leaseMs / 2,
      renew: () => this.#lease(),
      onError: (error: unknown) => onError(error, this.#consumer.name),
    }
    return renewing(lease, work)
  }
}
