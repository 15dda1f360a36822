import type { Logger } from 'pino'
import { afterError } from '../common/after-error.ts'
import type { Clock } from '../common/clock.ts'
import { Loop, POLL_MS, WHEN_WOKEN } from '../common/loop.ts'
import type { RandomSource } from '../common/random.ts'
import { SharedRun } from '../common/shared-run.ts'
import { type Store, StoreBusy, StoreUnavailable } from '../storage/store.ts'
import { channelOf, enqueue } from './enqueue.ts'
import { LeaseLost, Leases } from './leases.ts'
import { earliestDue, kindsOfTasks } from './queries.ts'
import type { TaskRow } from './tables.ts'
import { type Finish, type Outcome, retry, type TaskKind } from './task.ts'

/** Maximum number of tasks that one node runs at a time, of all kinds together. */
const MAX_RUNNING = 64
/** Tasks that one statement leases. */
const MAX_CLAIM = 16
/** After an error of the store, tasks are claimed and outcomes recorded again within this time. */
const PAUSES = { longestMs: POLL_MS.announced }

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
   * Runs all due tasks, of one kind or of all, and those that they enqueue, until none is due.
   * Resolves to the number of runs.
   * @throws Error The kind does not exist.
   */
  runDue(kind?: string): Promise<number>
  /**
   * Aborts the runs in progress and waits for them. Tasks whose runs did not complete return to the
   * queue. Tasks still running after `timeoutMs` keep their leases until these expire.
   */
  stop(timeoutMs: number): Promise<void>
}

/** The tasks of one kind on this node. */
interface Line {
  readonly kind: TaskKind<object>
  readonly running: Set<Promise<void>>
  /** Leases due tasks, within the capacity, and runs them. Resolves to the time to look again. */
  readonly claiming: SharedRun<number>
  readonly loop: Loop
  /** Something may be due that there was no capacity for. */
  isFull: boolean
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
  #started = 0

  constructor(kinds: readonly TaskKind<object>[], parts: WorkerParts, background: boolean) {
    this.#store = parts.store
    this.#clock = parts.clock
    this.#log = parts.log
    this.#leases = new Leases(parts)
    this.#background = background
    this.#lines = new Map(kinds.map((kind) => [kind.type.name, this.#lineOf(kind)]))
    if (this.#lines.size < kinds.length) throw new Error('a task kind is given twice')
  }

  #lineOf(kind: TaskKind<object>): Line {
    const { name } = kind.type
    const line: Line = {
      ...{ kind, running: new Set(), isFull: false },
      claiming: new SharedRun(() => this.#claimDue(line)),
      loop: new Loop({
        clock: this.#clock,
        wakeUps: (wake) => this.#store.listen(channelOf(name), wake),
        round: () => line.claiming.run(),
        onError: (error) => this.#claimFailed(line, error),
        pauses: PAUSES,
      }),
    }
    return line
  }

  async start(): Promise<void> {
    const due = this.#clock.now()
    const schedules = [...this.#lines.values()].flatMap(({ kind: { type, everyMs } }) =>
      everyMs === undefined ? [] : [{ ...type.task({}, due + everyMs), subject: 'schedule' }],
    )
    if (schedules.length > 0) await this.#store.write((tx) => enqueue(tx, ...schedules))
    await this.#reportUnknown()
    if (!this.#background) return
    for (const { loop } of this.#lines.values()) loop.start()
  }

  async runDue(kind?: string): Promise<number> {
    const lines = [...this.#lines.values()].filter(
      ({ kind: { type } }) => kind === undefined || type.name === kind,
    )
    if (lines.length === 0) throw new Error(`there is no task kind "${kind}"`)
    const before = this.#started
    for (let seen = -1; seen !== this.#started; ) {
      seen = this.#started
      await Promise.all(
        lines.map((line) => line.claiming.run().catch((error: unknown) => this.#claimFailed(line, error))),
      )
      await Promise.all(lines.flatMap(({ running }) => [...running]))
    }
    return this.#started - before
  }

  async stop(timeoutMs: number): Promise<void> {
    this.#stopping.abort(new Error('the node stops'))
    const ended = Promise.all(
      [...this.#lines.values()].map(async ({ loop, claiming, running }) => {
        await loop.stop()
        // Claims nothing more, and waits for a claim in progress.
        await claiming.run()
        await Promise.all(running)
      }),
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

  #claimFailed({ kind }: Line, error: unknown): void {
    if (!this.#stopping.signal.aborted)
      this.#log.error({ err: error, kind: kind.type.name }, 'due tasks could not be read')
  }

  /** Resolves to the time of the next look. */
  async #claimDue(line: Line): Promise<number> {
    while (!this.#stopping.signal.aborted) {
      const capacity = this.#capacityFor(line)
      const now = this.#clock.now()
      line.isFull = capacity <= 0
      // A task that ends triggers another look.
      const pollAt = now + POLL_MS.announced
      if (line.isFull) return pollAt
      const first = await this.#store.first(earliestDue, { kind: line.kind.type.name })
      if (!first || first.due_at > now) return Math.min(first?.due_at ?? pollAt, pollAt)
      const rows = await this.#leases.claim(line.kind, Math.min(capacity, MAX_CLAIM))
      // Other nodes, or tasks with the same keys, block those that are due.
      if (rows.length === 0) return now + POLL_MS.watched
      for (const row of rows) this.#start(line, row)
    }
    return WHEN_WOKEN
  }

  #capacityFor({ kind, running }: Line): number {
    const all = [...this.#lines.values()].reduce((sum, line) => sum + line.running.size, 0)
    return Math.min(kind.concurrency - running.size, MAX_RUNNING - all)
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
        // There may be a task of its kind, or of another kind that waited for capacity.
        for (const other of this.#lines.values()) if (other === line || other.isFull) other.loop.wake()
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
   * While the store is unavailable, recording is retried until `signal` is aborted: otherwise the
   * task would run again.
   */
  async #record(kind: TaskKind<object>, row: TaskRow, ended: Outcome | Finish, signal: AbortSignal) {
    for (let failures = 0; ; ) {
      try {
        return await this.#leases.end(kind, row, ended, !this.#stopping.signal.aborted)
      } catch (error) {
        const mayPass = error instanceof StoreBusy || error instanceof StoreUnavailable
        if (!mayPass || !this.#background) throw error
        if (!(await afterError(failures++, signal, PAUSES))) throw error
      }
    }
  }
}
