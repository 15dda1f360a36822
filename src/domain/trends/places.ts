import { foldText } from '../news/terms.ts'
import { locationById } from '../reference-data/locations.ts'

/** The whole world. */
export const WORLD = 1

/** A place with trends. */
interface TrendPlace {
  readonly woeid: number
  readonly countryCode: string
  /** A city; absent for a whole country. */
  readonly city?: string
  /** How users name it in their profiles, in folded case. */
  readonly names: readonly string[]
}

/** The places that guides of the API name (core reference, 06 section 2), without the world. */
const PLACES: readonly TrendPlace[] = [
  {
    ...{ woeid: 23424977, countryCode: 'US' },
    names: ['united states', 'united states of america', 'usa', 'us', 'u.s.', 'u.s.a.'],
  },
  {
    ...{ woeid: 23424975, countryCode: 'GB' },
    names: ['united kingdom', 'uk', 'great britain', 'england', 'scotland', 'wales', 'northern ireland'],
  },
  { woeid: 23424856, countryCode: 'JP', names: ['japan', '日本'] },
  { woeid: 2459115, countryCode: 'US', city: 'new york', names: ['new york', 'new york city', 'nyc'] },
  { woeid: 2442047, countryCode: 'US', city: 'los angeles', names: ['los angeles'] },
  { woeid: 44418, countryCode: 'GB', city: 'london', names: ['london'] },
  { woeid: 1118370, countryCode: 'JP', city: 'tokyo', names: ['tokyo', '東京'] },
]

const KNOWN = new Set([WORLD, ...PLACES.map(({ woeid }) => woeid)])

/** Whether there are trends of a place. */
export const isTrendPlace = (woeid: number): boolean => KNOWN.has(woeid)

/** Parts of the location of a profile that are read. */
const MAX_PARTS = 5

/**
 * The places to which a post belongs: those of its own place, otherwise those that the location of
 * its author names, with their countries. All posts belong to the world.
 */
export function placesOf({ placeId, location }: { placeId: string | null; location: string }): number[] {
  const found = placeId === null ? placesNamed(location) : placesAt(placeId)
  const countries = new Set(found.map(({ countryCode }) => countryCode))
  const all = PLACES.filter(
    (place) => found.includes(place) || (place.city === undefined && countries.has(place.countryCode)),
  )
  return [WORLD, ...all.map(({ woeid }) => woeid)]
}

function placesAt(placeId: string): TrendPlace[] {
  const location = locationById(placeId)
  if (!location) return []
  const parts = partsOf(location.name)
  return PLACES.filter(
    ({ countryCode, city }) =>
      countryCode === location.countryCode && (city === undefined || parts.includes(city)),
  )
}

function placesNamed(location: string): TrendPlace[] {
  const parts = partsOf(location)
  const named = PLACES.filter(({ names }) => parts.some((part) => names.includes(part)))
  const countries = new Set(named.filter(({ city }) => city === undefined).map((place) => place.countryCode))
  // `London, Canada` is another city, but `London, Ontario` cannot be told.
  return countries.size === 0 ? named : named.filter(({ countryCode }) => countries.has(countryCode))
}

const partsOf = (text: string): string[] =>
  foldText(text)
    .split(/[,/|·]/)
    .slice(0, MAX_PARTS)
    .map((part) => part.trim())

/** The Where-On-Earth ids of all places with trends. */
export const placesWithTrends: readonly number[] = [...KNOWN]
