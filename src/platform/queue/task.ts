import type { Transaction } from '../storage/store.ts'

/** Work to be done later, as passed to `enqueue`. Created by a `TaskType`. */
export interface Task {
  readonly kind: string
  /** JSON. */
  readonly payload: string
  /** At most one task of a kind is queued for each subject. */
  readonly subject: string | null
  /** Whose work it is: owners take turns. Empty: nobody's in particular. */
  readonly owner: string
  /** At most one task of a kind runs at a time for each key, across all nodes. */
  readonly concurrencyKey: string | null
  /** When it may run, in epoch milliseconds; by default, as soon as possible. */
  readonly dueAt?: number
}

/** What is needed to enqueue a kind of task. Declared once, in a module. */
export interface TaskType<P extends object> {
  readonly name: string
  /** Whether its tasks have concurrency keys. */
  readonly isKeyed: boolean
  /** A task for `enqueue`. `dueAt` is in epoch milliseconds; by default, as soon as possible. */
  task(payload: P, dueAt?: number): Task
}

const declared = new Set<string>()

export const isDeclared = (kind: string): boolean => declared.has(kind)

/** The names of all kinds whose modules were loaded. */
export const declaredKinds = (): string[] => [...declared].sort()

export interface TaskOptions<P> {
  /**
   * Whose work a task is: the user, app or account that caused it. Due tasks of one kind run in
   * turns, one of each owner, so that no owner keeps the others waiting. Null if the tasks are
   * nobody's in particular.
   */
  readonly owner: ((payload: P) => string) | null
  /**
   * Enqueueing a task whose subject is already queued does not add a second task. A waiting task
   * becomes due at the earlier of both times; a running one runs once more. So the subject must
   * determine the payload.
   */
  readonly subject?: (payload: P) => string
  /** Tasks with one key never run at the same time. */
  readonly concurrencyKey?: (payload: P) => string
}

/** Tasks without a payload belong to nobody. */
type GivenOptions<P> = keyof P extends never ? [] : [TaskOptions<P>]

/**
 * Declares a kind of task.
 * @throws Error The name is already declared.
 */
export function taskType<P extends object>(name: string, ...given: GivenOptions<P>): TaskType<P> {
  if (declared.has(name)) throw new Error(`the task kind "${name}" is declared twice`)
  declared.add(name)
  const [options] = given
  return {
    name,
    isKeyed: options?.concurrencyKey !== undefined,
    task: (payload, dueAt) => ({
      kind: name,
      payload: JSON.stringify(payload),
      subject: options?.subject?.(payload) ?? null,
      owner: options?.owner?.(payload) ?? '',
      concurrencyKey: options?.concurrencyKey?.(payload) ?? null,
      ...(dueAt !== undefined && { dueAt }),
    }),
  }
}

/** The outcome of a run. */
export type Outcome =
  | { readonly kind: 'done' }
  /**
   * It succeeded and continues at a time. If that time has passed, it continues at once, unless
   * other tasks of its kind are due: then it waits for its turn. Its number of attempts is reset.
   */
  | { readonly kind: 'again'; readonly at: number }
  /**
   * It failed, and is retried at a time, or after the backoff of its kind, unless this was its last
   * attempt.
   */
  | { readonly kind: 'retry'; readonly reason: string; readonly at?: number }
  /** It could not begin, and waits until a time. This does not count as an attempt. */
  | { readonly kind: 'later'; readonly at: number }
  /** It cannot succeed. It is kept as a dead letter for the operator. */
  | { readonly kind: 'dead'; readonly reason: string }

export const DONE: Outcome = { kind: 'done' }
export const again = (at: number): Outcome => ({ kind: 'again', at })
export const retry = (reason: string, at?: number): Outcome => ({
  kind: 'retry',
  reason,
  ...(at !== undefined && { at }),
})
export const later = (at: number): Outcome => ({ kind: 'later', at })
export const dead = (reason: string): Outcome => ({ kind: 'dead', reason })

/**
 * The last step of a run. It runs in the transaction that records the outcome, so that both happen
 * or neither does. If the lease expired and another worker took over, it has no effect.
 */
export type Finish = (tx: Transaction) => Promise<Outcome>

/** What a run receives besides its payload. */
export interface Run {
  /** Counts from 1. */
  readonly attempt: number
  /** Aborted when the node stops, or when the lease expires. */
  readonly signal: AbortSignal
}

/** How a node runs the tasks of a kind. */
export interface TaskKind<P extends object> {
  readonly type: TaskType<P>
  /** Longer than any run takes. Afterwards, another worker takes the task over. */
  readonly leaseMs: number
  /**
   * Maximum number of failed runs, after which a task becomes a dead letter. A worker that dies
   * during a run counts as a failure.
   */
  readonly maxAttempts: number
  /**
   * The wait after a number of failed attempts, in milliseconds. The queue shortens it by up to
   * half.
   */
  backoff(failed: number): number
  /**
   * Maximum number of tasks of this kind that run on one node at a time. 0: this node runs none.
   */
  readonly concurrency: number
  /**
   * The interval of a task that is enqueued at the start and runs repeatedly, on one node. Its
   * payload is empty.
   */
  readonly everyMs?: number
  /** An error, here or in the last step, is a failed attempt. */
  run(payload: P, run: Run): Promise<Outcome | Finish>
  /**
   * The outcome of a run that throws an error, instead of another attempt; undefined for errors
   * that it does not handle.
   */
  onError?(payload: P, error: unknown): Finish | undefined
  /** Runs in the transaction that makes a task a dead letter. */
  onDeadLetter?(payload: P, tx: Transaction): Promise<void>
}

/** A backoff that doubles from a first to a longest wait. */
export const exponential =
  (firstMs: number, maxMs: number) =>
  (failed: number): number =>
    Math.min(maxMs, firstMs * 2 ** (failed - 1))

/**
 * A kind that runs at an interval on one node. After a failure, it is retried after the same
 * interval.
 */
export const schedule = (
  type: TaskType<Record<never, never>>,
  { everyMs, leaseMs, run }: { everyMs: number; leaseMs: number; run(signal: AbortSignal): Promise<unknown> },
  clock: { now(): number },
): TaskKind<Record<never, never>> => ({
  type,
  leaseMs,
  everyMs,
  maxAttempts: Number.POSITIVE_INFINITY,
  backoff: () => everyMs,
  concurrency: 1,
  async run(_, { signal }) {
    await run(signal)
    return again(clock.now() + everyMs)
  },
})
