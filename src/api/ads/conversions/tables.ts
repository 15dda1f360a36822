import { bigint, bytewise, integer, type RowOf, table, text } from '../../../platform/storage/table.ts'
import { accounts } from '../accounts/tables.ts'

/** A conversion that an advertiser reported. Who converted is stored as hashes only. */
export const conversions = table(
  'conversions',
  {
    id: bytewise(),
    account_id: bytewise({ belongsTo: accounts }),
    web_event_tag_id: bytewise(),
    /** What the advertiser calls it: further reports of the same one are not counted. */
    conversion_id: text({ null: true }),
    converted_at: bigint(),
    received_at: bigint(),
    value_micro: bigint(),
    price_currency: text(),
    number_items: integer(),
    click_id: text({ null: true }),
    hashed_email: text({ null: true }),
    hashed_phone_number: text({ null: true }),
  },
  {
    key: ['id'],
    indexes: {
      conversions_by_name: {
        on: ['web_event_tag_id', 'conversion_id', 'received_at'],
        where: 'conversion_id is not null',
      },
      conversions_by_time: ['account_id', 'converted_at'],
    },
  },
)
export type ConversionRow = RowOf<typeof conversions>
