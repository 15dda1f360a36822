import { type Static, Type } from 'typebox'
import { countryOfLocation, locationsReady } from '../../../domain/reference-data/locations.ts'
import { base36, choice, closedComponent, closedObject, id, nullable } from '../../../platform/http/schema.ts'
import { attributionOf } from '../conversions/attribution.ts'
import { timeOf } from '../conversions/check.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { fields as lineItemFields } from '../line-items/fields.ts'
import { segmentOfPerson, segmentsFor } from '../stats/segments.ts'
import type { AccountCredit, EventAttribution } from './attribute.ts'
import { questionParameters, ENGAGEMENT_TYPES, eventParameters, type EventForm } from './parameters.ts'
import { namesOfCredit } from './queries.ts'

const time = (description: string) => Type.String({ description: `${description} UTC, with milliseconds.` })

/** Always null: nothing is shown outside of the service. */
const nowhere = (description: string) => nullable(Type.String({ description: `${description} Always null.` }))

const ServiceAttribution = closedComponent('ServiceAttribution', {
  country_code: Type.String({ description: 'Country of the person, ISO 3166-1 alpha-2.' }),
  engagement_time: time('When the person met the advertisement.'),
  engagement_type: choice(
    [...ENGAGEMENT_TYPES],
    'How: by an engagement of any kind, or a view.',
    'AdEngagement',
  ),
  attribution_type: choice(['PROMOTED'], 'Only advertisements are credited.'),
  post_id: nullable(id('The post that was shown; null for a promoted account or a media creative.')),
  promoted_properties: closedObject({
    account_id: base36('The account.'),
    campaign_id: base36('The campaign.'),
    campaign_name: nullable(Type.String({ description: 'Name of the campaign.' })),
    line_item_id: base36('The line item.'),
    line_item_objective: lineItemFields.objective.schema,
    publisher_app_id: nowhere('App in which it was shown.'),
  }),
})

const { level, number_items, price_currency, price_micro, user_payment_info } = eventParameters

const before = {
  app_id: questionParameters.app_id,
  os_type: questionParameters.os_type,
  hashed_device_id: questionParameters.hashed_device_id,
  conversion_type: questionParameters.conversion_type,
  conversion_time: time('When it happened.'),
  click_window: Type.Integer({ description: 'Days after an engagement during which it counted.' }),
  view_through_window: Type.Integer({ description: 'Days after a view during which it counted.' }),
}

const after = {
  non_service_engagement_time: nullable(time('When the person last met an advertisement elsewhere.')),
  non_service_engagement_type: nullable(choice([...ENGAGEMENT_TYPES], 'As it was sent.', 'AdEngagement')),
  partner_client_id: id('The client application that called.'),
  conversion_value_micro: Type.Integer({ description: '`price_micro` of an event.' }),
  limit_ad_tracking: Type.Boolean({ description: 'As it was sent.' }),
  event_metadata: nullable(
    closedComponent('EventMetadata', { level, number_items, price_currency, price_micro, user_payment_info }),
  ),
  network_attribution: nullable(closedObject({})),
  service_attribution: nullable(ServiceAttribution),
}

/** The reply to an event. */
export const ConversionEvent = closedComponent('ConversionEvent', { ...before, ...after })

/** The reply to the same question without an event. */
export const ConversionAttribution = closedComponent('ConversionAttribution', {
  ...before,
  extra_device_ids: nullable(Type.Array(Type.String(), { description: 'As they were sent.' })),
  ...after,
})

type EventReply = Static<typeof ConversionEvent>

/** What both replies show. */
export async function shownEvent(
  sent: EventForm,
  { event, credit, windows }: EventAttribution,
  { partner, ...context }: { partner: string } & Pick<AdsDependencies, 'store' | 'config'>,
): Promise<EventReply> {
  const { non_service_engagement_time: elsewhere } = sent
  return {
    app_id: event.appId,
    os_type: event.system,
    hashed_device_id: sent.hashed_device_id,
    conversion_type: sent.conversion_type,
    conversion_time: exact(event.atMs),
    click_window: windows.clickDays,
    view_through_window: windows.viewDays,
    non_service_engagement_time: elsewhere === undefined ? null : exact(timeOf(elsewhere)),
    non_service_engagement_type: sent.non_service_engagement_type ?? null,
    partner_client_id: partner,
    conversion_value_micro: sent.price_micro ?? 0,
    limit_ad_tracking: sent.limit_ad_tracking ?? false,
    event_metadata: metadataOf(sent),
    network_attribution: null,
    service_attribution: credit ? await shownCredit(credit, context) : null,
  }
}

const exact = (timeMs: number) => new Date(timeMs).toISOString()

const METADATA = ['level', 'number_items', 'price_currency', 'price_micro', 'user_payment_info'] as const

/** What describes an event; null if nothing does. */
function metadataOf(sent: EventForm): EventReply['event_metadata'] {
  const given = METADATA.filter((name) => sent[name] !== undefined)
  return given.length === 0 ? null : Object.fromEntries(given.map((name) => [name, sent[name]]))
}

async function shownCredit(
  credit: AccountCredit,
  { store, config }: Pick<AdsDependencies, 'store' | 'config'>,
): Promise<Static<typeof ServiceAttribution>> {
  const { row, way, timeMs } = credit
  const { account_id } = credit.account
  const { campaign_id, line_item_id } = row
  const named = await store.first(namesOfCredit, { account: account_id, lineItem: line_item_id })
  if (!named) throw new Error(`Line item ${line_item_id} of the ledger does not exist`)
  return {
    country_code: (await targetedCountry(credit, store)) ?? config.defaultCountry,
    engagement_time: exact(timeMs),
    engagement_type: way === 'engagement' ? 'CLICK' : 'VIEW',
    attribution_type: 'PROMOTED',
    post_id: row.post_id,
    promoted_properties: {
      account_id,
      campaign_id,
      campaign_name: named.campaign_name,
      line_item_id,
      line_item_objective: named.objective,
      publisher_app_id: null,
    },
  }
}

/** The country of the targeted place that figures by `LOCATIONS` count the person for. */
async function targetedCountry(
  { row, account, ...credit }: AccountCredit,
  store: AdsDependencies['store'],
): Promise<string | undefined> {
  await locationsReady()
  const type = 'LOCATIONS'
  const segmentsOf = await segmentsFor([row], { account: account.account_id, type, country: null }, store)
  const { person } = attributionOf({ row, ...credit })
  const place = segmentOfPerson(segmentsOf(row), person ?? 0, type)
  return place && countryOfLocation(place.value)
}
