import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countryCodes, countryName, isCountry } from '../../platform/common/countries.ts'
import { appStoreCategories, isAppStoreCategory } from './app-store-categories.ts'
import { biddingRuleByCurrency, biddingRules } from './bidding-rules.ts'
import { businessCategories } from './business-categories.ts'
import { contentCategories } from './content-categories.ts'
import { conversations, conversationTypes, isConversation } from './conversations.ts'
import { curatedCategories, curatedCategoryById } from './curated-categories.ts'
import { currencies, currencyByCode } from './currencies.ts'
import { deviceByValue, devices } from './devices.ts'
import { eventByValue, eventsBetween, recurringEvents } from './events.ts'
import { expandIab, iabCategories, iabCategoryById, isIabCategory } from './iab-categories.ts'
import { interestByValue, interests } from './interests.ts'
import { isLanguage, languageByValue, languageCodes, languageName, languages } from './languages.ts'
import {
  countryLocationId,
  countryOfLocation,
  isLocation,
  locationById,
  locationOption,
  locations,
  locationTypes,
} from './locations.ts'
import { networkOperatorByValue, networkOperators } from './network-operators.ts'
import { placementOptions, placements, placementsOfProductType, productTypes } from './placements.ts'
import { platformVersionByValue, platformVersions } from './platform-versions.ts'
import { platformByValue, platforms } from './platforms.ts'
import { publisherByUserId, publishers } from './publishers.ts'
import { isTvMarket, tvMarkets } from './tv-markets.ts'

const values = (options: readonly { targeting_value: string }[]) =>
  options.map((option) => option.targeting_value)

/** What identifies the entries of each set, and how many there are. */
const sets: Readonly<Record<string, [count: number, ids: readonly string[], form: RegExp]>> = {
  countries: [249, countryCodes, /^[A-Z]{2}$/],
  languages: [183, values(languages()), /^[a-z]{2}$/],
  locations: [61_040, locations().map(({ id }) => id), /^[0-9a-f]{16}$/],
  interests: [415, values(interests()), /^[1-9]\d{3,4}$/],
  platforms: [5, values(platforms), /^[0-4]$/],
  'platform versions': [114, values(platformVersions()), /^[0-9a-z]{2,4}$/],
  devices: [701, values(devices()), /^[0-9a-z]{2,5}$/],
  'network operators': [710, values(networkOperators()), /^[0-9a-z]{2,5}$/],
  'app store categories': [96, values(appStoreCategories()), /^[0-9a-z]{4}$/],
  conversations: [149, values(conversations()), /^[0-9a-z]{2,4}$/],
  'TV markets': [17, tvMarkets.map(({ locale }) => locale), /^[a-z]{2}-[A-Z]{2}$/],
  events: [62, values(recurringEvents()), /^[0-9a-z]{3,4}$/],
  'IAB categories': [392, iabCategories().map(({ id }) => id), /^IAB\d{1,2}(-\d{1,2})?$/],
  'business categories': [16, businessCategories().map(({ id }) => id), /^1[jk][0-9a-z]$/],
  'content categories': [15, contentCategories().map(({ id }) => id), /^[rs][0-9a-z]$/],
  'curated categories': [9, curatedCategories().map(({ id }) => id), /^[0-9a-z]{12}$/],
  publishers: [1146, publishers().map(({ user_id }) => user_id), /^1\d{18}$/],
  currencies: [156, currencies().map(({ code }) => code), /^[A-Z]{3}$/],
  'bidding rules': [156, biddingRules().map(({ currency }) => currency), /^[A-Z]{3}$/],
}

for (const [name, [count, ids, form]] of Object.entries(sets))
  test(`${name}: ${count} entries, each with an id of its own`, () => {
    assert.equal(ids.length, count)
    assert.equal(new Set(ids).size, count)
    assert.deepEqual(
      ids.filter((id) => !form.test(id)),
      [],
    )
  })

test('the documented targeting options are sent as documented', () => {
  assert.deepEqual(interestByValue('1001'), {
    name: 'Books and literature/Biographies and memoirs',
    targeting_type: 'INTEREST',
    targeting_value: '1001',
  })
  assert.deepEqual(languageByValue('en'), {
    name: 'English',
    targeting_type: 'LANGUAGE',
    targeting_value: 'en',
  })
  assert.deepEqual(platformByValue('0'), { name: 'iOS', targeting_type: 'PLATFORM', targeting_value: '0' })
  assert.deepEqual(platformVersionByValue('18'), {
    name: 'Jelly Bean',
    number: '4.1',
    os_type: 'Android',
    targeting_type: 'PLATFORM_VERSION',
    targeting_value: '18',
  })
  assert.deepEqual(deviceByValue('1r'), {
    name: 'iPhone 4',
    manufacturer: 'Apple',
    os_type: 'iOS',
    targeting_value: '1r',
    targeting_type: 'DEVICE',
  })
  assert.deepEqual(
    ['1b', '2l', '2t', '14', '1i'].map((value) => networkOperatorByValue(value)?.name),
    ['Aeris', 'Advantage', 'Airadigm', 'Airlink PCS', 'Airpeak'],
  )
  assert.deepEqual(
    appStoreCategories().find((category) => category.targeting_value === 'qouq'),
    { name: 'Games: Music', targeting_type: 'APP_STORE_CATEGORY', targeting_value: 'qouq', os_type: 'IOS' },
  )
  assert.deepEqual(
    conversations().find((conversation) => conversation.targeting_value === 'a1'),
    { targeting_type: 'CONVERSATION', targeting_value: 'a1', name: 'NFL', conversation_type: 'SPORTS' },
  )
  assert.deepEqual(tvMarkets[15], {
    name: 'United States - Hispanic',
    country_code: 'US',
    locale: 'es-US',
  })
})

