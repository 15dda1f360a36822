import { base36, choice, long } from '../../../platform/http/schema.ts'

/** The result of a review. Plaza has no reviewers: everything is accepted when it is created. */
export const approval = {
  schema: choice(['ACCEPTED', 'UNDER_REVIEW', 'REJECTED'], 'Result of its review.', 'PromotionApproval'),
}

export const status = {
  schema: choice(['ACTIVE', 'PAUSED'], 'Whether it is shown with its line item.', 'ActiveStatus'),
}

export const fields = {
  line_item_id: { schema: base36('The line item that shows it.'), create: 'required' },
  post_id: { schema: long('The post that is shown.'), create: 'required', column: { type: 'id64' } },
  entity_status: { ...status, update: true },
  approval_status: approval,
} as const
