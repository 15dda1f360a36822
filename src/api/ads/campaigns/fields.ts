import { Type } from 'typebox'
import { base36, choice, integerChoice, micros, text } from '../../../platform/http/schema.ts'
import { optional, removable, required } from '../entity/fields.ts'
import { servabilityFields } from '../servability/fields.ts'

/** The budgets of campaigns and line items. */
export const budgets = {
  daily_budget_amount_local_micro: {
    schema: micros('Daily budget; at most the total budget.'),
    ...removable,
  },
  total_budget_amount_local_micro: { schema: micros('Budget for the whole duration.'), ...removable },
} as const

/** The status of campaigns and line items. */
export const entityStatus = {
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
} as const

export const fields = {
  name: { schema: text(1, 255, 'Human-readable name.'), ...required },
  funding_instrument_id: { schema: base36('Funding instrument that pays for it.'), create: 'required' },
  currency: { schema: text(3, 3, 'Currency of the funding instrument.') },
  budget_optimization: {
    schema: choice(['LINE_ITEM', 'CAMPAIGN'], 'Level at which budgets are set.', 'BudgetOptimization'),
    ...optional,
  },
  ...budgets,
  entity_status: entityStatus,
  purchase_order_number: { schema: text(1, 50, 'Number for invoices.'), ...removable },
  standard_delivery: {
    schema: Type.Boolean({ description: 'Moved to line items: accepted, and always null.' }),
    ...removable,
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
