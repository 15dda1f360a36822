import { countryCodes, countryName } from '../../platform/common/countries.ts'
import { once } from '../../platform/common/lookup.ts'
import { foldAccents, foldCase } from '../query-language/tokenize.ts'
import { regionsByCountry } from '../reference-data/locations.ts'

/** Languages in which profiles name countries. */
const LANGUAGES = 'en es pt fr de it nl pl tr ru uk ar he hi id vi th ja ko zh'.split(' ')
/** Names that do not identify one country. */
const ALIASES: Readonly<Record<string, string>> = {
  us: 'US',
  usa: 'US',
  'u.s.': 'US',
  'u.s.a.': 'US',
  america: 'US',
  uk: 'GB',
  'u.k.': 'GB',
  'great britain': 'GB',
  uae: 'AE',
  turkey: 'TR',
}
/** Maximum parts of a location. Further parts are ignored. */
const MAX_PARTS = 4

const fold = (name: string) => foldAccents(foldCase(name))

/** Countries by their names, and by the names of regions that only one country has. */
const countriesByName = once(() => {
  const regions = new Map<string, string | undefined>()
  for (const [country = '', ...entries] of regionsByCountry())
    for (const entry of entries) {
      const name = fold(entry.slice(entry.indexOf(' ') + 1))
      regions.set(name, regions.has(name) ? undefined : country)
    }
  const countries = countryCodes.flatMap((code) =>
    LANGUAGES.map((lang): [string, string] => [fold(countryName(code, lang)), code]),
  )
  return new Map([...regions, ...countries, ...Object.entries(ALIASES)])
})

/** The codes of the states of the United States, as written after the name of a city. */
const states = once(() => {
  const [, ...entries] = regionsByCountry().find(([country]) => country === 'US') ?? []
  return new Set(entries.map((entry) => entry.slice(0, entry.indexOf(' '))))
})

/**
 * The country that the location of a profile names: `Berlin, Germany`, `Deutschland`, `Austin, TX`,
 * `Bavaria`. ISO 3166-1 alpha-2; undefined if it names none. Cities alone are not recognized: most
 * names belong to several.
 */
export function countryOfProfile(location: string): string | undefined {
  const parts = location
    .split(/[,/|]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .slice(0, MAX_PARTS)
  if (parts.length > 1 && states().has(parts.at(-1) ?? '')) return 'US'
  const byName = countriesByName()
  return parts.map((part) => byName.get(fold(part))).findLast((code) => code !== undefined)
}