test('the documented places have their ids', () => {
  const losAngeles = locationById('3b77caf94bfc81fe')
  assert.ok(losAngeles)
  assert.deepEqual(locationOption(losAngeles), {
    name: 'Los Angeles, Los Angeles CA, CA, USA',
    country_code: 'US',
    location_type: 'CITIES',
    targeting_value: '3b77caf94bfc81fe',
    targeting_type: 'LOCATION',
  })
  assert.equal(countryLocationId('US'), '96683cc9126741d1')
  assert.equal(locationById('96683cc9126741d1')?.name, 'United States')
  const names = [
    '67571a7baaa5906b',
    'ea9bfbd43c93400f',
    'a2de7c70b82b0ca0',
    '5122804691e5fecc',
    '019940ae78c7b3bc',
  ]
  assert.deepEqual(
    names.map((id) => locationById(id)?.name.split(',')[0]),
    ['East Los Angeles', 'Lake Los Angeles', 'Los Gatos', 'San Francisco-Oakland-San Jose CA', 'Los Angeles'],
  )
})

test('ids that are not documented stay what they are', () => {
  // Callers store these ids: a changed digest or key would silently change their meaning.
  assert.equal(countryLocationId('DE'), '6389d58d4f7fc8c0')
  assert.equal(locations().find(({ name }) => name === 'Bavaria, Germany')?.id, 'b1f48fce3ba6342f')
  assert.equal(locations().find(({ name }) => name === 'Munich, Bavaria, Germany')?.id, '5f9ce9936617929a')
  assert.equal(devices().find(({ name }) => name === 'Pixel 8')?.targeting_value, 'kkhua')
})

test('there is a place of every type, and every place lies in a country that is a place', () => {
  assert.deepEqual(new Set(locations().map(({ type }) => type)), new Set(locationTypes))
  for (const code of countryCodes) assert.equal(countryOfLocation(countryLocationId(code)), code)
  assert.deepEqual(
    locations().filter(({ countryCode }) => !isCountry(countryCode)),
    [],
  )
  assert.deepEqual(
    locations().filter(({ name }) => name.trim() !== name || name === '' || name.includes('undefined')),
    [],
  )
  assert.equal(isLocation('0000000000000000'), false)
})

test('countries and languages have names in other languages, and odd tags do no harm', () => {
  assert.equal(countryName('DE', 'fr'), 'Allemagne')
  assert.equal(languageName('de', 'fr'), 'allemand')
  assert.equal(countryName('DE', 'not a tag'), 'Germany')
  assert.equal(countryName('no country'), 'no country')
  assert.deepEqual(
    [...countryCodes.filter((code) => countryName(code) === code), ...languageCodes.filter(unnamed)],
    [],
  )
  assert.deepEqual([isCountry('XX'), isLanguage('xx')], [false, false])

  function unnamed(code: string): boolean {
    return languageName(code) === code
  }
})

test('the content taxonomy is complete', () => {
  const children = [7, 23, 12, 11, 15, 9, 45, 18, 31, 9, 5, 3, 12, 8, 10, 7, 44, 6, 36, 27, 3, 4, 10, 0, 7, 4]
  assert.deepEqual(
    children.map((_, at) => iabCategories().filter(({ parent_id }) => parent_id === `IAB${at + 1}`).length),
    children,
  )
  const names = ['IAB1-1', 'IAB7-1', 'IAB7-45', 'IAB17-44', 'IAB19-6', 'IAB19-18', 'IAB9-30', 'IAB14-1']
  assert.deepEqual(
    names.map((id) => iabCategoryById(id)?.name),
    [
      'Books & Literature',
      'Exercise',
      "Women's Health",
      'World Soccer',
      'Cell Phones',
      'Internet Technology',
      'Video & Computer Games',
      'Dating',
    ],
  )
})

test('every category that names IAB categories names existing ones', () => {
  const all = [...businessCategories(), ...contentCategories()]
  assert.deepEqual(
    all.flatMap(({ iab_categories }) => iab_categories).filter((id) => !isIabCategory(id)),
    [],
  )
  assert.deepEqual(expandIab('IAB4 IAB9-{1..3,31}'), ['IAB4', 'IAB9-1', 'IAB9-2', 'IAB9-3', 'IAB9-31'])
})

