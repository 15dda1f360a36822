import { Type } from 'typebox'
import { choice, instant, integerChoice, text } from '../../../platform/http/schema.ts'
import { MAX_APP_IDENTIFIER, MAX_DEEP_LINK } from '../accounts/app-fields.ts'

/** Days after an engagement within which a conversion counts. */
export const ENGAGEMENT_WINDOWS = [1, 7, 14, 30]

/** Days after a view within which a conversion counts; 0: views do not count. */
export const VIEW_WINDOWS = [0, ...ENGAGEMENT_WINDOWS]

const CONVERSIONS = [
  'ACHIEVEMENT_UNLOCKED',
  'ADDED_PAYMENT_INFO',
  'ADD_TO_CART',
  'ADD_TO_WISHLIST',
  'CHECKOUT_INITIATED',
  'CONTENT_VIEW',
  'INSTALL',
  'INVITE',
  'LEVEL_ACHIEVED',
  'LOGIN',
  'PURCHASE',
  'RATED',
  'RESERVATION',
  'RE_ENGAGE',
  'SEARCH',
  'SHARE',
  'SIGN_UP',
  'SPENT_CREDITS',
  'TUTORIAL_COMPLETE',
  'UPDATE',
] as const

const appStoreIdentifier = text(1, MAX_APP_IDENTIFIER, 'Package name, or number in the store.')
const osType = choice(['ANDROID', 'IOS'], 'Operating system of the app.', 'AppSystem')

export const fields = {
  app_store_identifier: { schema: appStoreIdentifier, create: 'required' },
  os_type: { schema: osType, create: 'required' },
  conversion_type: {
    schema: choice([...CONVERSIONS], 'Type of conversion.', 'AppConversionType'),
    create: 'required',
  },
  provider_app_event_id: {
    schema: text(1, 255, 'Id of the event at the provider that measures it.'),
    create: 'required',
  },
  provider_app_event_name: {
    schema: text(1, 255, 'Name of the event at the provider that measures it.'),
    create: 'required',
  },
  deep_link_scheme: {
    schema: text(1, MAX_DEEP_LINK, 'Scheme of deep links into the app.'),
    null: true,
    create: 'optional',
  },
  post_engagement_attribution_window: {
    schema: integerChoice(
      ENGAGEMENT_WINDOWS,
      'Days after an engagement during which a conversion is counted; 30 by default.',
      'PostEngagementWindow',
    ),
    create: 'optional',
  },
  post_view_attribution_window: {
    schema: integerChoice(
      VIEW_WINDOWS,
      'Days after a view during which a conversion is counted, 0 for none; 1 by default.',
      'PostViewWindow',
    ),
    create: 'optional',
  },
  retargeting_enabled: {
    schema: Type.Boolean({ description: 'Whether users of the app can be targeted; `true` by default.' }),
    create: 'optional',
  },
  status: { schema: choice(['UNVERIFIED', 'TRACKING'], 'Whether a conversion has been seen.') },
  last_tracked_at: { schema: instant('When a conversion was last seen.'), null: true },
} as const
