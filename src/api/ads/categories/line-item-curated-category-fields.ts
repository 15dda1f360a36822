import { base36 } from '../../../platform/http/schema.ts'
import { required } from '../entity/fields.ts'

export const curatedCategoryId = base36('The curated category.')

export const fields = {
  line_item_id: { schema: base36('The line item.'), ...required },
  curated_category_id: {
    schema: curatedCategoryId,
    column: { type: 'text' },
    ...required,
  },
} as const
