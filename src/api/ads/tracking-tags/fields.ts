import { base36, choice, webAddress } from '../../../platform/http/schema.ts'
import { required } from '../entity/fields.ts'

export const fields = {
  line_item_id: { schema: base36('The line item that is tracked.'), create: 'required' },
  tracking_tag_type: {
    schema: choice(['IMPRESSION_TAG', 'CLICK_TRACKER'], 'Event that is tracked.'),
    create: 'required',
  },
  tracking_tag_url: { schema: webAddress('URL that is requested.'), ...required },
} as const
