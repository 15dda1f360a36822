import type { Transaction } from '../storage/store.ts'

/** Something to be done later, as `enqueue` writes it. Made by a `TaskType`. */
export interface Task {
  readonly kind: string
  /** JSON. */
  readonly payload: string
  /** At most one task of a kind is queued for each subject. */
  readonly subject: string | null
  /** Of one kind, at most one task of each key runs at a time, on all nodes together. */
  readonly concurrencyKey: string | null
  /** When it may run, in epoch milliseconds; as soon as possible when absent. */
  readonly dueAt?: number
}

/** What those who enqueue know of a kind of task. Declared once, in a module. */
export interface TaskType<P extends object> {
  readonly name: string
  /** Whether its tasks have concurrency keys. */
  readonly isKeyed: boolean
  /** A task for `enqueue`. `dueAt` in epoch milliseconds; as soon as possible when absent. */
  task(payload: P, dueAt?: number): Task
}

const declared = new Set<string>()

export const isDeclared = (kind: string): boolean => declared.has(kind)

/**
 * Declares a kind of task.
 *
 * `subject`: enqueueing a task whose subject waits already makes no second one, but runs the first no later than the
 * second asked for; one that is running already runs once more. So the subject must say as much as the payload.
 *
 * `concurrencyKey`: tasks of one key never run at the same time.
 * @throws Error when the name is declared already
 */
export function taskType<P extends object>(
  name: string,
  { subject, concurrencyKey }: { subject?(payload: P): string; concurrencyKey?(payload: P): string } = {},
): TaskType<P> {
  if (declared.has(name)) throw new Error(`the task kind "${name}" is declared twice`)
  declared.add(name)
  return {
    name,
    isKeyed: concurrencyKey !== undefined,
    task: (payload, dueAt) => ({
      kind: name,
      payload: JSON.stringify(payload),
      subject: subject?.(payload) ?? null,
      concurrencyKey: concurrencyKey?.(payload) ?? null,
      ...(dueAt !== undefined && { dueAt }),
    }),
  }
}

/** How a run ended. */
export type Outcome =
  | { readonly kind: 'done' }
  /** It succeeded and continues at a time, or at once when that time has passed. Its attempts start again from zero. */
  | { readonly kind: 'again'; readonly at: number }
  /** It failed, and is tried again at a time or after the backoff of its kind, unless this was its last attempt. */
  | { readonly kind: 'retry'; readonly reason: string; readonly at?: number }
  /** It could not begin, and waits for a time: this was no attempt. */
  | { readonly kind: 'later'; readonly at: number }
  /** It cannot succeed: it is kept for the operator. */
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
 * The last step of a run: runs in the transaction that records the outcome, so that both happen or neither does. Not
 * even it happens when the lease ran out and another worker took the task over.
 */
export type Finish = (tx: Transaction) => Promise<Outcome>

/** What a run is given beside its payload. */
export interface Run {
  /** Counts from 1. */
  readonly attempt: number
  /** Aborted when the node stops, and when the lease runs out. */
  readonly signal: AbortSignal
}

/** What a node knows of a kind: how its tasks are run. */
export interface TaskKind<P extends object> {
  readonly type: TaskType<P>
  /** Longer than any run takes: after it, another worker takes the task over. */
  readonly leaseMs: number
  /** Runs that may fail before a task becomes a dead letter. A worker that died during a run counts as a failure. */
  readonly maxAttempts: number
  /** How long to wait after a number of failed attempts, in milliseconds; the queue takes up to half of it off. */
  backoff(failed: number): number
  /** Tasks of this kind that one node runs at a time; 0: this node runs none. */
  readonly concurrency: number
  /** One task, enqueued at start, that runs at this interval on one node. Its payload is empty. */
  readonly everyMs?: number
  /** Throwing, here or in the last step, is a failed attempt. */
  run(payload: P, run: Run): Promise<Outcome | Finish>
  /** What an error of a run leads to, in place of another attempt; undefined for errors that it does not concern. */
  onError?(payload: P, error: unknown): Finish | undefined
  /** Runs in the transaction that makes a task a dead letter. */
  onDeadLetter?(payload: P, tx: Transaction): Promise<void>
}

/** Doubles from a first to a longest wait. */
export const exponential =
  (firstMs: number, maxMs: number) =>
  (failed: number): number =>
    Math.min(maxMs, firstMs * 2 ** (failed - 1))

/** A kind that runs at an interval on one node, and is tried again after the same interval when it fails. */
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
