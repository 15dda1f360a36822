import { bigint, bytewise, id64, integer, type RowOf, table, text } from '../../platform/storage/table.ts'

/** How far the delivery of an account's advertisements has been computed. */
export const adDeliveryAccounts = table(
  'ad_delivery_accounts',
  {
    account_id: bytewise(),
    /** Everything before is in the ledger. */
    delivered_until: bigint(),
    /** When there may be something to compute; null for a deleted account. */
    due_at: bigint({ null: true }),
    /** What its line items promoted when it was computed last. */
    promotions: integer(),
  },
  { key: ['account_id'], indexes: { ad_delivery_accounts_due: ['due_at', 'account_id'] } },
)

/** What a line item, a campaign or a funding instrument has spent. Derived from the ledger. */
export const adSpending = table(
  'ad_spending',
  {
    account_id: bytewise(),
    /** Of the line item, campaign or funding instrument. */
    id: bytewise(),
    spent: bigint(),
    /** The least amount that can be spent at once: with less than that left, it is exhausted. */
    unit: bigint(),
    /** JSON: where the computation goes on. */
    state: text(),
  },
  { key: ['account_id', 'id'] },
)

/**
 * The ledger: what was delivered of a promoted post, a promoted account or a media creative, on one
 * day of its account's time zone, by the hour. A row is only ever continued. Every figure is a sum
 * over these rows.
 */
export const adDeliveries = table(
  'ad_deliveries',
  {
    account_id: bytewise(),
    promotion_id: bytewise(),
    /** The start of the first period. */
    from_time: bigint(),
    /** The end of the last period. */
    until_time: bigint(),
    line_item_id: bytewise(),
    campaign_id: bytewise(),
    funding_instrument_id: bytewise(),
    /** The post that was shown; null for other promotions. */
    post_id: id64({ null: true }),
    /** JSON: the audience of the line item, and what of it was targeted. */
    about: text(),
    /** Sums over the periods. */
    impressions: bigint(),
    engagements: bigint(),
    charged: bigint(),
    /** Hours with their counts: see `ledger.ts`. */
    cells: text(),
    /** The last hour, which may be continued. */
    last_cell: text(),
  },
  {
    key: ['account_id', 'promotion_id', 'from_time'],
    indexes: {
      ad_deliveries_by_account: ['account_id', 'from_time'],
      ad_deliveries_by_line_item: ['account_id', 'line_item_id', 'from_time'],
      ad_deliveries_by_campaign: ['account_id', 'campaign_id', 'from_time'],
      ad_deliveries_by_funding: ['account_id', 'funding_instrument_id', 'from_time'],
      ad_deliveries_by_post: ['post_id', 'from_time'],
    },
  },
)

export type AdDeliveryRow = RowOf<typeof adDeliveries>
export type AdSpendingRow = RowOf<typeof adSpending>
