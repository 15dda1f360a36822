import { enqueue } from '../queue/enqueue.ts'
import type { Transaction } from '../storage/store.ts'
import { WAITS_MS } from './media.ts'
import {
  addUses,
  holdMedia,
  lockMediaMany,
  mediaOfAccount,
  releaseMedia,
  removeUses,
  removeUsesOfAccount,
  usesOf,
} from './queries.ts'
import { releaseAccountMedia } from './tasks.ts'

// What uses media. A medium in use is kept. A medium that is no longer used expires, and then no longer counts towards
// the quota, unless it is used again in time or a post has shown it.

/** A row of an account that references media. */
export interface ReferencingRow {
  account: string
  table: string
  id: string
}

/**
 * Replaces the media that something uses. If its row existed before, it is locked already. Resolves to the ids of media
 * that have been deleted since: the caller must then roll back.
 */
export async function useMedia(
  { account, table, id }: ReferencingRow,
  ids: readonly string[],
  { tx, now }: { tx: Transaction; now: number },
): Promise<string[]> {
  const referencing = { account_id: account, holder: table, holder_id: id }
  const former = (await tx.all(usesOf, referencing)).map(({ media_id }) => media_id)
  const left = former.filter((one) => !ids.includes(one))
  if (former.length === 0 && ids.length === 0) return []
  // Locked first, so that of two concurrent releases of a medium, the second sees that it is the last.
  const there = await tx.all(lockMediaMany, { ids: JSON.stringify([...new Set([...former, ...ids])]) })
  const forgotten = ids.filter((one) => !there.some((row) => row.id === one))
  if (forgotten.length > 0) return forgotten
  if (ids.length > 0) {
    await tx.run(holdMedia, { ids: JSON.stringify(ids) })
    await tx.run(addUses, { ...referencing, ids: JSON.stringify(ids) })
  }
  if (left.length > 0) {
    await tx.run(removeUses, { ...referencing, ids: JSON.stringify(left) })
    await tx.run(releaseMedia, { ids: JSON.stringify(left), expiresAt: now + WAITS_MS })
  }
  return []
}

/** Removes all uses of media by something. */
export const letGoOfMedia = async (
  row: ReferencingRow,
  work: { tx: Transaction; now: number },
): Promise<void> => void (await useMedia(row, [], work))

/** By then, writes that were in progress when the account was deleted have ended. */
const RELEASE_AFTER_MS = 60_000

/**
 * Enqueues the release of everything that an account uses, because it may be many rows. Call it after the other
 * statements.
 */
export const letGoOfAccount = (account: string, { tx, now }: { tx: Transaction; now: number }) =>
  enqueue(tx, releaseAccountMedia.task({ account }, now + RELEASE_AFTER_MS))

/** Releases a part of what a deleted account used. Resolves to whether there may be more. */
export async function releaseStep(tx: Transaction, account: string, limit: number): Promise<boolean> {
  const used = await tx.all(mediaOfAccount, { account, limit })
  const ids = JSON.stringify([...new Set(used.map(({ media_id }) => media_id))])
  await tx.all(lockMediaMany, { ids })
  await tx.run(removeUsesOfAccount, { account, ids })
  await tx.run(releaseMedia, { ids, expiresAt: tx.now + WAITS_MS })
  return used.length === limit
}
