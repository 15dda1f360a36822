import { Type } from 'typebox'
import { wrongParameter } from '../../protocols/ads/codes.ts'
import type { Int64 } from '../../common/int64.ts'
import { msg } from '../../http/message.ts'
import { base36, choice, ids, instant, micros, text } from '../../http/schema.ts'
import { isCurrency } from '../../reference-data/currencies.ts'
import { entity } from '../entity/entity.ts'
import { emptyWindow } from '../messages.ts'

export const FUNDING_TYPES = [
  'AGENCY_CREDIT_LINE',
  'CREDIT_CARD',
  'CREDIT_LINE',
  'INSERTION_ORDER',
  'PARTNER_MANAGED',
] as const

const REASONS = [
  'BUDGET_EXHAUSTED',
  'CREDIT_CARD_APPROVAL_PENDING',
  'CREDIT_CARD_DELETED',
  'CREDIT_CARD_REJECTED',
  'DELETED',
  'EXPIRED',
  'PAUSED',
  'STARTS_IN_FUTURE',
] as const

const NO_METHOD = '(no payment method has been set up yet)'

export const fields = {
  account_id: { schema: base36('Account that it belongs to.'), derived: true },
  type: { schema: choice([...FUNDING_TYPES], 'Type of funding.', 'FundingType'), create: 'required' },
  currency: {
    schema: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code of the currency.' }),
    create: 'required',
  },
  description: { schema: text(0, 255, 'Human-readable name.') },
  start_time: { schema: instant('When the funding instrument becomes valid.'), create: 'required' },
  end_time: { schema: instant('When the funding instrument expires.'), null: true, create: 'optional' },
  entity_status: { schema: choice(['ACTIVE', 'PAUSED'], 'Whether it is enabled.', 'ActiveStatus') },
  credit_limit_local_micro: {
    schema: micros('Limit of a credit line or card.', 0),
    input: micros('Limit of a credit line or card.'),
    null: true,
    create: 'optional',
  },
  funded_amount_local_micro: {
    schema: micros('Funded amount of an insertion order.', 0),
    input: micros('Funded amount of an insertion order.'),
    null: true,
    create: 'optional',
  },
  credit_remaining_local_micro: {
    schema: micros('Remaining amount of a credit line.', 0),
    null: true,
    derived: true,
  },
  io_header: {
    schema: text(0, 255, 'Header of the insertion order, which several funding instruments may share.'),
    null: true,
  },
  able_to_fund: {
    schema: Type.Boolean({ description: 'Whether it can pay.' }),
    derived: true,
  },
  reasons_not_able_to_fund: {
    schema: Type.Array(Type.Enum([...REASONS]), { description: 'Reasons why it cannot pay.' }),
    derived: true,
  },
} as const

/** Pays for campaigns. Callers can create and delete it only in the sandbox. */
export const fundingInstruments = entity({
  one: 'funding instrument',
  many: 'funding instruments',
  table: 'funding_instruments',
  path: '/accounts/{account_id}/funding_instruments',
  id: 'funding_instrument_id',
  source: 'Campaign management (reference: funding instruments)',
  notFound: 'FUNDING_INSTRUMENT_NOT_FOUND',
  verbs: ['list', 'get', 'create', 'delete'],
  sandboxWrites: true,
  right: 'account',
  filters: {
    funding_instrument_ids: {
      column: 'id',
      schema: ids(base36('A funding instrument.'), 'Returns only the items with these ids.'),
    },
  },
  sort: {
    start_time: 'start_time',
    end_time: 'end_time',
    funded_amount_local_micro: 'funded_amount_local_micro',
  },
  codes: ['INVALID_TIME_WINDOW'],
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
  check: ({ currency, start_time, end_time }) => [
    ...(isCurrency(currency)
      ? []
      : [wrongParameter('currency', msg`Expected an ISO 4217 currency, got "${currency}" for currency`)]),
    ...(end_time !== null && end_time <= start_time ? [emptyWindow(start_time, end_time)] : []),
  ],
  async derive(items, { scope, context }) {
    const now = context.clock.now()
    for (const one of items) {
      one.account_id = scope.accountId
      one.reasons_not_able_to_fund = reasonsNotToFund(one, now)
      one.able_to_fund = one.reasons_not_able_to_fund.length === 0
      one.credit_remaining_local_micro = one.type.endsWith('CREDIT_LINE') ? remaining(one) : null
    }
  },
})

interface Funds {
  type: string
  credit_limit_local_micro: Int64 | null
  funded_amount_local_micro: Int64 | null
}

/** The remaining amount; null if there is no limit. Campaigns do not spend yet, so it is the whole amount. */
const remaining = ({ type, credit_limit_local_micro: limit, funded_amount_local_micro: funded }: Funds) =>
  type.includes('CREDIT') ? limit : funded

/** Why a funding instrument cannot pay at a time. */
export function reasonsNotToFund(
  one: Funds & { deleted: boolean; start_time: number; end_time: number | null; entity_status: string },
  now: number,
): (typeof REASONS)[number][] {
  if (one.deleted) return ['DELETED']
  return [
    ...(one.end_time !== null && one.end_time <= now ? (['EXPIRED'] as const) : []),
    ...(one.entity_status === 'PAUSED' ? (['PAUSED'] as const) : []),
    ...(one.start_time > now ? (['STARTS_IN_FUTURE'] as const) : []),
    ...(remaining(one) === 0 ? (['BUDGET_EXHAUSTED'] as const) : []),
  ]
}
