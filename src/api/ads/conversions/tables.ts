import { bigint, bytewise, integer, type RowOf, table, text } from '../../../platform/storage/table.ts'
import { accounts } from '../accounts/tables.ts'

/** The index of those that are counted for a promotion, a line item or a campaign. */
const byLevel = <Level extends string>(level: Level) => ({
  [`conversions_by_${level}`]: {
    on: ['account_id', level, 'converted_at'] as const,
    where: `${level} is not null`,
  },
})

/**
 * A conversion that was reported, and what led to it. Who converted is stored as hashes only. Of a
 * conversion in an app, there is a row only if an advertisement led to it.
 */
export const conversions = table(
  'conversions',
  {
    id: bytewise(),
    account_id: bytewise({ belongsTo: accounts }),
    /** What counts it: see `kinds.ts`. */
    kind: text(),
    /** Null for a conversion in an app. */
    web_event_tag_id: bytewise({ null: true }),
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
    /** The store's identifier of the app. */
    app_id: text({ null: true }),
    hashed_device_id: text({ null: true }),
    /** The type of the tag when it was reported, or of the event in the app. */
    type: text(),
    /** `engagement` or `view`; null, as in the columns below, if nothing led to it. */
    way: text({ null: true }),
    promotion_id: bytewise({ null: true }),
    line_item_id: bytewise({ null: true }),
    campaign_id: bytewise({ null: true }),
    funding_instrument_id: bytewise({ null: true }),
    /** Targeting value of the platform of the person. */
    platform: text({ null: true }),
    /** The part of the people that the person belongs to, of `PEOPLE` parts. */
    person: integer({ null: true }),
    /** JSON: who could see what led to it. */
    about: text({ null: true }),
  },
  {
    key: ['id'],
    indexes: {
      conversions_by_name: {
        on: ['web_event_tag_id', 'conversion_id', 'received_at'],
        where: 'conversion_id is not null',
      },
      conversions_by_device: {
        on: ['hashed_device_id', 'app_id', 'account_id', 'converted_at', 'id'],
        where: "type = 'INSTALL'",
      },
      ...byLevel('promotion_id'),
      ...byLevel('line_item_id'),
      ...byLevel('campaign_id'),
      conversions_by_receipt: { on: ['account_id', 'received_at'], where: 'campaign_id is not null' },
    },
  },
)
export type ConversionRow = RowOf<typeof conversions>
