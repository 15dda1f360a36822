import type { Logger } from 'pino'
import { afterError } from '../common/after-error.ts'
import type { Clock } from '../common/clock.ts'
import { WOKEN } from '../common/clock.ts'
import type { RandomSource } from '../common/random.ts'
import type { Store } from '../storage/store.ts'
import { StoreBusy, StoreUnavailable } from '../storage/store.ts'
import { channelOf, enqueue } from './enqueue.ts'
import { LeaseLost, Leases } from './leases.ts'
import { earliestDue, kindsOfTasks } from './queries.ts'
import type { TaskRow } from './tables.ts'
import type { Finish, Outcome, TaskKind } from './task.ts'
import { retry } from './task.ts'

/** Maximum number of tasks that one node runs at a time, of all kinds together. */
const MAX_RUNNING = 64
/** Tasks that one statement leases. */
const MAX_CLAIM = 16
/** Wake-ups are hints, and other nodes and the command line enqueue tasks too, so a node polls at this interval. */
const LOOK_MS = 10_000
/** When to look again for due tasks that other nodes, or tasks with the same keys, have blocked. */
const HELD_LOOK_MS = 1_000

export interface WorkerParts {
  store: Store
  clock: Clock
  random: RandomSource
  log: Logger
  /** Identifies the node, also after a restart. */
  holder: string
}

/** Runs tasks on one node. */
export interface Worker {
  /**
   * Runs all due tasks, of one kind or of all, and those that they enqueue, until none is due. Resolves to the number
   * of runs.
   * @throws Error The kind does not exist.
   */
  runDue(kind?: string): Promise<number>
  /**
   * Aborts the runs in progress and waits for them. Tasks whose runs did not complete return to the queue. Tasks still
   * running after `timeoutMs` keep their leases until these expire.
   */
  stop(timeoutMs: number): Promise<void>
}

/** The tasks of one kind on this node. */
interface Line {
  kind: TaskKind<object>
  running: Set<Promise<void>>
  /** When to look for due tasks again. */
  lookAt: number
  looking: Promise<void> | undefined
  /** Something may have become due since the current look began. */
  again: boolean
  /** Something may be due that there was no capacity for. */
  isFull: boolean
  /** Failed looks in a row. */
  failures: number
  /** Whether a look is scheduled after an error. */
  isPaused: boolean
}

/**
 * Starts a worker. If `background` is false, it only runs tasks in `runDue`.
 * @throws Error A kind is listed twice.
 */
export async function startWorker(
  kinds: readonly TaskKind<never>[],
  parts: WorkerParts,
  { background = true } = {},
): Promise<Worker> {
  const worker = new TaskWorker(kinds as readonly TaskKind<object>[], parts, background)
  await worker.start()
  return worker
}

class TaskWorker implements Worker {
  readonly #store: Store
  readonly #clock: Clock
  readonly #log: Logger
  readonly #leases: Leases
  readonly #lines: ReadonlyMap<string, Line>
  readonly #background: boolean
  readonly #stopping = new AbortController()
  readonly #listening: Disposable[] = []
  #waiting = new AbortController()
  #started = 0

