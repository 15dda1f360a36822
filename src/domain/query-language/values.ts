import { LANGUAGES, OTHER_CODES } from './languages.ts'
import {
  type Condition,
  type EntityOperator,
  type IdOperator,
  isSearch,
  type MinimumOperator,
  type NameOperator,
  type Point,
  type QueryUse,
  type RangeOperator,
  type UserOperator,
  type WordsOperator,
} from './query.ts'
import { foldAccents, foldCase, wordsOf } from './tokenize.ts'

/** The value after the colon of an operator. */
export interface OperatorValue {
  readonly kind: 'bare' | 'quoted' | 'bracketed'
  readonly text: string
}

/**
 * Why a value is invalid. `at` is the position in the value, in code points; the whole value if
 * absent.
 */
export class InvalidValue {
  readonly message: string
  readonly hint: string | undefined
  readonly at: number | undefined

  constructor(message: string, hint?: string, at?: number) {
    this.message = message
    this.hint = hint
    this.at = at
  }
}

/** Turns a value into a condition. */
export type ValueReader = (value: OperatorValue, use: QueryUse) => Condition | InvalidValue

/** The characters that words may have without quotation marks. */
const WORD_CHARACTERS =
  '[\\p{L}\\p{M}\\p{N}_\\p{So}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\u200c\\u200d\\u{e0020}-\\u{e007f}]'
/** One word; some characters may join two parts of it. */
export const BARE_WORD = new RegExp(`${WORD_CHARACTERS}+(?:[-.&]${WORD_CHARACTERS}+)*`, 'uy')

/** Whether a text may be in a query without quotation marks. */
export function isBareWord(text: string): boolean {
  BARE_WORD.lastIndex = 0
  return (BARE_WORD.exec(text)?.[0].length ?? 0) === text.length && text !== ''
}

/** The words of a value: search ignores accents. */
export function wordsFor(text: string, use: QueryUse): string[] {
  const words = wordsOf(text)
  return isSearch(use) ? words.map(foldAccents) : words
}

/** A value as text, quoted if it is not a single word. */
function textOf(operator: string, { kind, text }: OperatorValue): string | InvalidValue {
  if (kind === 'bracketed')
    return new InvalidValue(`${operator}: does not take brackets`, `Write ${operator}:word.`)
  if (kind === 'quoted') return text
  BARE_WORD.lastIndex = 0
  const readable = BARE_WORD.exec(text)?.[0].length ?? 0
  if (readable === text.length) return text
  const at = Array.from(text.slice(0, readable)).length
  const wrong = String.fromCodePoint(text.codePointAt(readable) ?? 0)
  const hint = `Quote a value with punctuation: ${operator}:"${text.replace(/["\\]/g, '\\$&')}".`
  return new InvalidValue(`no viable alternative at character '${wrong}'`, hint, at)
}

export const words =
  (operator: WordsOperator | NameOperator | 'place'): ValueReader =>
  (value, use) => {
    const text = textOf(operator, value)
    if (text instanceof InvalidValue) return text
    const found = wordsFor(text, use)
    if (found.length === 0) return noWord(`${operator}:"${text}"`)
    return { operator, text, words: found }
  }

export const noWord = (shown: string) =>
  new InvalidValue(`${shown} has no word to search for`, 'Write a letter, a digit or an emoji.')

/** A value that is compared as a substring. */
export const piece =
  (operator: 'contains' | 'url_contains' | 'embedding'): ValueReader =>
  (value) => {
    const text = textOf(operator, value)
    if (text instanceof InvalidValue) return text
    return text.trim() === '' ? new InvalidValue(`${operator}: needs a value`) : { operator, text }
  }

export const user =
  (operator: UserOperator): ValueReader =>
  ({ text }) => {
    if (/^(?:[A-Za-z0-9_]{1,15}|[0-9]{1,19})$/.test(text)) return { operator, text, name: text.toLowerCase() }
    const hint = /^@[A-Za-z0-9_]{1,15}$/.test(text)
      ? `Remove the @: ${operator}:${text.slice(1)}.`
      : `Write a username of 1 to 15 letters, digits and underscores, or the id of a user.`
    return new InvalidValue(`'${text}' is not a username or user id`, hint)
  }

export const id =
  (operator: IdOperator): ValueReader =>
  ({ text }) =>
    /^[0-9]{1,19}$/.test(text)
      ? { operator, text }
      : new InvalidValue(`'${text}' is not an id`, 'An id has 1 to 19 digits.')

export const entityName = (operator: EntityOperator, text: string, use: QueryUse): Condition => {
  const name = foldCase(text)
  return { operator, text, name: operator === 'hashtag' && isSearch(use) ? foldAccents(name) : name }
}

export const context: ValueReader = ({ text }, use) => {
  const [, domain = '', entity = ''] = /^(\*|[0-9]{1,19})\.(\*|[0-9]{1,19})$/.exec(text) ?? []
  const anys = (domain === '*' ? 1 : 0) + (entity === '*' ? 1 : 0)
  if (domain === '' || anys === 2)
    return new InvalidValue(
      `'${text}' is not a context`,
      'Write the ids of a domain and an entity: context:10.799.',
    )
  if (anys > 0 && isSearch(use))
    return new InvalidValue(
      `'${text}' is not a context`,
      'Only stream rules accept * for a domain or an entity.',
    )
  return { operator: 'context', domain, entity }
}

export const country: ValueReader = ({ text }) =>
  /^[A-Za-z]{2}$/.test(text)
    ? { operator: 'place_country', text: text.toUpperCase() }
    : new InvalidValue(`'${text}' is not a country`, 'Write the two letters of ISO 3166-1: place_country:US.')

