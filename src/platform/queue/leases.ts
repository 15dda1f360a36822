import { beginningOf } from '../common/cut-text.ts'
import type { RandomSource } from '../common/random.ts'
import { type Store, type Transaction, UniqueViolation } from '../storage/store.ts'
import {
  buryTask,
  claimKeyedTasks,
  claimSubject,
  claimTasks,
  continueTask,
  earliestDue,
  freeTasks,
  giveTurns,
  type Lease,
  postponeTask,
  removeDone,
  rerunTask,
  retryTask,
} from './queries.ts'
import type { TaskRow } from './tables.ts'
import type { Finish, Outcome, TaskKind } from './task.ts'

/** Due tasks that one transaction gives their turns. */
const TURNS_AT_ONCE = 500
/** How many due tasks are examined to find one whose concurrency key is free. */
const KEYED_WINDOW = 1_000
const MAX_REASON_LENGTH = 1_000

/** The lease of a task expired and another worker took it over: the outcome is not recorded. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
  constructor({ id, kind }: Pick<TaskRow, 'id' | 'kind'>) {
    super(`the lease of task ${id}, "${kind}", ran out`)
  }
}

/** The recorded outcome of a run. */
export type Recorded =
  | { kind: 'done' | 'waiting' }
  | { kind: 'dead'; reason: string }
  /** The task continues at once, with a renewed lease. */
  | { kind: 'leased'; until: number }

/** A leased task, to be run at once. */
export interface Leased {
  /**
   * Records the outcome.
   * @throws LeaseLost when the lease has expired
   */
  end(ended: Outcome | Finish): Promise<void>
}

interface LeasesParts {
  readonly store: Store
  readonly clock: { now(): number }
  readonly random: RandomSource
  /** Identifies the node, also after a restart. */
  readonly holder: string
}

/** Whether a task of a kind is due that is not running. */
async function isAnyDue(tx: Transaction, { type }: TaskKind<object>, now: number): Promise<boolean> {
  const first = await tx.first(earliestDue, { kind: type.name })
  return first !== undefined && first.due_at <= now
}

/** Leases of tasks, and their outcomes. */
export class Leases {
  readonly #store: Store
  readonly #clock: { now(): number }
  readonly #random: RandomSource
  readonly #holder: string

  constructor({ store, clock, random, holder }: LeasesParts) {
    this.#store = store
    this.#clock = clock
    this.#random = random
    this.#holder = holder
  }

  /**
   * Frees what an earlier process of this node had leased, so that it need not wait for the leases
   * to expire. Call it before this process leases anything.
   */
  async freeOwn(): Promise<void> {
    await this.#store.write((tx) => tx.run(freeTasks, { holder: this.#holder, now: this.#clock.now() }))
  }

  /** Leases up to `limit` tasks that are due: those of each owner in turn. */
  async claim({ type, leaseMs }: TaskKind<object>, limit: number): Promise<TaskRow[]> {
    const now = this.#clock.now()
    const due = { kind: type.name, now }
    const claim = { ...due, until: now + leaseMs, limit, holder: this.#holder }
    for (;;) {
      const claimed = await this.#store
        .write(async (tx) => {
          // All due tasks get turns first: otherwise those of an owner with many would keep others
          // from getting one.
          if ((await tx.run(giveTurns, { ...due, limit: TURNS_AT_ONCE })) === TURNS_AT_ONCE) return undefined
          if (!type.isKeyed) return tx.all(claimTasks, claim)
          return tx.all(claimKeyedTasks, { ...claim, window: KEYED_WINDOW })
        })
        .catch((error: unknown) => {
          // Another node has leased a task with the same key at the same time.
          if (type.isKeyed && error instanceof UniqueViolation) return []
          throw error
        })
      if (claimed) return claimed
    }
  }

  /**
   * Leases the task of a subject to run it at once, whether it is due or not. Undefined if there is
   * none, or if it is running, here or on another node.
   */
  async lease<P extends object>(kind: TaskKind<P>, subject: string): Promise<Leased | undefined> {
    const now = this.#clock.now()
    const claim = { kind: kind.type.name, subject, now, until: now + kind.leaseMs, holder: this.#holder }
    const row = await this.#store.write((tx) => tx.first(claimSubject, claim))
    return row && { end: async (ended) => void (await this.end(kind as TaskKind<object>, row, ended, false)) }
  }

  /**
   * Runs the last step of a task and records its outcome.
   * @throws LeaseLost, or whatever the last step throws. Then nothing is recorded.
   */
  end(kind: TaskKind<object>, row: TaskRow, ended: Outcome | Finish, mayGoOn: boolean): Promise<Recorded> {
    const backoffMs = this.#jittered(kind.backoff(row.attempts))
    return this.#store.write(async (tx) => {
      const outcome = typeof ended === 'function' ? await ended(tx) : ended
      const recorded = await this.#record(tx, { kind, row, outcome, mayGoOn, backoffMs })
      if (!recorded) throw new LeaseLost(row)
      return recorded
    })
  }

