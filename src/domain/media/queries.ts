import { sql } from 'kysely'
import { insertion } from '../../platform/storage/insertion.ts'
import { anyIdIn, anyIn, locked, picked, postgres } from '../../platform/storage/query.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { query } from '../tables.ts'
import {
  type MediaFileRow,
  type MediaRow,
  type MediaSegmentRow,
  type MediaSubtitlesRow,
  type MediaUseRow,
  media,
  mediaSubtitles,
  mediaUses,
} from './tables.ts'

export const addMedia = query<MediaRow>('addMedia', (db, at) =>
  db.insertInto('media').values(picked(at, columnNames(media))),
)

/** Media of past posts, which show them. */
export const addPastMedia = insertion<MediaRow>('addPastMedia', media, columnNames(media))
export const addPastUses = insertion<MediaUseRow>('addPastUses', mediaUses, columnNames(mediaUses))

/** A file, if there is one. */
export const anyFile = query<object, { hash: string }>('anyFile', (db) =>
  db.selectFrom('media_files').select('hash').where('going', '=', 0).limit(1),
)

export const mediaById = query<{ id: string }, MediaRow>('mediaById', (db, at) =>
  db.selectFrom('media').selectAll().where('id', '=', at.id),
)

/** Locks the medium for a change. */
export const lockMedia = query<{ id: string }, MediaRow>('lockMedia', (db, at) =>
  locked(db, db.selectFrom('media').selectAll().where('id', '=', at.id)),
)

export const setAltText = query<{ id: string; text: string | null }>('setAltText', (db, at) =>
  db.updateTable('media').set({ alt_text: at.text }).where('id', '=', at.id),
)

/** `ids` is a JSON list. */
export const mediaByIds = query<{ ids: string }, MediaRow>('mediaByIds', (db, at) =>
  db
    .selectFrom('media')
    .selectAll()
    .where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
)

/**
 * The bytes that the media and encrypted files of a user take, including the announced size of
 * uploads. Expired ones take none.
 */
export const bytesOfOwner = query<{ owner: string; now: number }, { total: number }>(
  'bytesOfOwner',
  (db, at) => {
    const sum = (table: string) => sql`(select coalesce(sum(bytes), 0) from ${sql.table(table)}
      where owner_id = ${at.owner} and (expires_at is null or expires_at > ${at.now}))`
    return {
      compile: () => sql`select cast(${sum('media')} + ${sum('chat_media')} as bigint) as total`.compile(db),
    }
  },
)

/** Claims an upload for the request that finishes it. Changes nothing if another request did so. */
export const leaseUpload = query<{ id: string; now: number; until: number; expiresAt: number }>(
  'leaseUpload',
  (db, at) =>
    db
      .updateTable('media')
      .set({ finishing_until: at.until, expires_at: at.expiresAt })
      .where('id', '=', at.id)
      .where('state', '=', 'OPEN')
      .where('finishing_until', '<=', at.now),
)

/** Postpones the expiry of an upload in progress. */
export const prolongUpload = query<{ id: string; expiresAt: number }>('prolongUpload', (db, at) =>
  db.updateTable('media').set({ expires_at: at.expiresAt }).where('id', '=', at.id),
)

/**
 * Extends the claim of an upload. Changes nothing when the claim has expired: segments may have
 * been accepted since.
 */
export const renewUpload = query<{
  id: string
  until: number
  now: number
  renewed: number
  expiresAt: number
}>('renewUpload', (db, at) =>
  db
    .updateTable('media')
    .set({ finishing_until: at.renewed, expires_at: at.expiresAt })
    .where('id', '=', at.id)
    .where('state', '=', 'OPEN')
    .where('finishing_until', '=', at.until)
    .where('finishing_until', '>', at.now),
)

/** Releases an upload that could not be finished. */
export const freeUpload = query<{ id: string; until: number }>('freeUpload', (db, at) =>
  db
    .updateTable('media')
    .set({ finishing_until: 0 })
    .where('id', '=', at.id)
    .where('state', '=', 'OPEN')
    .where('finishing_until', '=', at.until),
)

/** Turns an upload with all its segments into a medium, which can then be processed. */
export const completeMedia = query<
  Pick<
    MediaRow,
    | 'id'
    | 'category'
    | 'media_key'
    | 'state'
    | 'hash'
    | 'content_type'
    | 'width'
    | 'height'
    | 'duration_ms'
    | 'expires_at'
  >
