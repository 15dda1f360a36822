import { base36, long } from '../../../platform/http/schema.ts'

export const fields = {
  line_item_id: { schema: base36('Line item that will show it.'), create: 'required' },
  scheduled_post_id: {
    schema: long('The scheduled post.'),
    create: 'required',
    column: { type: 'id64' },
  },
  post_id: { schema: long('The published post.'), null: true, column: { type: 'id64' } },
} as const
