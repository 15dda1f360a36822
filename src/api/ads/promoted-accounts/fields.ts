import { base36, long } from '../../../platform/http/schema.ts'
import { approval, status } from '../promoted-posts/fields.ts'

export const fields = {
  line_item_id: { schema: base36('The line item that promotes it.'), create: 'required' },
  user_id: { schema: long('The user that is promoted.'), create: 'required' },
  entity_status: status,
  approval_status: approval,
} as const