>('completeMedia', (db, at) =>
  db
    .updateTable('media')
    .set({
      category: at.category,
      media_key: at.media_key,
      state: at.state,
      hash: at.hash,
      content_type: at.content_type,
      width: at.width,
      height: at.height,
      duration_ms: at.duration_ms,
      expires_at: at.expires_at,
      finishing_until: 0,
    })
    .where('id', '=', at.id),
)

/** Locks media whose uses change. `ids` is a JSON list. */
export const lockMediaMany = query<{ ids: string }, { id: string }>('lockMediaMany', (db, at) =>
  locked(
    db,
    db
      .selectFrom('media')
      .select('id')
      .where(anyIdIn(postgres(db), sql.ref('id'), at.ids))
      .orderBy('id'),
  ),
)

/** Keeps media while something uses them. `ids` is a JSON list. */
export const holdMedia = query<{ ids: string }>('holdMedia', (db, at) =>
  db
    .updateTable('media')
    .set({ expires_at: null })
    .where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
)

/** Lets media expire that are no longer used. `ids` is a JSON list. */
export const releaseMedia = query<{ ids: string; expiresAt: number }>('releaseMedia', (db, at) =>
  db
    .updateTable('media')
    .set({ expires_at: at.expiresAt })
    .where(anyIdIn(postgres(db), sql.ref('id'), at.ids))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('media_uses').select('media_id').whereRef('media_uses.media_id', '=', 'media.id')),
      ),
    ),
)

/**
 * Media of a user that nothing uses and that have not expired. Subtitles go with the last video
 * that has them.
 */
export const someUnusedMediaOf = query<{ owner: string; now: number; limit: number }, { id: string }>(
  'someUnusedMediaOf',
  (db, at) =>
    db
      .selectFrom('media')
      .select('id')
      .where('owner_id', '=', at.owner)
      .where((on) => on.or([on('expires_at', 'is', null), on('expires_at', '>', at.now)]))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('media_uses').select('media_id').whereRef('media_uses.media_id', '=', 'media.id'),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('media_subtitles')
              .select('media_id')
              .whereRef('media_subtitles.subtitles_id', '=', 'media.id'),
          ),
        ),
      )
      .limit(at.limit),
)

/** Something that uses media: a row of a table. */
type MediaHolderRow = Omit<MediaUseRow, 'media_id'>

export const usesOf = query<MediaHolderRow, Pick<MediaUseRow, 'media_id'>>('usesOf', (db, at) =>
  db
    .selectFrom('media_uses')
    .select('media_id')
    .where('account_id', '=', at.account_id)
    .where('holder', '=', at.holder)
    .where('holder_id', '=', at.holder_id),
)

/** `ids` is a JSON list. */
export const addUses = query<MediaHolderRow & { ids: string }>('addUses', (db, at) => ({
  compile: () =>
    sql`insert into media_uses (account_id, holder, holder_id, media_id)
      select ${at.account_id}, ${at.holder}, ${at.holder_id}, id from media
      where ${anyIdIn(postgres(db), sql.ref('id'), at.ids)} on conflict do nothing`.compile(db),
}))

/** `ids` is a JSON list. */
export const removeUses = query<MediaHolderRow & { ids: string }>('removeUses', (db, at) =>
  db
    .deleteFrom('media_uses')
    .where('account_id', '=', at.account_id)
    .where('holder', '=', at.holder)
    .where('holder_id', '=', at.holder_id)
    .where(anyIdIn(postgres(db), sql.ref('media_id'), at.ids)),
)

/** Some of the media that an account uses. */
export const mediaOfAccount = query<{ account: string; limit: number }, Pick<MediaUseRow, 'media_id'>>(
  'mediaOfAccount',
  (db, at) =>
    db.selectFrom('media_uses').select('media_id').where('account_id', '=', at.account).limit(at.limit),
)

/** Removes all uses of some media by an account. `ids` is a JSON list. */
export const removeUsesOfAccount = query<{ account: string; ids: string }>('removeUsesOfAccount', (db, at) =>
  db
    .deleteFrom('media_uses')
    .where('account_id', '=', at.account)
    .where(anyIdIn(postgres(db), sql.ref('media_id'), at.ids)),
)

/** Records that a post shows media, and keeps them. `ids` is a JSON list. */
export const markPosted = query<{ ids: string; post: string }>('markPosted', (db, at) =>
  db
    .updateTable('media')
    .set({ posted: 1, expires_at: null, source_post_id: sql<string>`coalesce(source_post_id, ${at.post})` })
    .where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
)

