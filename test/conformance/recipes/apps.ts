import { appEventProviderConfigurations } from '../../../src/api/ads/app-event-provider-configurations/app-event-provider-configurations.ts'
import { appEventTags } from '../../../src/api/ads/app-event-tags/app-event-tags.ts'
import { appLists } from '../../../src/api/ads/app-lists/app-lists.ts'
import { lineItemApps } from '../../../src/api/ads/line-item-apps/line-item-apps.ts'
import { Advertiser } from '../../support/advertiser.ts'
import { makeWebEventTag } from '../../support/targeting.ts'
import { own } from './campaigns.ts'
import type { Recipe } from './recipe.ts'

const tag = {
  app_store_identifier: 'com.example.game',
  os_type: 'ANDROID',
  conversion_type: 'INSTALL',
  provider_app_event_id: '42',
  provider_app_event_name: 'Install',
}
const anAppEventTag = own(async (one) => ({
  params: { app_event_tag_id: (await one.make(appEventTags, tag)).id },
}))

const list = { name: 'Games', app_store_identifiers: ['com.example.game'] }
const anAppList = own(async (one) => ({ params: { app_list_id: (await one.make(appLists, list)).id } }))

const lineItemApp = async (one: Advertiser) => ({
  line_item_id: (await one.lineItem()).id,
  app_store_identifier: 'com.example.game',
  os_type: 'ANDROID',
})
const aLineItemApp = own(async (one) => ({
  params: { line_item_app_id: (await one.make(lineItemApps, await lineItemApp(one))).id },
}))

const configuration = { provider_advertiser_id: 'a-17' }
const configured = async (one: Advertiser) => {
  const { id } = await one.make(appEventProviderConfigurations, configuration)
  return { params: { app_event_provider_configuration_id: id } }
}

const event = {
  app_id: 'com.example.game',
  os_type: 'ANDROID',
  conversion_type: 'INSTALL',
  conversion_time: '2026-03-01T12:00:00.000Z',
  hashed_device_id: 'nHnJjfYbmWZVRcpwRoCPVDGGbSXN6mPEBRCEWYJe2Ns=',
  click_window: '14',
  view_through_window: '1',
  extra_device_ids: 'a,b',
  non_service_engagement_time: '2026-03-01T11:00:00.000Z',
  non_service_engagement_type: 'VIEW',
  limit_ad_tracking: 'false',
}
const details = {
  device_ip_address: '192.0.2.1',
  level: '2',
  number_items: '1',
  price_currency: 'EUR',
  price_micro: '1990000',
  user_payment_info: 'true',
}
/** The app that calls measures the account of the caller. */
const measured =
  (call: object): Recipe =>
  async ({ plaza, app }, { user }) => {
    const advertiser = await Advertiser.open(plaza.context, user.id, 'production', app.id)
    await advertiser.make(appEventTags, tag)
    await advertiser.make(appEventProviderConfigurations, configuration)
    return call
  }

/** Calls of endpoints about apps and what measures them. */
export const appRecipes: Readonly<Record<string, Recipe>> = {
  listAppEventTags: own(),
  getAppEventTag: anAppEventTag,
  createAppEventTag: own(async () => ({ form: tag })),
  deleteAppEventTag: anAppEventTag,
  listAppLists: own(),
  getAppList: anAppList,
  createAppList: own(async () => ({ form: { name: 'Games', app_store_identifiers: 'com.example.game' } })),
  deleteAppList: anAppList,
  listLineItemApps: own(),
  getLineItemApp: aLineItemApp,
  createLineItemApp: own(async (one) => ({ form: await lineItemApp(one) })),
  deleteLineItemApp: aLineItemApp,
  listAppEventProviderConfigurations: own(),
  getAppEventProviderConfiguration: own(configured),
  createAppEventProviderConfiguration: own(async () => ({ form: configuration })),
  deleteAppEventProviderConfiguration: own(configured),
  recordConversionEvent: measured({ form: { ...event, ...details } }),
  getConversionAttribution: measured({ query: event }),
  receiveConversions: async ({ plaza }, { user }) => {
    const advertiser = await Advertiser.open(plaza.context, user.id, 'production')
    const { id, website_tag_id } = await makeWebEventTag(advertiser)
    const identifiers = [{ click_id: '26l6412g5p4iyj65a2oic2ayg2' }]
    return {
      params: { pixel_id: String(website_tag_id) },
      json: { conversions: [{ conversion_time: '2026-03-01T12:00:00.000Z', event_id: id, identifiers }] },
    }
  },
}
