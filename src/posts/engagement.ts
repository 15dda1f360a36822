import { emit } from '../events/log.ts'
import type { IdSource } from '../common/ids.ts'
import type { Clock } from '../common/clock.ts'
import type { Transaction } from '../storage/store.ts'
import type { PostRow } from '../storage/tables.ts'
import { countLike, profilesByIds } from '../users/queries.ts'
import { countReferences } from './counts.ts'
import { postBookmarked, postLiked, postUnbookmarked, postUnliked } from './events.ts'
import { insertRepost } from './insert.ts'
import {
  addBookmark,
  addLike,
  countBookmark,
  countPostLike,
  removeBookmark,
  removeLike,
  repostBy,
} from './queries.ts'
import { deleteVersions } from './remove.ts'

/** What a user does with a post. The row of the user is locked, so that the actions of one user are serialized. */
export interface Reaction {
  tx: Transaction
  userId: string
  /** A post in production that is not a repost. */
  post: PostRow
}

const said = ({ userId, post }: Reaction) => ({
  user_id: userId,
  post_id: post.id,
  author_id: post.author_id,
})
const entry = ({ tx, userId, post }: Reaction) => ({ user_id: userId, post_id: post.id, created_at: tx.now })

// Repeating an action changes nothing.

export async function like(reaction: Reaction): Promise<void> {
  const { tx, userId, post } = reaction
  if ((await tx.run(addLike, entry(reaction))) === 0) return
  await tx.run(countPostLike, { id: post.id, by: 1 })
  await tx.run(countLike, { id: userId, by: 1 })
  await emit(tx, postLiked, said(reaction))
}

export async function unlike(reaction: Reaction): Promise<void> {
  const { tx, userId, post } = reaction
  if ((await tx.run(removeLike, { user_id: userId, post_id: post.id })) === 0) return
  await tx.run(countPostLike, { id: post.id, by: -1 })
  await tx.run(countLike, { id: userId, by: -1 })
  await emit(tx, postUnliked, said(reaction))
}

export async function bookmark(reaction: Reaction): Promise<void> {
  const { tx, post } = reaction
  if ((await tx.run(addBookmark, entry(reaction))) === 0) return
  await tx.run(countBookmark, { id: post.id, by: 1 })
  await emit(tx, postBookmarked, said(reaction))
}

export async function unbookmark(reaction: Reaction): Promise<void> {
  const { tx, userId, post } = reaction
  if ((await tx.run(removeBookmark, { user_id: userId, post_id: post.id })) === 0) return
  await tx.run(countBookmark, { id: post.id, by: -1 })
  await emit(tx, postUnbookmarked, said(reaction))
}

/** Resolves to the id of the repost. */
export async function repost(
  { tx, userId, post }: Reaction,
  { appId, ...parts }: { appId: string; clock: Clock; ids: IdSource },
): Promise<string> {
  const known = await tx.first(repostBy, { author: userId, post: post.id })
  if (known) return known.id
  const [author] = await tx.all(profilesByIds, { ids: JSON.stringify([post.author_id]) })
  const by = { authorId: userId, appId, contributorId: null, screenName: author?.screen_name ?? '' }
  const row = await insertRepost(tx, post, by, parts)
  await countReferences(tx, row, 1)
  return row.id
}

export async function undoRepost({ tx, userId, post }: Reaction): Promise<void> {
  const known = await tx.first(repostBy, { author: userId, post: post.id })
  if (known) await deleteVersions(tx, known)
}
