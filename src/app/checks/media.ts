import { sql } from 'kysely'
import { idIn as idInKey, UNUSED_MEDIUM_MS } from '../../domain/media/media.ts'
import {
  holdMedia,
  lockMedia,
  lockMediaMany,
  mediaByIds,
  removeUses,
  usesOf,
} from '../../domain/media/queries.ts'
import { accountOfUser, showInPost } from '../../domain/media/uses.ts'
import { lockPost, versionsOf } from '../../domain/posts/queries.ts'
import type { PostRow } from '../../domain/posts/tables.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { query } from '../tables.ts'
import { type Comparison, differencesIn, differingRows } from './comparison.ts'

interface CheckPage {
  after: string
  limit: number
}

// What posts show.

/** The first versions of posts that show media or use some. */
const pageOfShowing = query<CheckPage, { id: string }>('checkedPostsWithMedia', (db, at) => ({
  compile: () =>
    sql`select id from posts where id > ${at.after} and first_version_id = id and (
        exists (select 1 from posts as versions where versions.first_version_id = posts.id
          and versions.deleted = 0 and versions.media_keys <> '[]')
        or exists (select 1 from media_uses where holder = 'posts' and holder_id = cast(posts.id as text)))
      order by id limit ${at.limit}`.compile(db),
}))

/** The existing media that the versions of a post show; none once it is deleted. */
async function mediaShownBy(tx: Pick<Transaction, 'all'>, versions: readonly PostRow[]) {
  const keys = versions.filter(({ deleted }) => deleted === 0).flatMap((row) => keysOf(row))
  const ids = [...new Set(keys.map(idInKey))]
  return ids.length === 0 ? [] : tx.all(mediaByIds, { ids: JSON.stringify(ids) })
}

const keysOf = ({ media_keys }: PostRow) => JSON.parse(media_keys) as string[]

const rowOf = ({ author_id, first_version_id }: PostRow) => ({
  ...{ account_id: accountOfUser(author_id), holder: 'posts', holder_id: first_version_id },
})

async function usesDiffer(tx: Pick<Transaction, 'all'>, id: string) {
  const versions = await tx.all(versionsOf, { first: id })
  const [first] = versions
  if (!first) return []
  const inOrder = (ids: readonly string[]) => ids.toSorted().join()
  const stored = (await tx.all(usesOf, rowOf(first))).map(({ media_id }) => media_id)
  const expected = (await mediaShownBy(tx, versions)).map((row) => row.id)
  return differencesIn(`post ${id}`, ['media'], { media: inOrder(stored) }, { media: inOrder(expected) })
}

/** The media that posts keep. */
export const mediaOfPosts: Comparison = {
  name: 'media of posts',
  pages: differingRows(
    (store, page) => store.all(pageOfShowing, page),
    ({ id }, store) => usesDiffer(store, id),
  ),
  async compare(tx, id) {
    await tx.first(lockPost, { id })
    return usesDiffer(tx, id)
  },
  async repair(tx, id) {
    const versions = await tx.all(versionsOf, { first: id })
    const [first] = versions
    if (!first) return
    const used = (await tx.all(usesOf, rowOf(first))).map(({ media_id }) => media_id)
    const shown = await mediaShownBy(tx, versions)
    await tx.all(lockMediaMany, { ids: JSON.stringify([...used, ...shown.map((row) => row.id)]) })
    const ids = new Set(shown.map((row) => row.id))
    const others = used.filter((mediaId) => !ids.has(mediaId))
    await tx.run(removeUses, { ...rowOf(first), ids: JSON.stringify(others) })
    await showInPost(tx, first, shown)
  },
}

// What keeps media.

interface CheckedMedium {
  id: string
  /** 1 if it does not expire. */
  kept: number
  /** 1 if something uses it. */
  used: number
}

const keptMedia = sql`select id, case when expires_at is null then 1 else 0 end as kept,
  case when exists (select 1 from media_uses where media_id = media.id)
    or exists (select 1 from media_subtitles where subtitles_id = media.id) then 1 else 0 end as used from media`

const pageOfMedia = query<CheckPage, CheckedMedium>('checkedMedia', (db, at) => ({
  compile: () => sql`${keptMedia} where id > ${at.after} order by id limit ${at.limit}`.compile(db),
}))
const keptMedium = query<{ id: string }, CheckedMedium>('checkedMedium', (db, at) => ({
  compile: () => sql`${keptMedia} where id = ${at.id}`.compile(db),
}))
const expireMedium = query<{ id: string; expiresAt: number }>('expireMedium', (db, at) =>
  db.updateTable('media').set({ expires_at: at.expiresAt }).where('id', '=', at.id),
)

const expiryDiffers = ({ id, kept, used }: CheckedMedium) =>
  differencesIn(`medium ${id}`, ['kept'], { kept }, { kept: used })

/** That exactly the media in use never expire. */
export const keptMediaFiles: Comparison = {
  name: 'media in use',
  pages: differingRows((store, page) => store.all(pageOfMedia, page), expiryDiffers),
  async compare(tx, id) {
    await tx.first(lockMedia, { id })
    return (await tx.all(keptMedium, { id })).flatMap(expiryDiffers)
  },
  async repair(tx, id) {
    const row = await tx.first(keptMedium, { id })
    if (Number(row?.used) === 1) await tx.run(holdMedia, { ids: JSON.stringify([id]) })
    else await tx.run(expireMedium, { id, expiresAt: tx.now + UNUSED_MEDIUM_MS })
  },
}
