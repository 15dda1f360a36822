import type { Logger } from 'pino'
import { monotonicTime, systemClock } from '../common/clock.ts'
import { type Store, StoreUnavailable } from '../storage/store.ts'
import type { Consumer, Index } from './follower.ts'
import { eventsFrom } from './lag.ts'
import { endOfLog } from './log.ts'
import { consumerByName, eventAfter } from './queries.ts'

/** A consumer that has not handled everything that was committed before the start. */
export interface Outstanding {
  readonly consumer: string
  /**
   * The events from before the start that it has not handled. An import of posts counts as one for
   * each post.
   */
  readonly events: number
  /** Whether its index is being built. How many events that covers is unknown. */
  readonly isBuilding: boolean
  /** The share of the index that is built, from 0 to 1, if this process builds it. */
  readonly builtShare?: number
}

/** Waits for the indexes that a reply depends on. */
export interface Indexes {
  /**
   * Resolves once a consumer has handled everything that was committed before the start of this
   * process.
   * @throws StoreUnavailable It takes longer than a caller should wait.
   */
  caughtUp(consumer: string): Promise<void>
}

interface CatchUpOptions {
  store: Store
  log: Pick<Logger, 'info' | 'error'>
}

/**
 * What is small is handled in that time; a call about what is large gets 503 with `retry-after`
 * meanwhile.
 */
const WAIT_MS = 2_000
const LOOK_MS = 20
/** Later, the consumers are looked at less often. */
const LONGEST_LOOK_MS = 250
const PROGRESS_MS = 5_000

/**
 * Tells whether the indexes that replies depend on contain everything that was committed before
 * this process started: changes that the command line made while no server was running, or that
 * another node has not handled yet. What a consumer skips is handled. A consumer that has caught up
 * once stays so: a small lag is normal.
 */
export class CatchUp implements Indexes {
  readonly #parts: CatchUpOptions
  /** The end of the log when this process started. */
  readonly #end: number
  readonly #indexes = new Map<string, Index>()
  readonly #done = new Set<string>()
  /** What callers wait for. All of them share the looks of `run`. */
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>()
  /** Consumers that were behind when they were first looked at. */
  readonly #late = new Map<string, Promise<void> | undefined>()
  readonly #closing = new AbortController()
  #running: Promise<boolean> | undefined

  private constructor(parts: CatchUpOptions, end: number) {
    this.#parts = parts
    this.#end = end
  }

  /** Reads the end of the log: before the process does anything of its own. */
  static async open(parts: CatchUpOptions): Promise<CatchUp> {
    return new CatchUp(parts, await endOfLog(parts.store))
  }

  /** Adds the consumers that have an index. Until then, none has caught up. */
  add(consumers: readonly Consumer[]): void {
    for (const { name, index } of consumers) if (index) this.#indexes.set(name, index)
  }

