import { type TProperties, type TSchema, Type } from 'typebox'
import { appStoreCategories } from '../../../domain/reference-data/app-store-categories.ts'
import { conversations, conversationTypes } from '../../../domain/reference-data/conversations.ts'
import { devices } from '../../../domain/reference-data/devices.ts'
import { interests } from '../../../domain/reference-data/interests.ts'
import { languages } from '../../../domain/reference-data/languages.ts'
import {
  type Location,
  locationOption,
  locations,
  locationsReady,
  locationTypes,
} from '../../../domain/reference-data/locations.ts'
import { networkOperators } from '../../../domain/reference-data/network-operators.ts'
import { platformVersions } from '../../../domain/reference-data/platform-versions.ts'
import { platforms } from '../../../domain/reference-data/platforms.ts'
import { countryCodes } from '../../../platform/common/countries.ts'
import { once } from '../../../platform/common/lookup.ts'
import { choice, closedComponent, componentName, standard } from '../../../platform/http/schema.ts'
import { groups, pageOf, SearchableList, search } from '../constant-list.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { type AdsEndpoint, adsEndpoint, LIMITS } from '../endpoint.ts'
import { paging } from '../entity/list.ts'
import { lang } from './criteria.ts'
import { localizedName } from './localized.ts'

const SOURCE = 'Campaign management (reference: targeting options)'

const named = Type.String({ description: 'Human-readable name.' })
const value = Type.String({ description: 'Value for a targeting criterion.' })
const localized = Type.Optional(Type.String({ description: 'The name in `lang`.' }))

/** An item of an option list, as targeting criteria use it. */
const option = <const Type_ extends string>(type: Type_, more: TProperties = {}) =>
  closedComponent(componentName(type, 'option'), {
    name: named,
    ...more,
    targeting_type: choice([type], 'Type for a targeting criterion.'),
    targeting_value: value,
  })

interface OptionList<Entry, Query> {
  id: string
  /** The path after `/targeting_criteria/`. */
  name: string
  many: string
  about: string
  query: TProperties
  item: TSchema
  /** Builds expensive data in steps, before the first response. */
  ready?: () => Promise<void>
  /** The entries that match the filters, except for `q`. */
  among(query: Query): SearchableList<Entry>
  /** An entry in a reply. */
  show?(entry: Entry, query: Query): unknown
  dataType?: string
}

interface PagedListQuery {
  count?: number
  cursor?: string
  q?: string
}

/** Lists that fit into one reply are not paged. */
const WHOLE = 1000

/** `GET /targeting_criteria/<name>`: a list of options to target. */
function optionList<Entry, Query extends PagedListQuery>(list: OptionList<Entry, Query>): AdsEndpoint {
  const { id, name, many, about, query, item, ready, among, show, dataType } = list
  return adsEndpoint({
    id,
    method: 'GET',
    path: `/targeting_criteria/${name}`,
    summary: `List ${many} to target`,
    description: about,
    source: SOURCE,
    limits: LIMITS.targeting,
    query,
    data: Type.Array(item),
    beside: dataType === undefined ? ['cursor'] : ['cursor', 'type'],
    async handle({ query: parameters }, context: AdsDependencies) {
      await ready?.()
      const query = parameters as Query
      const { count = WHOLE, cursor, q, ...filters } = query
      const { page, next_cursor } = pageOf(among(query), [name, filters], { count, cursor, q }, context)
      return {
        data: show ? page.map((entry) => show(entry, query)) : page,
        next_cursor,
        ...(dataType !== undefined && { data_type: dataType }),
      }
    },
  })
}

const searchable = <Entry extends { name: string }>(all: () => readonly Entry[]) =>
  once(() => new SearchableList(all(), ({ name }) => name))

/** An option with its name in the requested language. */
const inLang = <Entry extends { targeting_type: string; targeting_value: string }>(
  entry: Entry,
  { lang: locale }: { lang?: string },
): Entry & { localized_name?: string } => {
  const name = locale === undefined ? undefined : localizedName(entry, locale)
  return name === undefined ? entry : { ...entry, localized_name: name }
}

const storeCategories = groups(
  appStoreCategories,
  (option) => ['ALL', option.os_type],
  ({ name }) => name,
)

export const listAppStoreCategories = optionList({
  id: 'listAppStoreCategories',
  name: 'app_store_categories',
  many: 'app store categories',
  about: 'Returns all categories, without paging.',
  query: {
    q: search,
    os_type: Type.Optional(
      choice(
        ['ANDROID', 'IOS'],
        'Returns only categories of the store of this operating system.',
        'AppStoreSystem',
      ),
    ),
  },
  item: option('APP_STORE_CATEGORY', {
    os_type: choice(['ANDROID', 'IOS'], 'Operating system of the store.', 'AppStoreSystem'),
  }),
  among: ({ os_type = 'ALL' }: PagedListQuery & { os_type?: string }) => storeCategories(os_type),
})