  /** Returns an unfinished task to the queue, because its node stops. */
  async giveBack(row: TaskRow): Promise<void> {
    const attempts = Math.max(0, row.attempts - 1)
    const back = { id: row.id, fence: row.fence, dueAt: this.#clock.now(), attempts, reason: row.reason }
    await this.#store.write((tx) => tx.run(retryTask, back))
  }

  /** Undefined when the lease is lost. */
  async #record(
    tx: Transaction,
    { kind, row, outcome, mayGoOn, backoffMs }: Recording,
  ): Promise<Recorded | undefined> {
    const lease: Lease = { id: row.id, fence: row.fence }
    const now = this.#clock.now()
    switch (outcome.kind) {
      case 'done': {
        if ((await tx.run(removeDone, lease)) > 0) return { kind: 'done' }
        return (await tx.run(rerunTask, lease)) > 0 ? { kind: 'waiting' } : undefined
      }
      case 'again': {
        const until = now + kind.leaseMs
        if (mayGoOn && outcome.at <= now && !(await isAnyDue(tx, kind, now)))
          return (await tx.run(continueTask, { ...lease, until })) > 0 ? { kind: 'leased', until } : undefined
        return (await tx.run(postponeTask, { ...lease, dueAt: outcome.at })) > 0
          ? { kind: 'waiting' }
          : undefined
      }
      case 'retry': {
        const { reason } = outcome
        if (row.attempts >= kind.maxAttempts) return this.#bury(tx, { kind, row, reason })
        const dueAt = outcome.at ?? now + backoffMs
        const again = {
          ...lease,
          dueAt,
          attempts: row.attempts,
          reason: beginningOf(reason, MAX_REASON_LENGTH),
        }
        return (await tx.run(retryTask, again)) > 0 ? { kind: 'waiting' } : undefined
      }
      case 'later': {
        const back = { ...lease, dueAt: outcome.at, attempts: row.attempts - 1, reason: row.reason }
        return (await tx.run(retryTask, back)) > 0 ? { kind: 'waiting' } : undefined
      }
      case 'dead':
        return this.#bury(tx, { kind, row, reason: outcome.reason })
    }
  }

  async #bury(
    tx: Transaction,
    { kind, row, reason }: { kind: TaskKind<object>; row: TaskRow; reason: string },
  ): Promise<Recorded | undefined> {
    const lease: Lease = { id: row.id, fence: row.fence }
    // Something changed while it ran, so it may succeed now.
    if ((await tx.run(rerunTask, lease)) > 0) return { kind: 'waiting' }
    await kind.onDeadLetter?.(JSON.parse(row.payload), tx)
    const short = beginningOf(reason, MAX_REASON_LENGTH)
    const buried = await tx.run(buryTask, { ...lease, now: this.#clock.now(), reason: short })
    return buried > 0 ? { kind: 'dead', reason } : undefined
  }

  /**
   * Random jitter between half and all of it, so that tasks that failed together are not retried
   * together.
   */
  #jittered = (ms: number) => Math.ceil(ms * (0.5 + this.#random.bytes(4).readUInt32LE() / 2 ** 33))
}

interface Recording {
  kind: TaskKind<object>
  row: TaskRow
  outcome: Outcome
  mayGoOn: boolean
  /** The wait before a retry. */
  backoffMs: number
}
