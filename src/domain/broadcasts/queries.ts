import { sql } from 'kysely'
import { anyIn, locked, picked, postgres } from '../../platform/storage/query.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { isPresentUser } from '../posts/public-sql.ts'
import { query } from '../tables.ts'
import {
  type BroadcastRow,
  type BroadcastSeriesRow,
  type BroadcastSourceRow,
  broadcastSeries,
  broadcastSources,
  broadcasts,
} from './tables.ts'

export const addSource = query<BroadcastSourceRow>('addBroadcastSource', (db, at) =>
  db
    .insertInto('broadcast_sources')
    .values(picked(at, columnNames(broadcastSources)))
    .onConflict((conflict) => conflict.doNothing()),
)

export const sourceById = query<{ id: string }, BroadcastSourceRow>('broadcastSourceById', (db, at) =>
  db.selectFrom('broadcast_sources').selectAll().where('id', '=', at.id),
)

/** `ids` is a JSON list. */
export const sourcesByIds = query<{ ids: string }, BroadcastSourceRow>('broadcastSourcesByIds', (db, at) =>
  db
    .selectFrom('broadcast_sources')
    .selectAll()
    .where(anyIn(postgres(db), sql.ref('id'), at.ids)),
)

export const countSources = query<{ user: string }, { count: number }>('countBroadcastSources', (db, at) =>
  db
    .selectFrom('broadcast_sources')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', at.user),
)

export const setReceiving = query<{ id: string; receiving: number }>('setReceiving', (db, at) =>
  db.updateTable('broadcast_sources').set({ receiving: at.receiving }).where('id', '=', at.id),
)

export const pageOfSources = query<{ after: string; limit: number }, BroadcastSourceRow>(
  'pageOfBroadcastSources',
  (db, at) =>
    db
      .selectFrom('broadcast_sources')
      .selectAll()
      .where('id', '>', at.after)
      .where(isPresentUser('broadcast_sources.user_id'))
      .orderBy('id')
      .limit(at.limit),
)

export const addBroadcast = query<BroadcastRow>('addBroadcast', (db, at) =>
  db.insertInto('broadcasts').values(picked(at, columnNames(broadcasts))),
)

/** Locks a broadcast for a change. */
export const lockBroadcast = query<{ id: string }, BroadcastRow>('lockBroadcast', (db, at) =>
  locked(db, db.selectFrom('broadcasts').selectAll().where('id', '=', at.id)),
)

export const setBroadcast = query<BroadcastRow>('setBroadcast', (db, at) =>
  db
    .updateTable('broadcasts')
    .set({
      ...{ title: at.title, description: at.description, source_id: at.source_id },
      ...{ scheduled_start: at.scheduled_start, scheduled_end: at.scheduled_end },
      ...{ starts_at: at.starts_at, ends_at: at.ends_at, failed: at.failed },
      ...{ manual_publish: at.manual_publish, available_for_replay: at.available_for_replay },
      ...{ locked: at.locked, chat_option: at.chat_option, locale: at.locale },
      ...{ thumbnail_media_id: at.thumbnail_media_id, series_id: at.series_id },
      ...{ announced: at.announced, over: at.over, updated_at: at.updated_at },
    })
    .where('id', '=', at.id),
)

export const removeBroadcast = query<{ id: string }>('removeBroadcast', (db, at) =>
  db.deleteFrom('broadcasts').where('id', '=', at.id),
)

/** `ids` is a JSON list. */
export const broadcastsByIds = query<{ ids: string }, BroadcastRow>('broadcastsByIds', (db, at) =>
  db
    .selectFrom('broadcasts')
    .selectAll()
    .where(anyIn(postgres(db), sql.ref('id'), at.ids)),
)

export const pageOfBroadcasts = query<{ after: string; limit: number }, BroadcastRow>(
  'pageOfBroadcasts',
  (db, at) =>
    db
      .selectFrom('broadcasts')
      .selectAll()
      .where('id', '>', at.after)
      .where(isPresentUser('broadcasts.user_id'))
      .orderBy('id')
      .limit(at.limit),
)

