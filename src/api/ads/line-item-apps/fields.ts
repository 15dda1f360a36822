import { base36, choice, text } from '../../../platform/http/schema.ts'
import { MAX_APP_IDENTIFIER } from '../accounts/app-fields.ts'

export const fields = {
  line_item_id: { schema: base36('The line item.'), create: 'required' },
  app_store_identifier: {
    schema: text(1, MAX_APP_IDENTIFIER, 'Package name, or number in the store.'),
    create: 'required',
  },
  os_type: {
    schema: choice(['ANDROID', 'IOS'], 'Operating system of the app.', 'AppSystem'),
    create: 'required',
  },
} as const
