import type { Promotion } from '../../../domain/ad-delivery/events.ts'
import type { Cell } from '../../../domain/ad-delivery/ledger.ts'
import { ratesOf } from '../../../domain/ad-delivery/metrics.ts'
import type { DeliveringLineItem, ShownCounts } from '../../../domain/ad-delivery/model.ts'
import { newSpending, type Purse, type Spending } from '../../../domain/ad-delivery/purse.ts'
import { hashText } from '../../../domain/ad-delivery/random.ts'
import type { AdSpendingRow } from '../../../domain/ad-delivery/tables.ts'
import { DAY_MS } from '../../../domain/ad-delivery/time-zone.ts'
import { limitOf } from '../funding-instruments/funding-instruments.ts'
import type { Audience } from './audiences.ts'
import { limitOfAmount, priceOf } from './prices.ts'
import type { CandidateRow, PromotionRow } from './queries.ts'

/** The rows of a line item that the ledger continues, by the promotions. */
interface ContinuedRows {
  day: number
  about: string
  /** The start of each row. */
  readonly from: Record<string, number>
  /** The last hour of each row, and when that hour began. */
  readonly last: Record<string, { readonly hourMs: number; readonly cell: Cell }>
}

/** What is stored of a line item between two computations, besides what it has spent. */
export interface LineItemState {
  spending: Spending
  shown: ShownCounts
  /** Fractions of events of each promotion that are still to come. */
  carry: Readonly<Record<string, readonly number[]>>
  audience: Audience
  /** What the audience was computed from: the criteria, and the local day. */
  targeting: string
  rows: ContinuedRows
}

type StoredSpending = Omit<AdSpendingRow, 'account_id'>

const NO_AUDIENCE: Audience = { people: 0 }

/** The state of a line item as it was stored; that of a new one otherwise. */
export function lineItemState(row: StoredSpending | undefined): LineItemState {
  if (row) return JSON.parse(row.state) as LineItemState
  return {
    spending: newSpending(),
    shown: { window: 0, impressions: 0, carry: 0 },
    carry: {},
    audience: NO_AUDIENCE,
    targeting: '',
    rows: { day: 0, about: '', from: {}, last: {} },
  }
}

/** The state of a campaign or a funding instrument. */
export const purseState = (row: StoredSpending | undefined): Spending =>
  row ? (JSON.parse(row.state) as { spending: Spending }).spending : newSpending()

/** A line item of an account with its state. */
export interface Candidate {
  readonly row: CandidateRow
  readonly state: LineItemState
  readonly promotions: readonly PromotionRow[]
}

/** The campaign of a line item. */
export const campaignPurse = (row: CandidateRow, spending: Spending): Purse => ({
  id: row.campaign_id,
  daily: limitOfAmount(row.campaign_daily),
  total: limitOfAmount(row.campaign_total),
  spending,
})

/** The funding instrument of a line item. */
export const fundingPurse = (row: CandidateRow, spending: Spending): Purse => ({
  id: row.funding_instrument_id,
  daily: null,
  total: limitOfAmount(limitOf({ ...row, type: row.funding_type })),
  spending,
})

/** Whether a line item could be delivered at some time, as far as its funding is concerned. */
export const isFunded = ({ funding_deleted, funding_status }: CandidateRow): boolean =>
  funding_deleted === 0 && funding_status === 'ACTIVE'

/** A line item as the model sees it. It writes to the state. */
export function delivering(
  { row, state, promotions }: Candidate,
  { campaign, funding }: { campaign: Purse; funding: Purse },
): DeliveringLineItem {
  const listed = promotions.map((promotion) => promotionOf(promotion, row, state))
  const rates = meanRates(listed)
  const price = priceOf(row, rates)
  return {
    id: row.id,
    daily: limitOfAmount(row.daily_budget_amount_local_micro),
    total: limitOfAmount(row.total_budget_amount_local_micro),
    spending: state.spending,
    hash: hashText(row.id),
    campaign,
    funding,
    startMs: Math.max(row.start_time ?? 0, row.created_at, row.funding_start),
    endMs: earlier(row.end_time, row.funding_end),
    isEven: row.standard_delivery !== 0,
    audience: state.audience.people,
    unit: price.unit,
    price: price.amount,
    winRate: price.winRate,
    cap:
      row.frequency_cap === null
        ? null
        : {
            impressions: row.frequency_cap,
            windowMs: (row.duration_in_days ?? 1) * DAY_MS,
            fromMs: row.start_time ?? row.created_at,
          },
    promotions: listed,
    shown: state.shown,
  }
}

const earlier = (one: number | null, other: number | null) =>
  one === null ? other : other === null ? one : Math.min(one, other)

function promotionOf(
  { id, link, card, video, carousel, poll }: PromotionRow,
  { objective }: CandidateRow,
  { carry }: LineItemState,
): Promotion {
  const creative = {
    link: link === 1,
    card: card === 1,
    video: video === 1,
    carousel: carousel === 1,
    poll: poll === 1,
    app: objective.startsWith('APP_'),
  }
  return {
    id,
    hash: hashText(id),
    rates: ratesOf(creative, objective === 'FOLLOWERS'),
    carry: carry[id] ?? [],
  }
}

const meanRates = (promotions: readonly Promotion[]): number[] => {
  const [first] = promotions
  return (first?.rates ?? []).map(
    (_, at) => promotions.reduce((sum, { rates }) => sum + (rates[at] ?? 0), 0) / promotions.length,
  )
}
