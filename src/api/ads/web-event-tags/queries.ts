import { locked } from '../../../platform/storage/query.ts'
import { query } from '../../tables.ts'

/** Where the website of an account sends conversions. */
export interface EventSource {
  readonly id: string
  readonly account_id: string
}

export const sourceOfAccount = query<{ account: string }, EventSource>('sourceOfAccount', (db, at) =>
  db.selectFrom('event_sources').selectAll().where('account_id', '=', at.account),
)

export const addSource = query<EventSource>('addSource', (db, at) =>
  db.insertInto('event_sources').values({ id: at.id, account_id: at.account_id }),
)

export const sourceById = query<{ id: string }, EventSource>('sourceById', (db, at) =>
  db.selectFrom('event_sources').selectAll().where('id', '=', at.id),
)

export const lockSource = query<{ id: string }, EventSource>('lockSource', (db, at) =>
  locked(db, db.selectFrom('event_sources').selectAll().where('id', '=', at.id)),
)
