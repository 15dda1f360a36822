import { Type } from 'typebox'
import { base36 } from '../../../platform/http/schema.ts'
import { creativeType } from '../account-media/fields.ts'
import { approval, status } from '../promoted-posts/fields.ts'

export const fields = {
  line_item_id: { schema: base36('The line item that shows it.'), create: 'required' },
  account_media_id: { schema: base36('The image or video.'), create: 'required' },
  landing_url: {
    schema: Type.String({
      pattern: '^https?://[^\\s\\0/][^\\s\\0]*$',
      maxLength: 2048,
      description: 'URL that an image links to. Not allowed for videos.',
    }),
    null: true,
    create: 'optional',
  },
  creative_type: { schema: creativeType },
  entity_status: status,
  approval_status: approval,
  campaign_id: { schema: base36('The campaign of the line item.'), unshown: true },
} as const
