import { enqueue } from '../../platform/queue/enqueue.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import type { PostRow } from '../posts/tables.ts'
import { UNUSED_MEDIUM_MS, useFiles } from './media.ts'
import {
  addPastMedia,
  addPastUses,
  addUses,
  holdMedia,
  lockMediaMany,
  markPosted,
  mediaOfAccount,
  releaseMedia,
  removeUses,
  removeUsesOfAccount,
  renewSources,
  usesOf,
} from './queries.ts'
import { releaseAccountMedia } from './tasks.ts'
import { rowOfWhole, type WholeFile } from './uploads.ts'

// The uses of media. A medium in use does not expire. A medium that is no longer used expires,
// unless it is used again in time. An expired medium does not count towards the quota.

/** A row of an account, or of a user, that references media. */
export interface MediaHolder {
  account: string
  table: string
  id: string
}

/** The user of media in posts and messages: no account of the advertising API has this id. */
export const accountOfUser = (userId: string): string => `user:${userId}`

/** A post that shows media, by the ids of its author, of its first version and of the version. */
interface PostWithMedia {
  author_id: string
  first_version_id: string
  id: string
}

const rowOfPost = ({ author_id, first_version_id }: Omit<PostWithMedia, 'id'>) => ({
  ...{ account_id: accountOfUser(author_id), holder: 'posts', holder_id: first_version_id },
})

/**
 * Keeps the media that a version of a post shows, as long as the post exists. They must be locked.
 */
export async function showInPost(tx: Transaction, post: PostWithMedia, media: readonly { id: string }[]) {
  if (media.length === 0) return
  const ids = JSON.stringify(media.map(({ id }) => id))
  await tx.run(addUses, { ...rowOfPost(post), ids })
  await tx.run(markPosted, { ids, post: post.id })
}

/** A medium that a past post shows, whose file is stored. */
export interface PastMedium {
  readonly id: string
  readonly file: WholeFile
  readonly altText: string
  readonly post: Pick<PostRow, 'id' | 'author_id' | 'first_version_id' | 'created_at'>
}

/** Adds media of past posts, whatever the quotas of their authors. */
export async function showPastMedia(tx: Transaction, media: readonly PastMedium[]): Promise<void> {
  const rows = media.map(({ id, file, altText, post }) => ({
    ...rowOfWhole(file, { id, userId: post.author_id, altText, now: post.created_at }),
    ...{ posted: 1 as const, source_post_id: post.id, expires_at: null },
  }))
  await addPastMedia(tx, rows)
  await addPastUses(
    tx,
    media.map(({ id, post }) => ({ ...rowOfPost(post), media_id: id })),
  )
  await useFiles(tx, new Set(media.map(({ file }) => file.columns.hash)), tx.now)
}

/**
 * Removes the uses of media by a post that is deleted. Media that nothing else uses expire at once,
 * so that nobody sees them any more.
 */
export async function releaseMediaOfPost(tx: Transaction, post: Omit<PostWithMedia, 'id'>): Promise<void> {
  const referencing = rowOfPost(post)
  const used = await tx.all(usesOf, referencing)
  if (used.length === 0) return
  const ids = JSON.stringify(used.map(({ media_id }) => media_id))
  await tx.all(lockMediaMany, { ids })
  await tx.run(removeUses, { ...referencing, ids })
  await tx.run(renewSources, { ids })
  await tx.run(releaseMedia, { ids, expiresAt: tx.now })
}

/**
 * Replaces the media that a row uses. A row that existed before must be locked. Resolves to the ids
 * of media that no longer exist: the caller must then roll back.
 */
export async function useMedia(
  { account, table, id }: MediaHolder,
  ids: readonly string[],
  { tx, now }: { tx: Transaction; now: number },
): Promise<string[]> {
  const referencing = { account_id: account, holder: table, holder_id: id }
  const former = (await tx.all(usesOf, referencing)).map(({ media_id }) => media_id)
  const released = former.filter((mediaId) => !ids.includes(mediaId))
  if (former.length === 0 && ids.length === 0) return []
  // Locked first, so that of two concurrent releases of a medium, the second sees that it is the
  // last.
  const existing = await tx.all(lockMediaMany, { ids: JSON.stringify([...new Set([...former, ...ids])]) })
  const missing = ids.filter((mediaId) => !existing.some((row) => row.id === mediaId))
  if (missing.length > 0) return missing
  if (ids.length > 0) {
    await tx.run(holdMedia, { ids: JSON.stringify(ids) })
    await tx.run(addUses, { ...referencing, ids: JSON.stringify(ids) })
  }
  if (released.length > 0) {
    await tx.run(removeUses, { ...referencing, ids: JSON.stringify(released) })
    await tx.run(releaseMedia, { ids: JSON.stringify(released), expiresAt: now + UNUSED_MEDIUM_MS })
  }
  return []
}

/** Removes all uses of media by a row. */
export const releaseMediaOfRow = async (
  row: MediaHolder,
  work: { tx: Transaction; now: number },
): Promise<void> => void (await useMedia(row, [], work))

/** By then, writes that were in progress when the account was deleted have ended. */
const RELEASE_AFTER_MS = 60_000

/**
 * Enqueues the release of all media that an account uses: there may be many rows. Call it after the
 * other statements.
 */
export const releaseMediaOfAccount = (account: string, { tx, now }: { tx: Transaction; now: number }) =>
  enqueue(tx, releaseAccountMedia.task({ account }, now + RELEASE_AFTER_MS))

/** Releases some of the media of a deleted account. Resolves to whether there may be more. */
export async function releaseStep(tx: Transaction, account: string, limit: number): Promise<boolean> {
  const used = await tx.all(mediaOfAccount, { account, limit })
  const ids = JSON.stringify([...new Set(used.map(({ media_id }) => media_id))])
  await tx.all(lockMediaMany, { ids })
  await tx.run(removeUsesOfAccount, { account, ids })
  await tx.run(releaseMedia, { ids, expiresAt: tx.now + UNUSED_MEDIUM_MS })
  return used.length === limit
}
