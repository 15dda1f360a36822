import { countryCodes, countryName } from './countries.ts'
import { hexId } from './ids.ts'
import { lookup, once, readTable } from './lookup.ts'
import { metros } from './metros.ts'

export const locationTypes = ['COUNTRIES', 'REGIONS', 'METROS', 'CITIES', 'POSTAL_CODES'] as const
export type LocationType = (typeof locationTypes)[number]

/** A place that ads can be targeted at. */
export interface Location {
  /** 16 hexadecimal digits. */
  id: string
  /** The place and what it lies in: `Munich, Bavaria, Germany`. */
  name: string
  /** ISO 3166-1 alpha-2. */
  countryCode: string
  type: LocationType
}

/** What a location looks like in `GET /targeting_criteria/locations`. */
export interface LocationOption {
  name: string
  country_code: string
  location_type: LocationType
  targeting_value: string
  targeting_type: 'LOCATION'
}

/** Places whose id is documented; every other place has the digest of its key. */
const documentedIds: Readonly<Record<string, string>> = {
  'country:US': '96683cc9126741d1',
  'city:5368361': '3b77caf94bfc81fe',
  'city:5344994': '67571a7baaa5906b',
  'city:5364571': 'ea9bfbd43c93400f',
  'city:5368518': 'a2de7c70b82b0ca0',
  'metro:San Francisco-Oakland-San Jose CA': '5122804691e5fecc',
  'metro:Los Angeles, US': '019940ae78c7b3bc',
}

/**
 * Every place: countries first, then regions, metropolitan areas, cities and postal codes.
 * The first call reads the tables and makes 61,000 ids, about a fifth of a second; later calls cost nothing.
 */
export const locations = once((): readonly Location[] => [
  ...countries(),
  ...regions(),
  ...metroAreas(),
  ...cities(),
  ...postalCodes(),
])

/** The place with this id, a `targeting_value` of type LOCATION. */
export const locationById = lookup(locations, (location) => location.id)

export function isLocation(id: string): boolean {
  return locationById(id) !== undefined
}

/** The ISO 3166-1 alpha-2 code of the country a place lies in. */
export function countryOfLocation(id: string): string | undefined {
  return locationById(id)?.countryCode
}

/** The id of a country. */
export function countryLocationId(countryCode: string): string {
  return idOf(`country:${countryCode}`)
}

export function locationOption(location: Location): LocationOption {
  return {
    name: location.name,
    country_code: location.countryCode,
    location_type: location.type,
    targeting_value: location.id,
    targeting_type: 'LOCATION',
  }
}

function idOf(key: string): string {
  return documentedIds[key] ?? hexId(key)
}

/** How a country stands at the end of a longer name. The documented samples shorten this one. */
function inCountry(code: string): string {
  return code === 'US' ? 'USA' : countryName(code)
}

function countries(): Location[] {
  return countryCodes.map((code) => ({
    id: countryLocationId(code),
    name: countryName(code),
    countryCode: code,
    type: 'COUNTRIES',
  }))
}

function regions(): Location[] {
  return readTable('regions.tsv').flatMap(([country = '', ...entries]) => {
    const end = `, ${inCountry(country)}`
    return entries.map((entry): Location => {
      const [code, name] = atFirstSpace(entry)
      return {
        id: idOf(`region:${country}-${code}`),
        name: name + end,
        countryCode: country,
        type: 'REGIONS',
      }
    })
  })
}

function metroAreas(): Location[] {
  return metros.map((name) => ({ id: idOf(`metro:${name}`), name, countryCode: 'US', type: 'METROS' }))
}

function cities(): Location[] {
  return readTable('cities.tsv').flatMap(([country = '', region = '', ...entries]) => {
    const end = `${region === '' ? '' : `, ${region}`}, ${inCountry(country)}`
    return entries.map((entry): Location => {
      const [geonameId, name] = atFirstSpace(entry)
      return { id: idOf(`city:${geonameId}`), name: name + end, countryCode: country, type: 'CITIES' }
    })
  })
}

function postalCodes(): Location[] {
  return readTable('postal-codes.tsv').flatMap(([prefix = '', rest = '']) =>
    (rest.match(/../g) ?? []).map((last): Location => {
      const code = `${prefix}${last}`
      return { id: idOf(`postal:US-${code}`), name: `${code}, USA`, countryCode: 'US', type: 'POSTAL_CODES' }
    }),
  )
}

function atFirstSpace(entry: string): [string, string] {
  const at = entry.indexOf(' ')
  return [entry.slice(0, at), entry.slice(at + 1)]
}
