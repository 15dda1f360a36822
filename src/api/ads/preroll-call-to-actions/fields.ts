import { base36, choice, webAddress } from '../../../platform/http/schema.ts'
import { required } from '../entity/fields.ts'

export const fields = {
  line_item_id: { schema: base36('Line item whose videos show the call to action.'), create: 'required' },
  call_to_action: {
    schema: choice(
      ['GO_TO', 'SEE_MORE', 'SHOP', 'VISIT_SITE', 'WATCH_NOW'],
      'Call to action.',
      'PrerollAction',
    ),
    ...required,
  },
  call_to_action_url: { schema: webAddress('URL of the call to action.'), ...required },
} as const
