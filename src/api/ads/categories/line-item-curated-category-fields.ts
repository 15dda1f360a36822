import { base36 } from '../../../platform/http/schema.ts'

export const curatedCategoryId = base36('The curated category.')

export const fields = {
  line_item_id: { schema: base36('The line item.'), create: 'required', update: true },
  curated_category_id: {
    schema: curatedCategoryId,
    column: { type: 'text' },
    create: 'required',
    update: true,
  },
} as const
