import { sql } from 'kysely'
import { databaseTime } from '../../../platform/storage/nodes.ts'
import { anyIn, locked, picked, postgres } from '../../../platform/storage/query.ts'
import { removalBefore } from '../../../platform/storage/removal.ts'
import { columnNames } from '../../../platform/storage/table.ts'
import { query } from '../../tables.ts'
import { type StreamConnectionRow, streamConnections } from '../tables.ts'

/**
 * Blocks other connections of the same app until the transaction ends, so that a count stays
 * correct.
 */
export const lockApp = query<{ app: string }, { id: string }>('lockAppOfConnections', (db, at) =>
  locked(db, db.selectFrom('apps').select('id').where('id', '=', at.app)),
)

export const countOpen = query<
  { app: string; endpoint: string; partition: number; purpose: string },
  { open: number }
>('countOpenConnections', (db, at) =>
  db
    .selectFrom('stream_connections')
    .select(sql<number>`count(*)`.as('open'))
    .where('app_id', '=', at.app)
    .where('endpoint_name', '=', at.endpoint)
    .where('partition', '=', at.partition)
    .where('purpose', '=', at.purpose)
    .where('disconnected_at', 'is', null),
)

export const addConnection = query<StreamConnectionRow>('addStreamConnection', (db, at) =>
  db.insertInto('stream_connections').values(picked(at, columnNames(streamConnections))),
)

interface Closing {
  at: number
  reason: string
}

/** `ids` is a JSON list. */
export const closeConnections = query<Closing & { ids: string }>('closeStreamConnections', (db, at) =>
  db
    .updateTable('stream_connections')
    .set({ disconnected_at: at.at, disconnect_reason: at.reason })
    .where(anyIn(postgres(db), sql.ref('id'), at.ids))
    .where('disconnected_at', 'is', null),
)

/** Closes the connections of other processes, where only one process can run at a time. */
export const closeOfOthers = query<Closing & { holder: string }>('closeConnectionsOfOthers', (db, at) =>
  db
    .updateTable('stream_connections')
    .set({ disconnected_at: at.at, disconnect_reason: at.reason })
    .where('disconnected_at', 'is', null)
    .where('holder', '>', '')
    .where('holder', '<>', at.holder),
)

/** Closes the connections of processes that no longer hold a node number. */
export const closeOfEndedNodes = query<Closing>('closeConnectionsOfEndedNodes', (db, at) =>
  db
    .updateTable('stream_connections')
    .set({ disconnected_at: at.at, disconnect_reason: at.reason })
    .where('disconnected_at', 'is', null)
    .where('holder', '>', '')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('nodes')
            .select('node')
            .whereRef('nodes.holder', '=', 'stream_connections.holder')
            .where('node', '>=', 0)
            .where('expires_at', '>', databaseTime(postgres(db))),
        ),
      ),
    ),
)

/** Ended connections from before a time. */
export const forgetConnections = removalBefore(
  'forgetStreamConnections',
  streamConnections,
  'disconnected_at',
)

/** The next app with connections, ordered by id. */
export const nextAppWithConnections = query<{ after: string }, { app_id: string }>(
  'nextAppWithConnections',
  (db, at) =>
    db
      .selectFrom('stream_connections')
      .select('app_id')
      .where('app_id', '>', at.after)
      .orderBy('app_id')
      .limit(1),
)

/** Ended connections of an app, except the newest `keep`. */
export const forgetOldest = query<{ app: string; keep: number; limit: number }>(
  'forgetOldestConnections',
  (db, at) =>
    db
      .deleteFrom('stream_connections')
      .where('disconnected_at', 'is not', null)
      .where('id', 'in', (on) =>
        on
          .selectFrom('stream_connections')
          .select('id')
          .where('app_id', '=', at.app)
          .orderBy('connected_at', 'desc')
          .orderBy('id', 'desc')
          .limit(at.limit)
          .offset(at.keep),
      ),
)

/** What decides whether the connections of apps stay open. `ids` is a JSON list. */
export const appStates = query<
  { ids: string },
  { id: string; suspended: number; enrolled: number; enterprise: number; bearer_hash: string | null }
>('appStatesOfConnections', (db, at) =>
  db
    .selectFrom('apps')
    .select(['id', 'suspended', 'enrolled', 'enterprise', 'bearer_hash'])
    .where(anyIn(postgres(db), sql.ref('id'), at.ids)),
)

/** `ids` is a JSON list. */
export const connectionsByIds = query<{ ids: string }, StreamConnectionRow>(
  'streamConnectionsByIds',
  (db, at) =>
    db
      .selectFrom('stream_connections')
      .selectAll()
      .where(anyIn(postgres(db), sql.ref('id'), at.ids)),
)

/** The open connections of an app, oldest first. */
export const openConnections = query<{ app: string }, Pick<StreamConnectionRow, 'id' | 'endpoint_name'>>(
  'openConnectionsOfApp',
  (db, at) =>
    db
      .selectFrom('stream_connections')
      .select(['id', 'endpoint_name'])
      .where('app_id', '=', at.app)
      .where('disconnected_at', 'is', null)
      .orderBy('connected_at')
      .orderBy('id'),
)

interface Page {
  app: string
  /** `active`, `inactive` or `all`. */
  status: string
  /** A JSON list. */
  endpoints: string
  /** 1 for all streams, whatever the list contains. */
  every: number
  before: number
  /** The last connection of the previous page, which began at `before`. */
  id: string
  limit: number
}

/**
 * The next connections of an app, newest first; of those that began at the same time, the smaller
 * id first.
 */
export const pageOfConnections = query<Page, StreamConnectionRow>('pageOfStreamConnections', (db, at) =>
  db
    .selectFrom('stream_connections')
    .selectAll()
    .where('app_id', '=', at.app)
    .where('connected_at', '<=', at.before)
    .where((on) => on.or([on('connected_at', '<', at.before), on('id', '<', at.id)]))
    .where((on) =>
      on.or([
        on(sql`${at.status}`, '=', 'all'),
        on.and([on(sql`${at.status}`, '=', 'active'), on('disconnected_at', 'is', null)]),
        on.and([on(sql`${at.status}`, '=', 'inactive'), on('disconnected_at', 'is not', null)]),
      ]),
    )
    .where((on) =>
      on.or([on(sql`${at.every}`, '=', 1), anyIn(postgres(db), sql.ref('endpoint_name'), at.endpoints)]),
    )
    .orderBy('connected_at', 'desc')
    .orderBy('id', 'desc')
    .limit(at.limit),
)
