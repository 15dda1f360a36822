import { setImmediate as nextTurn } from 'node:timers/promises'
import { lockUsers } from '../../identity/relations/queries.ts'
import { countLikesOfMany } from '../../identity/users/queries.ts'
import { again, DONE, exponential, type TaskKind } from '../../platform/queue/task.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { removePostHours, removePostTotals } from '../analytics/queries.ts'
import { removeFromFolders } from '../bookmark-folders/queries.ts'
import { bookmarksOfPost, likesOfPost, removeBookmarks, removeLikes, repostsOfPost } from './queries.ts'
import { deleteVersions, removeReactions } from './remove.ts'

// A post may have any number of reactions. They are removed in small transactions, between which
// others write.

/** Likes, bookmarks or hours of one transaction. */
const ROWS_AT_ONCE = 200
/** Reposts of one transaction: each is a deleted post, with its event. */
const REPOSTS_AT_ONCE = 20
const TRANSACTIONS_OF_A_RUN = 100
const LEASE_MS = 600_000
const MAX_ATTEMPTS = 100
const FIRST_RETRY_MS = 60_000
const MAX_RETRY_MS = 3_600_000

/** Removes the reactions to deleted posts, and what was counted of them. */
export const reactionRemoval = ({ store }: { store: Store }): TaskKind<{ post: string; author: string }> => ({
  type: removeReactions,
  leaseMs: LEASE_MS,
  maxAttempts: MAX_ATTEMPTS,
  backoff: exponential(FIRST_RETRY_MS, MAX_RETRY_MS),
  concurrency: 1,
  async run({ post }, { signal }) {
    for (let count = 0; count < TRANSACTIONS_OF_A_RUN; count++) {
      signal.throwIfAborted()
      if (!(await store.write((tx) => removeSome(tx, post)))) return DONE
      await nextTurn()
    }
    return async (tx) => again(tx.now)
  },
})

/** Removes some of the reactions to a post. Resolves to whether there may be more. */
export async function removeSome(tx: Transaction, post: string): Promise<boolean> {
  for (const step of [removeSomeReposts, removeSomeLikes, removeSomeBookmarks, removeSomeHours])
    if ((await step(tx, post)) > 0) return true
  return false
}

/**
 * The users, locked in the order in which every transaction locks them. Their actions wait until it
 * ends.
 */
const lock = (tx: Transaction, users: readonly string[]) =>
  tx.all(lockUsers, { ids: JSON.stringify([...new Set(users)]) })

async function removeSomeReposts(tx: Transaction, post: string): Promise<number> {
  const found = await tx.all(repostsOfPost, { first: post, limit: REPOSTS_AT_ONCE })
  if (found.length === 0) return 0
  await lock(
    tx,
    found.map(({ author_id }) => author_id),
  )
  // The author of one of them may have removed it meanwhile.
  const left = await tx.all(repostsOfPost, { first: post, limit: REPOSTS_AT_ONCE })
  const known = new Set(found.map(({ id }) => id))
  for (const row of left) if (known.has(row.id)) await deleteVersions(tx, row)
  return found.length
}

async function removeSomeLikes(tx: Transaction, post: string): Promise<number> {
  const users = (await tx.all(likesOfPost, { post, limit: ROWS_AT_ONCE })).map(({ user_id }) => user_id)
  if (users.length === 0) return 0
  await lock(tx, users)
  const removed = await tx.all(removeLikes, { post, users: JSON.stringify(users) })
  const ids = JSON.stringify(removed.map(({ user_id }) => user_id))
  await tx.run(countLikesOfMany, { ids, by: -1 })
  return users.length
}

async function removeSomeBookmarks(tx: Transaction, post: string): Promise<number> {
  const found = await tx.all(bookmarksOfPost, { post, limit: ROWS_AT_ONCE })
  const users = JSON.stringify(found.map(({ user_id }) => user_id))
  if (found.length === 0) return 0
  await tx.run(removeBookmarks, { post, users })
  await tx.run(removeFromFolders, { post, users })
  return found.length
}

async function removeSomeHours(tx: Transaction, post: string): Promise<number> {
  await tx.run(removePostTotals, { post })
  return tx.run(removePostHours, { post, limit: ROWS_AT_ONCE })
}
