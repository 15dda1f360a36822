import { long, text } from '../../../platform/http/schema.ts'

const MAX_ID = 255

export const fields = {
  provider_advertiser_id: {
    schema: text(1, MAX_ID, 'Id of the advertiser at the provider.'),
    create: 'required',
  },
  provider_advertiser_identifier: {
    schema: text(1, MAX_ID, 'The same as `provider_advertiser_id`.'),
    derived: 'fixed',
  },
  provider_name: { schema: text(1, MAX_ID, 'The app that created it: that of the provider.') },
  provider_app_id: { schema: long('The same app.'), unshown: true },
} as const