/** Broadcasts of a user that have not ended. */
export const currentBroadcasts = query<{ user: string; limit: number }, { id: string }>(
  'currentBroadcasts',
  (db, at) =>
    db
      .selectFrom('broadcasts')
      .select('id')
      .where('user_id', '=', at.user)
      .where('over', '=', sql.lit(0))
      .orderBy('id', 'desc')
      .limit(at.limit),
)

/** Some broadcasts of a deleted user. */
export const someBroadcastsOf = query<{ user: string; limit: number }, { id: string }>(
  'someBroadcastsOf',
  (db, at) =>
    db.selectFrom('broadcasts').select('id').where('user_id', '=', at.user).orderBy('id').limit(at.limit),
)

type OwnPageArgs = { user: string; id: string; limit: number }

/** Broadcasts of a user with ids below one, newest first. */
export const broadcastsBefore = query<OwnPageArgs, { id: string }>('broadcastsBefore', (db, at) =>
  db
    .selectFrom('broadcasts')
    .select('id')
    .where('user_id', '=', at.user)
    .where('id', '<', at.id)
    .orderBy('id', 'desc')
    .limit(at.limit),
)

/** The start of a scheduled broadcast of a user. */
export const startOfScheduled = query<{ user: string; id: string }, { scheduled_start: number }>(
  'startOfScheduled',
  (db, at) =>
    db
      .selectFrom('broadcasts')
      .select(sql<number>`scheduled_start`.as('scheduled_start'))
      .where('scheduled_id', '=', at.id)
      .where('scheduled_id', 'is not', null)
      .where('user_id', '=', at.user),
)

interface SchedulePageArgs {
  user: string
  /** Only those that start in this span, both ends included. */
  from: number
  to: number
  /** Only those after this place in the order. */
  start: number
  id: string
  limit: number
}

/** Scheduled broadcasts of a user, in the order of their starts. */
export const schedulePage = query<SchedulePageArgs, BroadcastRow>('schedulePageOfBroadcasts', (db, at) =>
  db
    .selectFrom('broadcasts')
    .selectAll()
    .where('user_id', '=', at.user)
    .where('scheduled_id', 'is not', null)
    .where('scheduled_start', '>=', at.from)
    .where('scheduled_start', '<=', at.to)
    .where((expression) =>
      expression.or([
        expression('scheduled_start', '>', at.start),
        expression.and([
          expression('scheduled_start', '=', at.start),
          expression('scheduled_id', '>', at.id),
        ]),
      ]),
    )
    .orderBy('scheduled_start')
    .orderBy('scheduled_id')
    .limit(at.limit),
)

export const addSeries = query<BroadcastSeriesRow>('addBroadcastSeries', (db, at) =>
  db.insertInto('broadcast_series').values(picked(at, columnNames(broadcastSeries))),
)

export const lockSeries = query<{ id: string }, BroadcastSeriesRow>('lockBroadcastSeries', (db, at) =>
  locked(db, db.selectFrom('broadcast_series').selectAll().where('id', '=', at.id)),
)

export const setSeries = query<BroadcastSeriesRow>('setBroadcastSeries', (db, at) =>
  db
    .updateTable('broadcast_series')
    .set({
      ...{ head_id: at.head_id, remaining: at.remaining, settings: at.settings },
      ...{ next_start: at.next_start, next_end: at.next_end },
    })
    .where('id', '=', at.id),
)

export const removeSeries = query<{ id: string }>('removeBroadcastSeries', (db, at) =>
  db.deleteFrom('broadcast_series').where('id', '=', at.id),
)

export const removeSeriesOf = query<{ user: string }>('removeBroadcastSeriesOf', (db, at) =>
  db.deleteFrom('broadcast_series').where('user_id', '=', at.user),
)