export const language: ValueReader = ({ text }) => {
  const code = text.toLowerCase()
  if (LANGUAGES.has(code)) return { operator: 'lang', text: code }
  const usualCode = OTHER_CODES[code]
  return new InvalidValue(
    `'${text}' is not a language`,
    usualCode === undefined ? 'Write a code such as en, ja or zh-CN.' : `Did you mean lang:${usualCode}?`,
  )
}

export const percent: ValueReader = ({ text }) => {
  const number = wholeNumber(text)
  return number !== undefined && number >= 1 && number <= 100
    ? { operator: 'sample', number }
    : new InvalidValue(`'${text}' is not a percentage`, 'Write a whole number from 1 to 100: sample:10.')
}

const wholeNumber = (text: string) => (/^[0-9]{1,15}$/.test(text) ? Number(text) : undefined)

export const minimum =
  (operator: MinimumOperator): ValueReader =>
  ({ text }) => {
    const number = wholeNumber(text)
    return number === undefined
      ? new InvalidValue(`'${text}' is not a number`, `Write a whole number of 0 or more: ${operator}:10.`)
      : { operator, number }
  }

export const range =
  (operator: RangeOperator): ValueReader =>
  ({ text }) => {
    const [, least = '', greatest] = /^([0-9]{1,15})(?:\.\.([0-9]{1,15}))?$/.exec(text) ?? []
    if (least === '')
      return new InvalidValue(
        `'${text}' is not a number or range`,
        `Write ${operator}:500 or ${operator}:500..1000.`,
      )
    const min = Number(least)
    if (greatest === undefined) return { operator, min }
    const max = Number(greatest)
    return max < min
      ? new InvalidValue(`'${text}' ends before it begins`, `Write ${operator}:${max}..${min}.`)
      : { operator, min, max }
  }

export const threshold: ValueReader = ({ text }) => {
  const number = /^(?:0|1|[01]\.[0-9]{1,10}|\.[0-9]{1,10})$/.test(text) ? Number(text) : Number.NaN
  return number >= 0 && number <= 1
    ? { operator: 'embedding_threshold', number }
    : new InvalidValue(
        `'${text}' is not a threshold`,
        'Write a number from 0.0 to 1.0: embedding_threshold:0.3.',
      )
}

const MAX_SIDE_MILES = 25
const KM_PER_MILE = 1.609344
const EARTH_RADIUS_MILES = 3958.7613

const numbersOf = (text: string) => text.trim().split(/[\s,]+/)
const DECIMAL = /^-?[0-9]{1,3}(?:\.[0-9]{1,20})?$/

function pointOf(longitude = '', latitude = ''): Point | undefined {
  const point = [Number(longitude), Number(latitude)] as const
  const fits = DECIMAL.test(longitude) && DECIMAL.test(latitude)
  return fits && Math.abs(point[0]) <= 180 && Math.abs(point[1]) <= 90 ? point : undefined
}

export const pointRadius: ValueReader = ({ kind, text }) => {
  const [longitude, latitude, size = '', ...more] = numbersOf(text)
  const point = pointOf(longitude, latitude)
  const [, digits, unit] = /^([0-9]{1,3}(?:\.[0-9]{1,20})?)(mi|km)$/i.exec(size) ?? []
  if (kind !== 'bracketed' || !point || !unit || more.length > 0)
    return new InvalidValue(
      'point_radius: needs a longitude, a latitude and a radius',
      'Write them in brackets: point_radius:[2.355128 48.861118 16km].',
    )
  const radius = Number(digits)
  const miles = unit.toLowerCase() === 'km' ? radius / KM_PER_MILE : radius
  return miles > 0 && miles < MAX_SIDE_MILES
    ? { operator: 'point_radius', point, radius, unit: unit.toLowerCase() as 'mi' | 'km' }
    : new InvalidValue(
        `the radius ${size} is out of range`,
        'A radius is more than 0 and less than 25 mi (40.2 km).',
      )
}

export const boundingBox: ValueReader = ({ kind, text }) => {
  const [west, south, east, north, ...more] = numbersOf(text)
  const southWest = pointOf(west, south)
  const northEast = pointOf(east, north)
  if (kind !== 'bracketed' || !southWest || !northEast || more.length > 0)
    return new InvalidValue(
      'bounding_box: needs the longitude and latitude of two corners',
      'Write west, south, east, north in brackets: bounding_box:[-105.3 39.96 -105.1 40.09].',
    )
  if (southWest[0] >= northEast[0] || southWest[1] >= northEast[1])
    return new InvalidValue(
      'bounding_box: the first corner is not south-west of the second',
      'Write west, south, east, north.',
    )
  return sidesOf(southWest, northEast).every((miles) => miles < MAX_SIDE_MILES)
    ? { operator: 'bounding_box', southWest, northEast }
    : new InvalidValue('the box is too large', 'Each side is less than 25 mi (40.2 km).')
}

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The height of a box, and the longer one of its two widths, in miles. */
function sidesOf([west, south]: Point, [east, north]: Point): number[] {
  const atEquator = south <= 0 && north >= 0 ? 0 : Math.min(Math.abs(south), Math.abs(north))
  return [
    EARTH_RADIUS_MILES * radians(north - south),
    EARTH_RADIUS_MILES * radians(east - west) * Math.cos(radians(atEquator)),
  ]
}

/** The distance between two points, in miles. */
export function milesBetween([fromLongitude, fromLatitude]: Point, [longitude, latitude]: Point): number {
  const half = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2
  const angle =
    half(latitude - fromLatitude) +
    Math.cos(radians(fromLatitude)) * Math.cos(radians(latitude)) * half(longitude - fromLongitude)
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(angle)))
}

/** A radius in miles. */
export const milesOf = (radius: number, unit: 'mi' | 'km') => (unit === 'km' ? radius / KM_PER_MILE : radius)
