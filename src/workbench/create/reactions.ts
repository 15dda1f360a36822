import { bookmark, like, repost, unbookmark, undoRepost, unlike } from '../../domain/posts/engagement.ts'
import { type InsertRepostOptions, NO_APP } from '../../domain/posts/insert.ts'
import { lockPost, newestVersionsSeenBy, type SeenPostRow } from '../../domain/posts/queries.ts'
import { lockAuthor } from '../../identity/users/queries.ts'
import type { ProfileRow } from '../../identity/users/tables.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { thePost } from './posts.ts'
import { WrongValue } from './wrong.ts'

/** Reactions of a user to a post, as paths name them. */
export const REACTIONS = ['likes', 'bookmarks', 'reposts'] as const
export type ReactionName = (typeof REACTIONS)[number]

export interface ReactingUser {
  readonly user: ProfileRow
  /** Any version. A repost stands for its original. */
  readonly postId: string
}

/**
 * Likes, bookmarks or reposts a post, now. Repeating it changes nothing. Resolves to the id of a
 * repost.
 * @throws WrongValue Others cannot repost the posts of protected users.
 * @throws NotThere
 */
export async function react(
  tx: Transaction,
  name: ReactionName,
  { user, postId }: ReactingUser,
  parts: InsertRepostOptions,
): Promise<string | undefined> {
  const post = await lockedPost(tx, user, postId)
  const reaction = { tx, userId: user.id, post }
  if (name === 'likes') await like(reaction)
  if (name === 'bookmarks') await bookmark(reaction)
  if (name !== 'reposts') return undefined
  if (post.author_protected === 1 && post.author_id !== user.id)
    throw new WrongValue('post_id', postId, 'Only the author can repost a post of a protected user.')
  return repost(reaction, { appId: NO_APP, ...parts })
}

/** Takes a reaction back. Repeating it changes nothing. */
export async function takeBack(
  tx: Transaction,
  name: ReactionName,
  { user, postId }: ReactingUser,
): Promise<void> {
  const undo = { likes: unlike, bookmarks: unbookmark, reposts: undoRepost }[name]
  await undo({ tx, userId: user.id, post: await lockedPost(tx, user, postId) })
}

/** The newest version of the post, locked. */
async function lockedPost(tx: Transaction, user: ProfileRow, postId: string): Promise<SeenPostRow> {
  await tx.first(lockAuthor, { id: user.id })
  const named = await thePost(tx, postId)
  const first = await tx.first(lockPost, { id: named.reposted_post_id ?? named.id })
  const ids = JSON.stringify(first ? [first.id] : [])
  return (await tx.first(newestVersionsSeenBy, { ids, viewer: user.id })) ?? thePost(tx, postId)
}
