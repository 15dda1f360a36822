import { Type } from 'typebox'
import { base36, choice, integerChoice, text } from '../../../platform/http/schema.ts'
import { required } from '../entity/fields.ts'

/** Days after a click within which a conversion counts. */
const CLICK_WINDOWS = [1, 7, 14, 30, 60, 90]

/** Days after a view within which a conversion counts; 0: views do not count. */
const VIEW_WINDOWS = [0, ...CLICK_WINDOWS]

/** One for each conversion in the reference's metrics of websites. */
const TYPES = [
  'ADD_TO_CART',
  'ADD_TO_WISHLIST',
  'CHECKOUT_INITIATED',
  'CONTENT_VIEW',
  'CUSTOM',
  'DOWNLOAD',
  'LANDING_PAGE_VIEW',
  'PAYMENT_INFO_ADDITION',
  'PURCHASE',
  'SEARCH',
  'SIGN_UP',
  'SITE_VISIT',
  'SUBSCRIPTION',
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
  status: { schema: choice(['UNVERIFIED'], 'No conversion has been seen yet.') },
  embed_code: { schema: text(0, 10_000, 'Null: Plaza does not count conversions.'), null: true },
  website_tag_id: {
    schema: base36('Null: Plaza has no website tags.'),
    column: { type: 'text' },
    null: true,
  },
} as const