test('curated categories, content categories and publishers agree', () => {
  const counts = new Map<string, number>()
  for (const publisher of publishers()) {
    assert.ok(publisher.username.length <= 15)
    for (const id of publisher.content_category_ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  for (const category of contentCategories())
    assert.equal(counts.get(category.id), category.publishers_in_last_thirty_days, category.name)
  for (const category of curatedCategories())
    for (const userId of category.publisher_user_ids)
      assert.ok(publisherByUserId(userId), `${category.name}: ${userId}`)
  assert.deepEqual(
    curatedCategories().map(({ publisher_user_ids }) => publisher_user_ids.length),
    [75, 41, 46, 38, 51, 41, 39, 29, 36],
  )
  assert.equal(curatedCategoryById('9ddrgesiap6o')?.name, 'Soccer')
  assert.equal(publisherByUserId('1353868435021721602')?.username, 'examplepub')
})

test('placements: a row for every product type, of placements that exist', () => {
  assert.deepEqual(
    placementOptions.map(({ product_type }) => product_type),
    productTypes,
  )
  const known = new Set<string>(placements)
  assert.ok(placementOptions.every((row) => row.placements.flat().every((placement) => known.has(placement))))
  assert.deepEqual(placementsOfProductType('PROMOTED_ACCOUNT')?.placements, [
    ['ALL_ON_SERVICE'],
    ['SERVICE_TIMELINE'],
  ])
})

test('bidding rules: bounds are multiples of a positive denomination, decimals as documented', () => {
  assert.deepEqual(biddingRuleByCurrency('USD'), {
    currency: 'USD',
    minimum_cpe_bid_local_micro: 10_000,
    maximum_cpe_bid_local_micro: 1_000_000_000,
    minimum_denomination: 10_000,
  })
  for (const rule of biddingRules()) {
    const { minimum_denomination: step, currency } = rule
    assert.ok(Number.isInteger(step) && step > 0, currency)
    assert.ok(rule.minimum_cpe_bid_local_micro >= step, currency)
    assert.equal(rule.minimum_cpe_bid_local_micro % step, 0, currency)
    assert.equal(rule.maximum_cpe_bid_local_micro % step, 0, currency)
    assert.ok(rule.maximum_cpe_bid_local_micro > rule.minimum_cpe_bid_local_micro, currency)
  }
  const documented = {
    2:
      'AED VEF PKR IDR HKD QAR PHP NZD INR EUR ARS THB MXN EGP DZD SAR LBP COP TRY SGD MAD AUD USD MYR CAD BRL ' +
      'GBP',
    0: 'VND KRW CLP JPY',
    3: 'KWD IQD BHD TND',
  }
  for (const [decimals, codes] of Object.entries(documented))
    for (const code of codes.split(' ')) assert.equal(currencyByCode(code)?.decimals, Number(decimals), code)
})

test('an event is the next occurrence, or the first one between two times', () => {
  const at = (date: string) => Date.parse(`${date}T00:00:00Z`)
  const starts = (from: string, to: string) =>
    Object.fromEntries(
      eventsBetween(at(from), at(to)).map((event) => [event.name, event.start_time.slice(0, 10)]),
    )
  assert.deepEqual(eventsBetween(at('2018-01-01'), at('2018-01-02')), [
    {
      reach: { total_reach: null },
      name: "New Year's",
      start_time: '2017-12-31T00:00:00Z',
      end_time: '2018-01-02T00:00:00Z',
      top_users: [],
      top_posts: [],
      top_hashtags: [],
      gender_breakdown_percentage: {},
      device_breakdown_percentage: {},
      country_breakdown_percentage: {},
      country_code: null,
      targeting_value: '1ex',
      is_global: true,
      event_type: 'HOLIDAY',
    },
  ])
  const year = starts('2025-01-02', '2026-01-01')
  assert.equal(year.Easter, '2025-04-20')
  assert.equal(year['Good Friday'], '2025-04-18')
  assert.equal(year['Lunar New Year'], '2025-01-29')
  assert.equal(year['Eid al-Fitr'], '2025-03-30')
  assert.equal(year['Rosh Hashanah'], '2025-09-23')
  assert.equal(year['Memorial Day'], '2025-05-26')
  assert.equal(year['Black Friday'], '2025-11-28')
  assert.equal(year['Federal elections'], undefined)
  assert.equal(starts('2030-01-01', '2031-01-01')['Lunar New Year'], '2030-02-03')
  assert.equal(starts('2026-01-01', '2027-01-01')['Federal elections'], '2026-11-03')
  assert.equal(eventsBetween(at('2027-03-05')).length, recurringEvents().length)
  assert.equal(eventByValue('1ex')?.name, "New Year's")
})

test('every conversation type has conversations, and what is not listed is not found', () => {
  assert.equal(conversationTypes.length, 36)
  assert.ok(conversationTypes.every((type) => conversations().some((one) => one.conversation_type === type)))
  assert.deepEqual(
    [isConversation('zzzzz'), isAppStoreCategory('zzzzz'), isTvMarket('xx-XX'), isIabCategory('IAB27')],
    [false, false, false, false],
  )
})
