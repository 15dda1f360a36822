import { Type } from 'typebox'
import { choice, component } from '../../../platform/http/schema.ts'

/** Why a campaign or a line item is not shown (reference: campaigns, `reasons_not_servable`). */
export const REASONS = [
  'ACCOUNT_REJECTED',
  'ACCOUNT_UNDER_REVIEW',
  'AWAITING_APPROVAL_BY_ADVERTISER',
  'BUDGET_EXHAUSTED',
  'CONTENT_REVIEW_PROBLEM',
  'DELETED',
  'EXPIRED',
  'FUNDING_PROBLEM',
  'INCOMPLETE',
  'PAUSED_BY_ADVERTISER',
  'RETIRED_OBJECTIVE',
  'STARTS_IN_FUTURE',
] as const

export type Reason = (typeof REASONS)[number]

export const STATUSES = ['UNKNOWN', 'PAUSED', 'RUNNING'] as const

export type Status = (typeof STATUSES)[number]

/** The servability members of campaigns and line items. */
export const servabilityFields = {
  servable: {
    schema: Type.Boolean({ description: 'Whether it can be shown now.' }),
    derived: true,
  },
  reasons_not_servable: {
    schema: Type.Array(component('NotServableReason', Type.Enum([...REASONS])), {
      description: 'Reasons why it cannot be shown now.',
    }),
    derived: true,
  },
  effective_status: {
    schema: choice(
      [...STATUSES],
      '`RUNNING` if it is servable, `PAUSED` if only its status prevents it from running, otherwise `UNKNOWN`.',
      'EffectiveStatus',
    ),
    derived: true,
  },
} as const
