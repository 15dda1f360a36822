import { countryCodes, countryName } from '../../platform/common/countries.ts'
import { lookup, once, readTable } from '../../platform/common/lookup.ts'
import { hexId } from './ids.ts'

export const locationTypes = ['COUNTRIES', 'REGIONS', 'METROS', 'CITIES', 'POSTAL_CODES'] as const
export type LocationType = (typeof locationTypes)[number]

/** A place that ads can be targeted at. */
export interface Location {
  /** 16 hexadecimal digits. */
  id: string
  /** The place and those that contain it: `Munich, Bavaria, Germany`. */
  name: string
  /** ISO 3166-1 alpha-2. */
  countryCode: string
  type: LocationType
  /**
   * Its longitude, latitude and width in km, as in the tables: a postal code has no width. See
   * `boxOfLocation`.
   */
  where?: string
}

/** A box in degrees. */
export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** A location in `GET /targeting_criteria/locations`. */
export interface LocationOption {
  name: string
  country_code: string
  location_type: LocationType
  targeting_value: string
  targeting_type: 'LOCATION'
}

/** How many places are created between two turns of the event loop. */
const PLACES_AT_ONCE = 1000

function* places(): Generator<Location> {
  yield* countries()
  yield* regions()
  yield* metroAreas()
  yield* cities()
  yield* postalCodes()
}

let made: readonly Location[] | undefined

/**
 * Every place: countries first, then regions, metropolitan areas, cities and postal codes. The
 * first call reads the tables and creates 61,000 ids, which takes about a fifth of a second; later
 * calls cost nothing. A server first waits for `locationsReady`, which does that in steps.
 */
export const locations = (): readonly Location[] => {
  made ??= [...places()]
  return made
}

/** Creates the places in small steps, so that other requests are served in between. */
export const locationsReady = once(async (): Promise<void> => {
  const list: Location[] = []
  for (const place of places()) {
    list.push(place)
    if (list.length % PLACES_AT_ONCE === 0) await nextTurn()
  }
  made ??= list
  locationById('')
})

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** The place with this id, a `targeting_value` of type LOCATION. */
export const locationById = lookup(locations, (location) => location.id)

export function isLocation(id: string): boolean {
  return locationById(id) !== undefined
}

/** The ISO 3166-1 alpha-2 code of the country of a place. */
export function countryOfLocation(id: string): string | undefined {
  return locationById(id)?.countryCode
}

/**
 * The code of the country with an id; undefined for other places. Does not load the other places.
 */
export const countryByLocationId = (id: string): string | undefined => countryOfId(id)?.countryCode

const countryOfId = lookup(
  () => [...countries()],
  (country) => country.id,
)

/** The id of a country. */
export function countryLocationId(countryCode: string): string {
  return hexId(`country:${countryCode}`)
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

/** The name of a country at the end of a longer name. The documented samples shorten this one. */
function inCountry(code: string): string {
  return code === 'US' ? 'USA' : countryName(code)
}

const KM_PER_DEGREE = 111.195
/** The assumed width of a postal code's area. */
const POSTAL_CODE_KM = 6
/** Closer to a pole than this latitude, degrees of longitude count as at this latitude. */
const MAX_LATITUDE = 89

/**
 * The approximate area of a place: a box around the point of a city or postal code, in degrees.
 * Undefined for larger places.
 */
export function boxOfLocation({ where }: Location): Box | undefined {
  if (where === undefined) return undefined
  const [longitude = 0, latitude = 0, width = POSTAL_CODE_KM] = where.split(' ').map(Number)
  const dy = width / 2 / KM_PER_DEGREE
  const dx = dy / Math.cos((Math.min(Math.abs(latitude), MAX_LATITUDE) * Math.PI) / 180)
  return {
    west: rounded(Math.max(longitude - dx, -180)),
    south: rounded(Math.max(latitude - dy, -90)),
    east: rounded(Math.min(longitude + dx, 180)),
    north: rounded(Math.min(latitude + dy, 90)),
  }
}

/** Rounded to about 10 m, the precision of the points, and of replies. */
const rounded = (degrees: number) => Math.round(degrees * 1e4) / 1e4

function* countries(): Generator<Location> {
  for (const code of countryCodes)
    yield { id: countryLocationId(code), name: countryName(code), countryCode: code, type: 'COUNTRIES' }
}

/** Each country with its regions: `BY Bavaria`. */
export const regionsByCountry = (): string[][] => readTable(new URL('regions.tsv', import.meta.url))

function* regions(): Generator<Location> {
  for (const [country = '', ...entries] of regionsByCountry()) {
    const end = `, ${inCountry(country)}`
    for (const entry of entries) {
      const [code, name] = atFirstSpace(entry)
      yield {
        id: hexId(`region:${country}-${code}`),
        name: name + end,
        countryCode: country,
        type: 'REGIONS',
      }
    }
  }
}

function* metroAreas(): Generator<Location> {
  for (const [name = ''] of readTable(new URL('metros.tsv', import.meta.url)))
    yield { id: hexId(`metro:${name}`), name, countryCode: 'US', type: 'METROS' }
}

function* cities(): Generator<Location> {
  for (const [country = '', region = '', ...entries] of readTable(new URL('cities.tsv', import.meta.url))) {
    const end = `${region === '' ? '' : `, ${region}`}, ${inCountry(country)}`
    for (const entry of entries) {
      const [geonameId, rest] = atFirstSpace(entry)
      const [, where = '', name = ''] = /^(\S+ \S+ \S+) (.*)$/.exec(rest) ?? []
      yield { id: hexId(`city:${geonameId}`), name: name + end, countryCode: country, type: 'CITIES', where }
    }
  }
}

function* postalCodes(): Generator<Location> {
  for (const [prefix = '', ...entries] of readTable(new URL('postal-codes.tsv', import.meta.url)))
    for (const entry of entries) {
      const [last, point] = atFirstSpace(entry)
      const code = `${prefix}${last}`
      yield {
        id: hexId(`postal:US-${code}`),
        name: `${code}, USA`,
        countryCode: 'US',
        type: 'POSTAL_CODES',
        where: point,
      }
    }
}

function atFirstSpace(entry: string): [string, string] {
  const at = entry.indexOf(' ')
  return [entry.slice(0, at), entry.slice(at + 1)]
}
