import { Type } from 'typebox'
import { choice, text } from '../../../platform/http/schema.ts'

export const APP_SYSTEMS = ['Android', 'iOS'] as const

export const MAX_APP_IDENTIFIER = 255

export const MAX_DEEP_LINK = 2048

export const fields = {
  app_store_identifier: { schema: text(1, MAX_APP_IDENTIFIER, 'Package name, or number in the store.') },
  conversion_tracking_enabled: {
    schema: Type.Boolean({ description: 'Whether conversions are counted.' }),
  },
  deep_link_pattern: { schema: text(1, MAX_DEEP_LINK, 'Pattern of deep links into the app.'), null: true },
  os_type: { schema: choice([...APP_SYSTEMS], 'Operating system of the app.') },
} as const
