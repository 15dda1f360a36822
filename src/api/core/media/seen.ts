import { isExpired, kindIn, mayUse, mediaByKeys } from '../../../domain/media/media.ts'
import type { MediaRow } from '../../../domain/media/tables.ts'
import { isShownTo, postExists, postsSeenBy } from '../../../domain/posts/queries.ts'
import type { Clock } from '../../../platform/common/clock.ts'
import type { Store } from '../../../platform/storage/store.ts'

/**
 * The keys of media that are hidden from a caller. Users see media that were uploaded by or for them; everyone else
 * sees a medium if they see the oldest post that shows it.
 */
export async function hiddenMedia(
  keys: readonly string[],
  userId: string | undefined,
  { store, clock }: { store: Pick<Store, 'all'>; clock: Pick<Clock, 'now'> },
): Promise<ReadonlySet<string>> {
  const rows = (await mediaByKeys(store, keys)).filter((row) => row !== undefined)
  const now = clock.now()
  const others = rows.filter((row) => userId === undefined || !mayUse(row, userId, now))
  const ids = [...new Set(others.flatMap(({ source_post_id }) => source_post_id ?? []))]
  const posts =
    ids.length === 0 ? [] : await store.all(postsSeenBy, { ids: JSON.stringify(ids), viewer: userId ?? '' })
  const seen = new Set(
    posts.filter((post) => postExists(post) && isShownTo(post, userId)).map(({ id }) => id),
  )
  const isPosted = ({ source_post_id: post }: MediaRow) => post !== null && seen.has(post)
  const isHidden = (row: MediaRow) =>
    row.hash === null ||
    isExpired(row, now) ||
    kindIn(row.media_key) === undefined ||
    (others.includes(row) && !isPosted(row))
  return new Set(rows.filter(isHidden).map(({ media_key }) => media_key))
}
