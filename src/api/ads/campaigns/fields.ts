import { Type } from 'typebox'
import { base36, choice, integerChoice, micros, text } from '../../../platform/http/schema.ts'
import { servabilityFields } from '../servability/fields.ts'

export const fields = {
  name: { schema: text(1, 255, 'Human-readable name.'), create: 'required', update: true },
  funding_instrument_id: { schema: base36('Funding instrument that pays for it.'), create: 'required' },
  currency: { schema: text(3, 3, 'Currency of the funding instrument.') },
  budget_optimization: {
    schema: choice(['LINE_ITEM', 'CAMPAIGN'], 'Level at which budgets are set.', 'BudgetOptimization'),
    create: 'optional',
    update: true,
  },
  daily_budget_amount_local_micro: {
    schema: micros('Daily budget; at most the total budget.'),
    null: true,
    create: 'optional',
    update: true,
  },
  total_budget_amount_local_micro: {
    schema: micros('Budget for the whole duration.'),
    null: true,
    create: 'optional',
    update: true,
  },
  entity_status: {
    schema: choice(
      ['ACTIVE', 'PAUSED', 'DRAFT'],
      'Status. Lists omit drafts unless `with_draft` is true.',
      'EntityStatus',
    ),
    create: 'optional',
    update: choice(
      ['ACTIVE', 'PAUSED'],
      'Status. A draft that was activated or paused cannot become a draft again.',
      'ActiveStatus',
    ),
  },
  purchase_order_number: {
    schema: text(1, 50, 'Number for invoices.'),
    null: true,
    create: 'optional',
    update: true,
  },
  standard_delivery: {
    schema: Type.Boolean({ description: 'Moved to line items: accepted, and always null.' }),
    null: true,
    create: 'optional',
    update: true,
  },
  duration_in_days: {
    schema: integerChoice([1, 7, 30], 'Moved to line items.', 'FrequencyWindow'),
    null: true,
    derived: true,
  },
  frequency_cap: {
    schema: Type.Integer({ description: 'Moved to line items.' }),
    null: true,
    derived: true,
  },
  ...servabilityFields,
} as const
