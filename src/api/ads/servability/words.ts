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
