import { Type } from 'typebox'
import { base36, choice, instant, micros, text } from '../../../platform/http/schema.ts'

export const FUNDING_TYPES = [
  'AGENCY_CREDIT_LINE',
  'CREDIT_CARD',
  'CREDIT_LINE',
  'INSERTION_ORDER',
  'PARTNER_MANAGED',
] as const

export const REASONS = [
  'BUDGET_EXHAUSTED',
  'CREDIT_CARD_APPROVAL_PENDING',
  'CREDIT_CARD_DELETED',
  'CREDIT_CARD_REJECTED',
  'DELETED',
  'EXPIRED',
  'PAUSED',
  'STARTS_IN_FUTURE',
] as const

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
  entity_status: {
    schema: choice(['ACTIVE', 'PAUSED'], 'Whether it is enabled.', 'ActiveStatus'),
    update: true,
  },
  paused: {
    schema: Type.Boolean({ description: 'The same as `entity_status` in older clients.' }),
    update: true,
    derived: true,
    unshown: true,
  },
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
    update: micros('Funded amount of an insertion order.', 0),
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
