import { sql } from 'kysely'
import { insertion } from '../../../platform/storage/insertion.ts'
import { anyIn, postgres } from '../../../platform/storage/query.ts'
import { query } from '../../tables.ts'
import { type ConversionRow, conversions } from './tables.ts'

interface OfTags {
  readonly account: string
  /** Ids as a JSON list. */
  readonly tags: string
}

export const tagsOfConversions = query<OfTags, { id: string }>('tagsOfConversions', (db, at) =>
  db
    .selectFrom('web_event_tags')
    .select('id')
    .where('account_id', '=', at.account)
    .where(anyIn(postgres(db), sql.ref('id'), at.tags))
    .where('deleted', '=', 0),
)

export const markTracked = query<OfTags & { now: number }>('markTracked', (db, at) =>
  db
    .updateTable('web_event_tags')
    .set({ status: 'TRACKING', last_tracked_at: at.now })
    .where('account_id', '=', at.account)
    .where(anyIn(postgres(db), sql.ref('id'), at.tags)),
)

type Named = Pick<ConversionRow, 'web_event_tag_id' | 'conversion_id'>

/** The conversions with these tags and names that have been received since a time. */
export const sameConversions = query<{ tags: string; names: string; since: number }, Named>(
  'sameConversions',
  (db, at) =>
    db
      .selectFrom('conversions')
      .select(['web_event_tag_id', 'conversion_id'])
      .where(anyIn(postgres(db), sql.ref('web_event_tag_id'), at.tags))
      .where(anyIn(postgres(db), sql.ref('conversion_id'), at.names))
      .where('conversion_id', 'is not', null)
      .where('received_at', '>=', at.since),
)

export const addConversions = insertion<ConversionRow>('addConversion', conversions, [
  'id',
  'account_id',
  'web_event_tag_id',
  'conversion_id',
  'converted_at',
  'received_at',
  'value_micro',
  'price_currency',
  'number_items',
  'click_id',
  'hashed_email',
  'hashed_phone_number',
])
