import { spendingByIds } from '../../../domain/ad-delivery/queries.ts'
import { isCurrency } from '../../../domain/reference-data/currencies.ts'
import { type Int64, leftOf } from '../../../platform/common/int64.ts'
import { msg } from '../../../platform/http/message.ts'
import { wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { entity } from '../entity/entity.ts'
import { byIds } from '../entity/filters.ts'
import { emptyWindow } from '../messages.ts'
import { spentMore } from '../spending.ts'
import { fields, type REASONS } from './fields.ts'

const NO_METHOD = '(no payment method has been set up yet)'

/** Pays for campaigns. Callers can create, change and delete it only in the sandbox. */
export const fundingInstruments = entity({
  one: 'funding instrument',
  source: 'Campaign management (reference: funding instruments)',
  notFound: 'FUNDING_INSTRUMENT_NOT_FOUND',
  verbs: ['list', 'get', 'create', 'update', 'delete'],
  sandboxWrites: true,
  right: 'account',
  filters: {
    funding_instrument_ids: byIds('funding instrument'),
  },
  sort: {
    start_time: 'start_time',
    end_time: 'end_time',
    funded_amount_local_micro: 'funded_amount_local_micro',
  },
  codes: ['INVALID_TIME_WINDOW', 'SPEND_EXCEEDS_BUDGET'],
  delivered: true,
  fields,
  async complete(supplied) {
    return {
      end_time: null,
      credit_limit_local_micro: null,
      funded_amount_local_micro: null,
      ...supplied,
      description: NO_METHOD,
      entity_status: 'ACTIVE',
      io_header: null,
    }
  },
  adjust: (_item, { supplied: { paused } }) =>
    paused === undefined ? {} : { entity_status: paused ? ('PAUSED' as const) : ('ACTIVE' as const) },
  check: async ({ id, currency, start_time, end_time }, change) => [
    ...(isCurrency(currency)
      ? []
      : [wrongParameter('currency', msg`Expected an ISO 4217 currency, got "${currency}" for currency`)]),
    ...(end_time !== null && end_time <= start_time ? [emptyWindow(start_time, end_time)] : []),
    ...(await spentMore(id, 'funded_amount_local_micro', change)),
  ],
  async derive(items, { scope, context }) {
    const now = context.clock.now()
    const ids = JSON.stringify(items.map(({ id }) => id))
    const rows = await context.store.all(spendingByIds, { account: scope.accountId, ids })
    const spending = new Map(rows.map((row) => [row.id, row]))
    for (const instrument of items) {
      const { spent = 0, unit = 1 } = spending.get(instrument.id) ?? {}
      const funds = { ...instrument, spent, unit }
      instrument.account_id = scope.accountId
      instrument.reasons_not_able_to_fund = reasonsNotToFund(funds, now)
      instrument.able_to_fund = instrument.reasons_not_able_to_fund.length === 0
      instrument.credit_remaining_local_micro = instrument.type.endsWith('CREDIT_LINE')
        ? remaining(funds)
        : null
    }
  },
})

interface Limits {
  type: string
  credit_limit_local_micro: Int64 | null
  funded_amount_local_micro: Int64 | null
}

interface Funds extends Limits {
  /** What campaigns have spent. */
  spent: number
  /** The least amount that can be spent at once. */
  unit: number
}

/** What a funding instrument may spend in total; null if there is no limit. */
export const limitOf = ({
  type,
  credit_limit_local_micro: limit,
  funded_amount_local_micro: funded,
}: Limits) => (type.includes('CREDIT') ? limit : funded)

function remaining(funds: Funds): Int64 | null {
  const limit = limitOf(funds)
  return limit === null ? null : leftOf(limit, funds.spent)
}

/** Whether less is left than the least amount that can be spent. */
function isExhausted(funds: Funds): boolean {
  const left = remaining(funds)
  return left !== null && left < funds.unit
}

/** Why a funding instrument cannot pay at a time. */
export function reasonsNotToFund(
  instrument: Funds & {
    deleted: boolean
    start_time: number
    end_time: number | null
    entity_status: string
  },
  now: number,
): (typeof REASONS)[number][] {
  if (instrument.deleted) return ['DELETED']
  return [
    ...(instrument.end_time !== null && instrument.end_time <= now ? (['EXPIRED'] as const) : []),
    ...(instrument.entity_status === 'PAUSED' ? (['PAUSED'] as const) : []),
    ...(instrument.start_time > now ? (['STARTS_IN_FUTURE'] as const) : []),
    ...(isExhausted(instrument) ? (['BUDGET_EXHAUSTED'] as const) : []),
  ]
}
