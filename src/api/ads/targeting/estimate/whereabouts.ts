import { hexId } from '../../../../domain/reference-data/ids.ts'
import {
  type Location,
  locationById,
  locations,
  locationsReady,
} from '../../../../domain/reference-data/locations.ts'
import { once } from '../../../../platform/common/lookup.ts'
import { fold } from '../../constant-list.ts'
import { MAYBE, type MatchAnswer, NO, YES } from './answers.ts'

const PLACES_AT_ONCE = 2000
/** Maximum number of parts: profiles name few places. */
const MAX_PARTS = 4

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * Countries, regions and cities by their own name, without the places that contain them. Built in
 * steps.
 */
const placesByName = once(async () => {
  await locationsReady()
  const byName = new Map<string, Location[]>()
  for (const [index, place] of locations().entries()) {
    if (index % PLACES_AT_ONCE === 0) await nextTurn()
    if (place.type === 'METROS' || place.type === 'POSTAL_CODES') continue
    const name = fold(ownName(place))
    const alike = byName.get(name)
    if (alike) alike.push(place)
    else byName.set(name, [place])
  }
  return byName
})

const ownName = ({ name }: Location) => name.slice(0, `${name},`.indexOf(','))

/** Parses the location of a profile: `Berlin, Germany`. Returns every place that it may mean. */
export async function whereaboutsReader(): Promise<(profile: string) => readonly Location[]> {
  const byName = await placesByName()
  return (profile) => {
    const parts = profile
      .split(/[,/|]/)
      .map((part) => fold(part.trim()))
      .filter((part) => part !== '')
      .slice(0, MAX_PARTS)
    const meant = parts.flatMap((part) => (byName.get(part) ?? []).map((place) => ({ part, place })))
    // Another part of the text distinguishes the place from others with the same name.
    const certain = meant.filter(({ part, place }) =>
      parts.some((other) => other !== part && liesIn(place, other)),
    )
    return (certain.length > 0 ? certain : meant).map(({ place }) => place)
  }
}

function liesIn({ name, countryCode }: Location, wider: string): boolean {
  return (
    countryCode.toLowerCase() === wider ||
    name
      .split(', ')
      .slice(1)
      .some((part) => fold(part) === wider)
  )
}

/** Whether a user with some possible places matches a target. */
export function isIn(target: Location, places: readonly Location[]): MatchAnswer {
  const [first, ...others] = places.map((place) => lies(target, place))
  if (first === undefined) return MAYBE
  return others.every((answer) => answer === first) ? first : MAYBE
}

function lies(target: Location, place: Location): MatchAnswer {
  if (place.countryCode !== target.countryCode) return NO
  if (target.type === 'COUNTRIES' || place.id === target.id) return YES
  if (place.type === 'COUNTRIES') return MAYBE
  if (target.type === 'CITIES') return place.type === 'CITIES' ? NO : MAYBE
  if (target.type === 'REGIONS') return inRegion(target, place)
  return MAYBE
}

/** The regions by country and own name. */
const regionNames = once(
  () =>
    new Map(
      locations()
        .filter(({ type }) => type === 'REGIONS')
        .map((region) => [`${region.countryCode}/${fold(ownName(region))}`, region.id]),
    ),
)

/** Unknown for a city whose region is unknown. */
function inRegion(region: Location, place: Location): MatchAnswer {
  if (place.type === 'REGIONS') return NO
  const ids = place.name
    .split(', ')
    .slice(1)
    .flatMap((part) => regionOf(place.countryCode, part) ?? [])
  return ids.length === 0 ? MAYBE : ids.includes(region.id) ? YES : NO
}

/** Cities of the United States are written with the code of their state instead of its name. */
function regionOf(countryCode: string, part: string): string | undefined {
  const byCode = hexId(`region:${countryCode}-${part}`)
  return regionNames().get(`${countryCode}/${fold(part)}`) ?? (locationById(byCode) ? byCode : undefined)
}