const conversationsOfType = groups(
  conversations,
  (option) => ['ALL', option.conversation_type],
  ({ name }) => name,
)

const conversationType = choice([...conversationTypes], 'Topic of the conversation.', 'ConversationType')

export const listConversations = optionList({
  id: 'listConversations',
  name: 'conversations',
  many: 'conversation topics',
  about: 'Returns topics of conversation.',
  query: { conversation_type: Type.Optional(conversationType), ...paging() },
  item: option('CONVERSATION', { conversation_type: conversationType }),
  among: ({ conversation_type = 'ALL' }: PagedListQuery & { conversation_type?: string }) =>
    conversationsOfType(conversation_type),
})

const allDevices = searchable(devices)

export const listDevices = optionList({
  id: 'listDevices',
  name: 'devices',
  many: 'devices',
  about: 'Returns phones and tablets.',
  query: { ...paging(), q: search },
  item: option('DEVICE', {
    manufacturer: Type.String(),
    os_type: choice(['iOS', 'Android', 'BlackBerry'], 'Operating system.'),
  }),
  among: allDevices,
})

const allInterests = searchable(interests)

export const listInterests = optionList({
  id: 'listInterests',
  name: 'interests',
  many: 'interests',
  about: 'Returns interests, which form a hierarchy.',
  query: { ...paging(), q: search },
  item: option('INTEREST'),
  among: allInterests,
})

const allLanguages = searchable(languages)

export const listLanguages = optionList<
  ReturnType<typeof languages>[number],
  PagedListQuery & { lang?: string }
>({
  id: 'listLanguages',
  name: 'languages',
  many: 'languages',
  about: 'Returns languages, ordered by their English name.',
  query: { ...paging(), q: search, lang },
  item: option('LANGUAGE', { localized_name: localized }),
  among: allLanguages,
  show: inLang,
})

/**
 * Places by country and type, each combination as a separate list, because there are tens of
 * thousands of places.
 */
const places = groups(
  locations,
  ({ countryCode, type }) => ['', countryCode, `/${type}`, `${countryCode}/${type}`],
  ({ name }) => name,
)

interface LocationListQuery extends PagedListQuery {
  country_code?: string
  location_type?: string
  lang?: string
}

export const listLocations = optionList<Location, LocationListQuery>({
  id: 'listLocations',
  name: 'locations',
  many: 'locations',
  about: 'Returns locations: countries first, then regions, metropolitan areas, cities and postal codes.',
  query: {
    ...paging(),
    country_code: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{2}$',
        description: 'ISO 3166-1 alpha-2 code. An unknown one has no locations.',
      }),
    ),
    location_type: Type.Optional(
      choice([...locationTypes], 'Returns only locations of this type.', 'LocationType'),
    ),
    q: search,
    lang,
  },
  item: option('LOCATION', {
    country_code: Type.String(),
    location_type: choice([...locationTypes], 'Type of location.', 'LocationType'),
    localized_name: localized,
  }),
  ready: locationsReady,
  among: ({ country_code = '', location_type }) => {
    const code = country_code.toUpperCase()
    return places(location_type === undefined ? code : `${code}/${location_type}`)
  },
  show: (place, query) => inLang(locationOption(place), query),
})

const operators = groups(
  networkOperators,
  (option) => [option.country_code],
  ({ name }) => name,
)

export const listNetworkOperators = optionList({
  id: 'listNetworkOperators',
  name: 'network_operators',
  many: 'network operators',
  about: 'Returns the mobile network operators of a country.',
  query: {
    ...paging(),
    country_code: Type.Optional(
      standard(choice([...countryCodes], 'ISO 3166-1 alpha-2 code; `US` by default.', 'CountryCode')),
    ),
    q: search,
  },
  item: option('NETWORK_OPERATOR', { country_code: Type.String() }),
  among: ({ country_code = 'US' }: PagedListQuery & { country_code?: string }) => operators(country_code),
})

const allPlatformVersions = searchable(platformVersions)

export const listPlatformVersions = optionList({
  id: 'listPlatformVersions',
  name: 'platform_versions',
  many: 'platform versions',
  about: 'Returns all categories, without paging.',
  query: { q: search },
  item: option('PLATFORM_VERSION', {
    number: Type.String({ description: 'The version.' }),
    os_type: choice(['iOS', 'Android'], 'Operating system of the version.'),
  }),
  among: allPlatformVersions,
  dataType: 'targeting_criterion',
})

const allPlatforms = searchable(() => platforms)

export const listPlatforms = optionList<(typeof platforms)[number], PagedListQuery & { lang?: string }>({
  id: 'listPlatforms',
  name: 'platforms',
  many: 'platforms',
  about: 'Returns platforms: operating systems and types of devices.',
  query: { ...paging(), q: search, lang },
  item: option('PLATFORM', { localized_name: localized }),
  among: allPlatforms,
  show: inLang,
})