/** Sets the oldest post that shows media, after another one was deleted. `ids` is a JSON list. */
export const renewSources = query<{ ids: string }>('renewSources', (db, at) =>
  db
    .updateTable('media')
    .set({
      source_post_id: sql<string | null>`(select min(cast(holder_id as numeric)) from media_uses
        where media_uses.media_id = media.id and media_uses.holder = 'posts')`,
    })
    .where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
)

/** The messages that show some media. `ids` is a JSON list. */
export const messagesWithMedia = query<{ ids: string }, Pick<MediaUseRow, 'media_id' | 'holder_id'>>(
  'messagesWithMedia',
  (db, at) =>
    db
      .selectFrom('media_uses')
      .select(['media_id', 'holder_id'])
      .where(anyIdIn(postgres(db), sql.ref('media_id'), at.ids))
      .where('holder', '=', 'dm_events'),
)

/** The rows that use media in the name of accounts, by their table and id. */
export const accountsOfHolder = query<{ holder: string; id: string }, Pick<MediaUseRow, 'account_id'>>(
  'accountsOfHolder',
  (db, at) =>
    db
      .selectFrom('media_uses')
      .select('account_id')
      .distinct()
      .where('holder', '=', at.holder)
      .where('holder_id', '=', at.id),
)

// Subtitles of videos.

export const subtitlesOf = query<{ medium: string }, MediaSubtitlesRow>('subtitlesOf', (db, at) =>
  db.selectFrom('media_subtitles').selectAll().where('media_id', '=', at.medium).orderBy('language_key'),
)

/** Replaces those of the same language. */
export const putSubtitles = query<MediaSubtitlesRow>('putSubtitles', (db, at) =>
  db
    .insertInto('media_subtitles')
    .values(picked(at, columnNames(mediaSubtitles)))
    .onConflict((c) =>
      c.columns(['media_id', 'language_key']).doUpdateSet({
        language_code: at.language_code,
        display_name: at.display_name,
        subtitles_id: at.subtitles_id,
      }),
    ),
)

export const removeSubtitles = query<{ medium: string; language: string }>('removeSubtitles', (db, at) =>
  db.deleteFrom('media_subtitles').where('media_id', '=', at.medium).where('language_key', '=', at.language),
)

/** Lets a file of subtitles expire that no video has any more. */
export const releaseSubtitles = query<{ id: string; expiresAt: number }>('releaseSubtitles', (db, at) =>
  db
    .updateTable('media')
    .set({ expires_at: at.expiresAt })
    .where('id', '=', at.id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('media_subtitles')
            .select('media_id')
            .whereRef('media_subtitles.subtitles_id', '=', 'media.id'),
        ),
      ),
    ),
)

/** The files of subtitles of some videos. `ids` is a JSON list. */
export const subtitlesOfMany = query<{ ids: string }, Pick<MediaSubtitlesRow, 'subtitles_id'>>(
  'subtitlesOfMany',
  (db, at) =>
    db
      .selectFrom('media_subtitles')
      .select('subtitles_id')
      .where(anyIdIn(postgres(db), sql.ref('media_id'), at.ids)),
)

// Segments of uploads in progress.

export const putSegment = query<MediaSegmentRow>('putSegment', (db, at) =>
  db
    .insertInto('media_segments')
    .values({ media_id: at.media_id, segment_index: at.segment_index, hash: at.hash, bytes: at.bytes })
    .onConflict((c) =>
      c.columns(['media_id', 'segment_index']).doUpdateSet({ hash: at.hash, bytes: at.bytes }),
    ),
)

export const segmentsOf = query<{ mediaId: string }, MediaSegmentRow>('segmentsOf', (db, at) =>
  db.selectFrom('media_segments').selectAll().where('media_id', '=', at.mediaId).orderBy('segment_index'),
)

export const removeSegments = query<{ mediaId: string }>('removeSegments', (db, at) =>
  db.deleteFrom('media_segments').where('media_id', '=', at.mediaId),
)

// Processing of media.

/** Ends the processing of a medium. A poster that its owner has chosen meanwhile stays. */
export const finishMedia = query<Pick<MediaRow, 'id' | 'state' | 'poster_hash' | 'poster_type'>>(
  'finishMedia',
  (db, at) =>
    db
      .updateTable('media')
      .set({
        state: at.state,
        poster_hash: sql<string>`coalesce(poster_hash, ${at.poster_hash})`,
        poster_type: sql<string>`coalesce(poster_type, ${at.poster_type})`,
      })
      .where('id', '=', at.id)
      .where('state', '=', 'PENDING'),
)

export const putPoster = query<Pick<MediaRow, 'id' | 'poster_hash' | 'poster_type'>>('putPoster', (db, at) =>
  db
    .updateTable('media')
    .set({ poster_hash: at.poster_hash, poster_type: at.poster_type })
    .where('id', '=', at.id),
)