  async caughtUp(name: string): Promise<void> {
    if (this.#done.has(name)) return
    const waiting = this.#waiting.get(name) ?? Promise.withResolvers<void>()
    this.#waiting.set(name, waiting)
    const over = new AbortController()
    const isLate = systemClock.at(systemClock.now() + WAIT_MS, over.signal)
    const came = await Promise.race([waiting.promise.then(() => true), isLate.then(() => false)])
    over.abort()
    if (!came) throw new StoreUnavailable(`an index is catching up with earlier changes: ${name}`)
  }

  /**
   * The consumers that replies have to wait for: those that have not caught up, and indexes of this
   * process that are being rebuilt. An index that all nodes share is not among the latter: without
   * it, a load balancer would lose all nodes at once.
   */
  async outstanding(): Promise<Outstanding[]> {
    const all = await Promise.all([...this.#indexes].map((one) => this.#outstandingOf(...one)))
    return all.filter((one) => one !== undefined)
  }

  /** Logs the progress until all have caught up. Resolves to false if it is closed before. */
  run(): Promise<boolean> {
    this.#running ??= this.#run(this.#closing.signal)
    return this.#running
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #run(signal: AbortSignal): Promise<boolean> {
    const progress = new Progress(this.#parts.log)
    for (let lookMs = LOOK_MS; !signal.aborted; lookMs = Math.min(2 * lookMs, LONGEST_LOOK_MS)) {
      // A store that fails is back at some time, and until then nothing is ready.
      const outstanding = await this.outstanding().catch(() => undefined)
      if (outstanding) progress.tell(outstanding)
      if (outstanding?.length === 0) return true
      await systemClock.at(systemClock.now() + lookMs, signal)
    }
    return false
  }

  async #outstandingOf(name: string, index: Index): Promise<Outstanding | undefined> {
    const isDone = this.#done.has(name)
    if (isDone && this.#parts.store.dialect === 'postgres') return undefined
    const events = isDone ? 0 : await this.#eventsLeft(name)
    const isBuilding = !(await index.isBuilt())
    if (events === 0 && !isBuilding) return this.#finish(name, index)
    if (!isDone && !this.#late.has(name)) this.#late.set(name, undefined)
    const builtShare = isBuilding ? index.builtShare?.() : undefined
    return { consumer: name, events, isBuilding, ...(builtShare !== undefined && { builtShare }) }
  }

  /** The events from before the start that a consumer has not handled. */
  async #eventsLeft(name: string): Promise<number> {
    const { store } = this.#parts
    const state = await store.first(consumerByName, { name })
    const oldest = await store.first(eventAfter, { after: state?.position ?? 0 })
    const left = oldest && oldest.position - oldest.items < this.#end ? eventsFrom(oldest, this.#end) : 0
    // What was removed before it was handled is counted as one: how much it was is no longer known.
    return left === 0 && isMissing(state) ? 1 : left
  }

  /** Resolves to undefined once what follows a late consumer has been done, too. */
  async #finish(name: string, index: Index): Promise<undefined> {
    if (this.#done.has(name)) return
    if (this.#late.has(name) && index.caughtUp) {
      const following = this.#late.get(name) ?? this.#follow(name, index)
      this.#late.set(name, following)
      await following
    }
    this.#done.add(name)
    this.#waiting.get(name)?.resolve()
    this.#waiting.delete(name)
  }

  /** An error is not repeated: what depends on the index must not be kept waiting for ever. */
  async #follow(name: string, index: Index): Promise<void> {
    try {
      await index.caughtUp?.(this.#closing.signal)
    } catch (error) {
      this.#parts.log.error({ err: error, consumer: name }, 'what follows a consumer could not be done')
    }
  }
}

const isMissing = (state: { position: number; gap_to: number | null } | undefined) =>
  state !== undefined && state.gap_to !== null && state.gap_to > state.position

/** Logs how far consumers are, and how long they will take. */
class Progress {
  readonly #log: CatchUpOptions['log']
  readonly #beganMs = monotonicTime.now()
  #first: readonly Outstanding[] | undefined
  #toldMs = Number.NEGATIVE_INFINITY

  constructor(log: CatchUpOptions['log']) {
    this.#log = log
  }

  tell(outstanding: readonly Outstanding[]): void {
    const now = monotonicTime.now()
    const ms = Math.round(now - this.#beganMs)
    if (outstanding.length === 0) {
      if (this.#first) this.#log.info({ ms }, 'indexes have caught up with changes made before the start')
      return
    }
    this.#first ??= outstanding
    if (now - this.#toldMs < PROGRESS_MS) return
    this.#toldMs = now
    const seconds_left = secondsLeft(this.#first, outstanding, ms)
    this.#log.info(
      { indexes: outstanding, ...(seconds_left !== undefined && { seconds_left }) },
      'indexes are catching up with changes made before the start',
    )
  }
}

/**
 * How long the slowest consumer will take at its speed so far; undefined while one has no known
 * speed.
 */
function secondsLeft(
  first: readonly Outstanding[],
  outstanding: readonly Outstanding[],
  ms: number,
): number | undefined {
  const all = outstanding.map(({ consumer, events, isBuilding, builtShare }) => {
    if (isBuilding) return builtShare ? (ms * (1 - builtShare)) / builtShare : undefined
    const before = first.find((one) => one.consumer === consumer)
    const done = before && !before.isBuilding ? before.events - events : 0
    return done > 0 ? (ms * events) / done : undefined
  })
  if (all.some((one) => one === undefined)) return undefined
  return Math.ceil(Math.max(...all.map((one) => one ?? 0)) / 1_000)
}