  constructor(kinds: readonly TaskKind<object>[], parts: WorkerParts, background: boolean) {
    this.#store = parts.store
    this.#clock = parts.clock
    this.#log = parts.log
    this.#leases = new Leases(parts)
    this.#background = background
    const line = (kind: TaskKind<object>): [string, Line] => [
      kind.type.name,
      {
        ...{ kind, running: new Set(), lookAt: 0, looking: undefined, again: false, isFull: false },
        ...{ failures: 0, isPaused: false },
      },
    ]
    this.#lines = new Map(kinds.map(line))
    if (this.#lines.size < kinds.length) throw new Error('a task kind is given twice')
  }

  async start(): Promise<void> {
    const due = this.#clock.now()
    const schedules = [...this.#lines.values()].flatMap(({ kind: { type, everyMs } }) =>
      everyMs === undefined ? [] : [{ ...type.task({}, due + everyMs), subject: 'schedule' }],
    )
    if (schedules.length > 0) await this.#store.write((tx) => enqueue(tx, ...schedules))
    await this.#reportUnknown()
    if (!this.#background) return
    for (const [name, line] of this.#lines)
      this.#listening.push(this.#store.listen(channelOf(name), () => void this.#look(line)))
    for (const line of this.#lines.values()) void this.#look(line)
  }

  async runDue(kind?: string): Promise<number> {
    const lines = [...this.#lines.values()].filter(
      ({ kind: { type } }) => kind === undefined || type.name === kind,
    )
    if (lines.length === 0) throw new Error(`there is no task kind "${kind}"`)
    const before = this.#started
    for (let seen = -1; seen !== this.#started; ) {
      seen = this.#started
      await Promise.all(lines.map((line) => this.#look(line)))
      await Promise.all(lines.flatMap(({ running }) => [...running]))
    }
    return this.#started - before
  }

  async stop(timeoutMs: number): Promise<void> {
    for (const one of this.#listening.splice(0)) one[Symbol.dispose]()
    this.#waiting.abort()
    this.#stopping.abort(new Error('the node stops'))
    const lines = [...this.#lines.values()]
    const ended = Promise.all(lines.map(({ looking }) => looking)).then(() =>
      Promise.all(lines.flatMap(({ running }) => [...running])),
    )
    let timer: NodeJS.Timeout | undefined
    await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, timeoutMs)))])
    clearTimeout(timer)
  }

  /** A newer version, or a node that runs other kinds, enqueued them. They stay. */
  async #reportUnknown(): Promise<void> {
    const waiting = await this.#store.all(kindsOfTasks, {})
    const unknown = waiting.map(({ kind }) => kind).filter((kind) => !this.#lines.has(kind))
    if (unknown.length > 0)
      this.#log.warn({ kinds: unknown }, 'the queue has tasks of unknown kinds, which are not run')
  }

  /** Leases due tasks, within the capacity. A claim that is already in progress claims once more. */
  #look(line: Line): Promise<void> {
    line.again = true
    line.looking ??= this.#lookAgain(line).finally(() => {
      line.looking = undefined
      // It may have been requested in between.
      if (line.again && !this.#stopping.signal.aborted) void this.#look(line)
      else this.#wait()
    })
    return line.looking
  }

  async #lookAgain(line: Line): Promise<void> {
    while (line.again && !this.#stopping.signal.aborted) {
      line.again = false
      try {
        line.lookAt = await this.#claimDue(line)
        line.failures = 0
      } catch (error) {
        line.lookAt = this.#clock.now() + LOOK_MS
        if (this.#stopping.signal.aborted) return
        this.#log.error({ err: error, kind: line.kind.type.name }, 'due tasks could not be read')
        void this.#pause(line)
      }
    }
  }

  async #pause(line: Line): Promise<void> {
    if (!this.#background || line.isPaused) return
    line.isPaused = true
    const came = await afterError(line.failures++, this.#stopping.signal, { longestMs: LOOK_MS })
    line.isPaused = false
    if (came) await this.#look(line)
  }

  /** Resolves to the time of the next look. */
  async #claimDue(line: Line): Promise<number> {
    while (!this.#stopping.signal.aborted) {
      const capacity = this.#capacityFor(line)
      const now = this.#clock.now()
      line.isFull = capacity <= 0
      // A task that ends triggers another look.
      if (line.isFull) return now + LOOK_MS
      const first = await this.#store.first(earliestDue, { kind: line.kind.type.name })
      if (!first || first.due_at > now) return Math.min(first?.due_at ?? now + LOOK_MS, now + LOOK_MS)
      const rows = await this.#leases.claim(line.kind, Math.min(capacity, MAX_CLAIM))
      if (rows.length === 0) return now + HELD_LOOK_MS
      for (const row of rows) this.#start(line, row)
    }
    return Number.POSITIVE_INFINITY
  }

  #capacityFor({ kind, running }: Line): number {
    const all = [...this.#lines.values()].reduce((sum, one) => sum + one.running.size, 0)
    return Math.min(kind.concurrency - running.size, MAX_RUNNING - all)
  }

  /** Looks again when the first task becomes due. */
  #wait(): void {
    if (!this.#background || this.#stopping.signal.aborted) return
    this.#waiting.abort(WOKEN)
    this.#waiting = new AbortController()
    const { signal } = this.#waiting
    const at = Math.min(...[...this.#lines.values()].map(({ lookAt }) => lookAt))
    void this.#clock.at(at, signal).then((came) => {
      if (!came) return
      const now = this.#clock.now()
      for (const line of this.#lines.values()) if (line.lookAt <= now) void this.#look(line)
    })
  }

  #start(line: Line, row: TaskRow): void {
    this.#started++
    const running = this.#run(line.kind, row)
      .catch((error: unknown) => {
        // A task whose outcome could not be recorded runs again when its lease expires.
        this.#log.error(
          { err: error, kind: row.kind, task: row.id },
          'the outcome of a task could not be recorded',
        )
      })
      .finally(() => {
        line.running.delete(running)
        if (!this.#background) return
        // Looks for a task of its kind, or of another kind that waited for capacity.
        for (const one of this.#lines.values()) if (one === line || one.isFull) void this.#look(one)
      })
    line.running.add(running)
  }

  /** Runs a task until it no longer continues at once. */
  async #run(kind: TaskKind<object>, row: TaskRow): Promise<void> {
    if (row.attempts > kind.maxAttempts) {
      const ended = retry('its worker ended during the last attempt')
      await this.#end(kind, row, ended, this.#stopping.signal)
      return
    }
    for (let current: TaskRow | undefined = row; current; ) {
      const goesOn: number | undefined = await this.#attempt(kind, current)
      current = goesOn === undefined ? undefined : { ...current, attempts: 1, reason: null, due_at: goesOn }
    }
  }

  /** One run. Resolves to the expiry of the renewed lease if it continues at once. */
  async #attempt(kind: TaskKind<object>, row: TaskRow): Promise<number | undefined> {
    const over = new AbortController()
    const lost = new AbortController()
    void this.#clock.at(row.due_at, over.signal).then((came) => came && lost.abort(new LeaseLost(row)))
    const signal = AbortSignal.any([this.#stopping.signal, lost.signal])
    try {
      const ended = await kind.run(JSON.parse(row.payload), { attempt: row.attempts, signal })
      return await this.#end(kind, row, ended, signal)
    } catch (error) {
      if (error instanceof LeaseLost || lost.signal.aborted) {
        this.#log.warn({ kind: row.kind, task: row.id }, 'the lease of a task expired before the task ended')
        return undefined
      }
      if (this.#stopping.signal.aborted) {
        await this.#leases.giveBack(row)
        return undefined
      }
      return await this.#end(
        kind,
        row,
        kind.onError?.(JSON.parse(row.payload), error) ?? this.#failed(row, error),
        signal,
      )
    } finally {
      over.abort()
    }
  }

  #failed(row: TaskRow, error: unknown): Outcome {
    this.#log.error({ err: error, kind: row.kind, task: row.id, attempt: row.attempts }, 'a task failed')
    return retry(error instanceof Error ? error.message : String(error))
  }

  async #end(
    kind: TaskKind<object>,
    row: TaskRow,
    ended: Outcome | Finish,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const recorded = await this.#record(kind, row, ended, signal)
    if (recorded.kind === 'dead')
      this.#log.error(
        { kind: row.kind, task: row.id, reason: recorded.reason },
        'a task became a dead letter',
      )
    return recorded.kind === 'leased' ? recorded.until : undefined
  }

  /**
   * While the store is unavailable, recording is retried until `signal` is aborted: otherwise the task would run again.
   */
  async #record(kind: TaskKind<object>, row: TaskRow, ended: Outcome | Finish, signal: AbortSignal) {
    for (let failures = 0; ; ) {
      try {
        return await this.#leases.end(kind, row, ended, !this.#stopping.signal.aborted)
      } catch (error) {
        const mayPass = error instanceof StoreBusy || error instanceof StoreUnavailable
        if (!mayPass || !this.#background) throw error
        if (!(await afterError(failures++, signal, { longestMs: LOOK_MS }))) throw error
      }
    }
  }
}