/** Unused uploads that have expired, locked. */
export const expiredMedia = query<
  { now: number; limit: number },
  Pick<MediaRow, 'id' | 'hash' | 'poster_hash'>
>('expiredMedia', (db, at) =>
  locked(
    db,
    db
      .selectFrom('media')
      .select(['id', 'hash', 'poster_hash'])
      .where('expires_at', '<=', at.now)
      .orderBy('expires_at')
      .limit(at.limit),
  ),
)

/** The segments of uploads, whose ids are a JSON list. */
export const segmentsOfMany = query<{ ids: string }, { hash: string }>('segmentsOfMany', (db, at) =>
  db
    .selectFrom('media_segments')
    .select('hash')
    .where(anyIdIn(postgres(db), sql.ref('media_id'), at.ids)),
)

/** `ids` is a JSON list. The segments go with their media. */
export const removeMedia = query<{ ids: string }>('removeMedia', (db, at) =>
  db.deleteFrom('media').where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
)

// Files in use, and candidates for deletion.

/** Claims a file for use. Changes no row when the file is being deleted. */
export const claimFile = query<Pick<MediaFileRow, 'hash' | 'bytes'> & { until: number }>(
  'claimFile',
  (db, at) =>
    db
      .insertInto('media_files')
      .values({ hash: at.hash, bytes: at.bytes, suspect_at: at.until, going: 0 })
      .onConflict((c) =>
        c.column('hash').doUpdateSet({ suspect_at: at.until }).where('media_files.going', '=', 0),
      ),
)

/** Schedules a check of whether files are used. `hashes` is a JSON list. */
export const addCandidateFiles = query<{ hashes: string; at: number }>('addCandidateFiles', (db, at) =>
  db
    .updateTable('media_files')
    .set({ suspect_at: at.at })
    .where(anyIn(postgres(db), sql.ref('hash'), at.hashes))
    .where('going', '=', 0),
)

/** Files that may no longer be used, locked until the transaction ends. */
export const candidateFiles = query<{ now: number; limit: number }, { hash: string }>(
  'candidateFiles',
  (db, at) =>
    locked(
      db,
      db
        .selectFrom('media_files')
        .select('hash')
        .where('going', '=', 0)
        .where('suspect_at', '<=', at.now)
        .orderBy('suspect_at')
        .limit(at.limit),
    ),
)

/** Marks the unused ones of some files for deletion. `hashes` is a JSON list. */
export const markFiles = query<{ hashes: string }, { hash: string }>('markFiles', (db, at) => ({
  compile: () =>
    sql`update media_files set going = 1 where ${anyIn(postgres(db), sql.ref('hash'), at.hashes)}
      and not exists (select 1 from media where media.hash = media_files.hash)
      and not exists (select 1 from media where media.poster_hash = media_files.hash)
      and not exists (select 1 from media_segments where media_segments.hash = media_files.hash)
      and not exists (select 1 from chat_media where chat_media.hash = media_files.hash)
      and not exists (select 1 from chat_media_segments where chat_media_segments.hash = media_files.hash)
      and not exists (select 1 from compliance_files where compliance_files.hash = media_files.hash)
      returning hash`.compile(db),
}))

/** The other files are in use. They are checked again when a use ends. */
export const clearCandidates = query<{ hashes: string }>('clearCandidates', (db, at) =>
  db
    .updateTable('media_files')
    .set({ suspect_at: null })
    .where(anyIn(postgres(db), sql.ref('hash'), at.hashes))
    .where('going', '=', 0),
)

/** A file that is to be deleted. */
export const markedFile = query<{ hash: string }, { hash: string }>('markedFile', (db, at) =>
  db.selectFrom('media_files').select('hash').where('hash', '=', at.hash).where('going', '=', 1),
)

/** Removes the row of a deleted file. */
export const forgetFile = query<{ hash: string }>('forgetFile', (db, at) =>
  db.deleteFrom('media_files').where('hash', '=', at.hash).where('going', '=', 1),
)

/** The properties of a file, when a medium is created from it or shows it. */
export const mediaOfFile = query<{ hash: string; now: number }, { content_type: string }>(
  'mediaOfFile',
  (db, at) => {
    const isThere = sql`(expires_at is null or expires_at > ${at.now})`
    return {
      compile: () =>
        sql`select content_type from media where hash = ${at.hash} and ${isThere}
          union all select poster_type as content_type from media where poster_hash = ${at.hash} and ${isThere}
          limit 1`.compile(db),
    }
  },
)
