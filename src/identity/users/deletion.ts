import { setImmediate as nextTurn } from 'node:timers/promises'
import { emit } from '../../platform/events/log.ts'
import type { Module } from '../../platform/module.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import {
  again,
  DONE,
  exponential,
  type TaskKind,
  type TaskType,
  taskType,
} from '../../platform/queue/task.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { moveCredentialEpoch } from '../apps/queries.ts'
import { lockUsers } from '../relations/queries.ts'
import { userDeleted } from './events.ts'
import { endSessionsOfUser, markUserDeleted, removeUser } from './queries.ts'

// A user is deleted at once: nobody finds the user any more, and no token is valid. Tasks then
// remove what belongs to the user, in small transactions, and at the end the row. They may be
// interrupted anywhere, and run again.

/**
 * Removes a few rows of one kind of a deleted user, like the action that removes one. Resolves to
 * false when none are left. It takes a few milliseconds at most: others write between two calls.
 */
export type UserRemoval = (tx: Transaction, user: string) => Promise<boolean>

/** What of a deleted user is removed, in this order. */
export interface UserRemovals {
  /** What others see. */
  readonly shown: readonly UserRemoval[]
  /** Rows that consumers of the events about their deletion may still read. */
  readonly rows: readonly UserRemoval[]
}

const ofUser = {
  owner: ({ user }: { user: string }) => user,
  subject: ({ user }: { user: string }) => user,
}

/** Removes what others see of a deleted user. */
const deleteUser = taskType<{ user: string }>('delete user', ofUser)

/** Removes the remaining rows of a deleted user, and the user. */
const removeRows = taskType<{ user: string }>('remove rows of user', ofUser)

/** By then, consumers have usually read the rows that events are about. */
const ROWS_AFTER_MS = 60_000
const TRANSACTIONS_OF_A_RUN = 100
const LEASE_MS = 600_000
const MAX_ATTEMPTS = 100
const FIRST_RETRY_MS = 60_000
const MAX_RETRY_MS = 3_600_000

/**
 * Deletes a user, on every node before its next request. Resolves to false if the user does not
 * exist. The row of the user must be locked.
 */
export async function markDeleted(tx: Transaction, id: string): Promise<boolean> {
  if ((await tx.run(markUserDeleted, { id, now: tx.now })) === 0) return false
  await tx.run(endSessionsOfUser, { userId: id })
  await tx.run(moveCredentialEpoch, {})
  await emit(tx, userDeleted, { user_id: id })
  await enqueue(tx, deleteUser.task({ user: id }))
  return true
}

/** Runs one removal that has work. Resolves to false when nothing is left. */
async function removeSome(tx: Transaction, user: string, removals: readonly UserRemoval[]): Promise<boolean> {
  for (const remove of removals) if (await remove(tx, user)) return true
  return false
}

const removal = (
  { store }: { store: Store },
  type: TaskType<{ user: string }>,
  removals: readonly UserRemoval[],
  finish: (tx: Transaction, user: string) => Promise<unknown>,
): TaskKind<{ user: string }> => ({
  type,
  leaseMs: LEASE_MS,
  maxAttempts: MAX_ATTEMPTS,
  backoff: exponential(FIRST_RETRY_MS, MAX_RETRY_MS),
  concurrency: 1,
  async run({ user }, { signal }) {
    for (let count = 0; count < TRANSACTIONS_OF_A_RUN; count++) {
      signal.throwIfAborted()
      if (!(await store.write((tx) => removeSome(tx, user, removals))))
        return async (tx) => {
          await finish(tx, user)
          return DONE
        }
      await nextTurn()
    }
    return async (tx) => again(tx.now)
  },
})

/**
 * Removes the row of a deleted user. Whoever was writing for the user has finished once the row is
 * locked, so that nothing can appear after the last look.
 */
async function removeLast(tx: Transaction, user: string, removals: readonly UserRemoval[]): Promise<boolean> {
  await tx.all(lockUsers, { ids: JSON.stringify([user]) })
  if (await removeSome(tx, user, removals)) return true
  await tx.run(removeUser, { id: user })
  return false
}

/** Removes what belongs to deleted users. */
export const deletionOfUsers = ({ shown, rows }: UserRemovals): Module<{ store: Store }> => ({
  tasks: (context) => [
    removal(context, deleteUser, shown, (tx, user) =>
      enqueue(tx, removeRows.task({ user }, tx.now + ROWS_AFTER_MS)),
    ),
    removal(
      context,
      removeRows,
      [...shown, ...rows, (tx, user) => removeLast(tx, user, [...shown, ...rows])],
      async () => undefined,
    ),
  ],
})
