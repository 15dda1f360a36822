import { Type } from 'typebox'
import { base36, choice, instant, integerChoice, text } from '../../../platform/http/schema.ts'
import { required } from '../entity/fields.ts'

/** Days after a click within which a conversion counts. */
const CLICK_WINDOWS = [1, 7, 14, 30]

/** Days after a view within which a conversion counts; 0: views do not count. */
const VIEW_WINDOWS = [0, ...CLICK_WINDOWS]

const TYPES = [
  'ADDED_PAYMENT_INFO',
  'ADD_TO_CART',
  'ADD_TO_WISHLIST',
  'CHECKOUT_INITIATED',
  'CONTENT_VIEW',
  'CUSTOM',
  'DOWNLOAD',
  'PRODUCT_CUSTOMIZATION',
  'PURCHASE',
  'SEARCH',
  'SIGN_UP',
  'SITE_VISIT',
  'START_TRIAL',
  'SUBSCRIBE',
] as const

export const fields = {
  name: { schema: text(1, 255, 'Name of the tag.'), ...required },
  type: { schema: choice([...TYPES], 'Type of conversion.', 'ConversionType'), ...required },
  click_window: {
    schema: integerChoice(
      CLICK_WINDOWS,
      'Days after a click during which a conversion is counted.',
      'ClickWindow',
    ),
    ...required,
  },
  view_through_window: {
    schema: integerChoice(
      VIEW_WINDOWS,
      'Days after a view during which a conversion is counted; 0 for none.',
      'ViewThroughWindow',
    ),
    ...required,
  },
  retargeting_enabled: {
    schema: Type.Boolean({ description: 'Whether visitors of the website can be targeted.' }),
    ...required,
  },
  status: {
    schema: choice(['UNVERIFIED', 'TRACKING'], 'Whether a conversion has been seen.'),
    moves: true,
  },
  last_tracked_at: { schema: instant('When a conversion was last seen.'), null: true, moves: true },
  website_tag_id: { schema: base36('The event source: conversions are sent to it.') },
  embed_code: {
    schema: text(0, 10_000, 'A comment that names the event source and the tag, for the website.'),
    derived: true,
  },
} as const
