import type { Transaction } from '../storage/store.ts'
import { addTasks } from './queries.ts'
import { isDeclared, type Task } from './task.ts'

/** Maximum size of a payload, as JSON. Store larger data in a table, and its id in the payload. */
const MAX_PAYLOAD_BYTES = 16 * 1024

/** A task of an undeclared kind: a bug in the program. */
export class UnknownTaskKind extends Error {
  override readonly name = 'UnknownTaskKind'
  constructor(kind: string) {
    super(`there is no task kind "${kind}"`)
  }
}

/** The channel that wakes the workers of a kind. */
export const channelOf = (kind: string) => `tasks: ${kind}`

/**
 * Enqueues tasks in the transaction of the change that causes them. They run if it commits. Call it
 * after the other statements, so that a task's row is locked only briefly.
 * @throws UnknownTaskKind
 */
export async function enqueue(tx: Transaction, ...tasks: readonly Task[]): Promise<void> {
  const rows = new Map<unknown, { due_at: number }>()
  for (const task of tasks) {
    const { kind, subject, owner, concurrencyKey: concurrency_key, payload, dueAt: due_at = tx.now } = task
    if (!isDeclared(kind)) throw new UnknownTaskKind(kind)
    if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES)
      throw new Error(`the payload of a task "${kind}" has more than ${MAX_PAYLOAD_BYTES} bytes`)
    const row = { kind, subject, owner, concurrency_key, payload, due_at }
    // One statement must not change a row twice.
    const key = subject === null ? task : `${kind} ${subject}`
    rows.set(key, { ...row, due_at: Math.min(due_at, rows.get(key)?.due_at ?? due_at) })
    tx.notify(channelOf(kind))
  }
  if (rows.size > 0) await tx.run(addTasks, { tasks: JSON.stringify([...rows.values()]), now: tx.now })
}
