import type { Static } from 'typebox'
import { Type } from 'typebox'
import { component, webAddress } from '../../platform/http/schema.ts'

const closed = { additionalProperties: false }

const CallToActionLink = component(
  'CallToActionLink',
  Type.Object({ url: webAddress('Where it leads.') }, closed),
)

const appStoreId = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', description }))

/** The call to action of a post's video (core reference, 04 section 1.1). */
export const CallToActions = component(
  'CallToActions',
  Type.Object(
    {
      app_install: Type.Optional(
        Type.Object(
          {
            app_store_id: appStoreId('Numeric part of the store identifier, for iPhones.'),
            ipad_app_store_id: appStoreId('Numeric part of the store identifier, for iPads.'),
            play_store_id: Type.Optional(
              Type.String({
                pattern: '^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z0-9_]+)+$',
                maxLength: 255,
                description: 'Package name, for Android.',
              }),
            ),
          },
          { ...closed, description: 'The app to install, in at least one store.' },
        ),
      ),
      visit_site: Type.Optional(CallToActionLink),
      watch_now: Type.Optional(CallToActionLink),
    },
    closed,
  ),
)
export type CallToActions = Static<typeof CallToActions>
