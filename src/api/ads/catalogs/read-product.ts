import { truncated } from '../../../platform/common/cut-text.ts'
import { isBlank } from '../../../platform/common/visible.ts'
import { spelled, type Vocabulary } from '../../../platform/http/vocabulary.ts'
import {
  DOUBTS,
  MAX_INVENTORY,
  PRODUCT_FIELDS,
  type ProductField,
  type ProductItem,
  TOGETHER,
} from './product-fields.ts'

/** A product of a request, parsed independently of the catalog. */
export interface ReadProduct {
  id: string | undefined
  /** The valid members that were sent. `null` removes a value. */
  supplied: { [Name in string]?: string | number | null }
  errors: string[]
  warnings: string[]
}

/**
 * Maximum number of sentences of one kind about one product, so that a reply stays small for any
 * request.
 */
const MAX_TOLD = 20
const MAX_SHOWN = 100
/** Text that not every store keeps unchanged: a null character, or a lone surrogate. */
const NOT_TEXT = /\0|\p{Surrogate}/u

const FIELDS = Object.entries(PRODUCT_FIELDS)
const REQUIRED = FIELDS.filter(([, { required }]) => required === 'yes').map(([name]) => name)

/** Parses products under a vocabulary. */
export interface ProductReader {
  /** The public name of a field. */
  name(field: string): string
  read(product: unknown): ReadProduct
  /** Errors and warnings about a product as a whole. */
  check(item: ProductItem): { errors: string[]; warnings: string[] }
}

const compiled = new WeakMap<Vocabulary, ProductReader>()

/** The reader of a vocabulary, made once. */
export function productReader(vocabulary: Vocabulary): ProductReader {
  const known = compiled.get(vocabulary)
  if (known) return known
  const made = compile(vocabulary)
  compiled.set(vocabulary, made)
  return made
}

function compile(vocabulary: Vocabulary): ProductReader {
  const { name } = vocabulary
  const names = spelled(vocabulary, Object.keys(PRODUCT_FIELDS), 'a product')
  const fields = new Map(
    [...names].map(([spelling, neutral]) => [
      spelling,
      { neutral, field: PRODUCT_FIELDS[neutral] as ProductField, read: valueReader(neutral, vocabulary) },
    ]),
  )
  const required = REQUIRED.map((neutral) => [neutral, name(neutral)] as const)

  function read(given: unknown): ReadProduct {
    const product: ReadProduct = { id: undefined, supplied: {}, errors: [], warnings: [] }
    const { supplied, errors, warnings } = product
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      errors.push('a product must be an object')
      return product
    }
    const sent = new Set<string>()
    for (const [publicName, value] of Object.entries(given)) {
      const known = fields.get(publicName)
      if (!known) {
        add(warnings, `${shown(publicName)} is no field of a product and was ignored`)
        continue
      }
      // A missing value and an empty text remove the stored value.
      const result = value === null || value === '' ? { value: null } : known.read(value)
      if ('fault' in result) add(errors, `${publicName} ${result.fault}`)
      else {
        supplied[known.neutral] = result.value
        const doubt = typeof result.value === 'string' ? known.field.warn?.(result.value) : undefined
        if (doubt !== undefined) add(warnings, `${publicName} ${doubt}`)
      }
      if (value !== null && value !== '') sent.add(known.neutral)
    }
    for (const [neutral, publicName] of required)
      if (!sent.has(neutral)) errors.push(`${publicName} is required`)
    if (typeof supplied.id === 'string') product.id = supplied.id
    return product
  }

  const problemsIn = (rules: typeof TOGETHER, item: ProductItem) =>
    rules.flatMap(({ about, fault }) => {
      const wrong = fault(item, name)
      return wrong === undefined ? [] : [`${name(about)} ${wrong}`]
    })
  return {
    name,
    read,
    check: (item) => ({ errors: problemsIn(TOGETHER, item), warnings: problemsIn(DOUBTS, item) }),
  }
}

function add(sentences: string[], sentence: string): void {
  if (sentences.length < MAX_TOLD) sentences.push(sentence)
}

const shown = (text: string) => truncated(text, MAX_SHOWN).toWellFormed()

type FieldResult = { value: string | number } | { fault: string }

/** How the value of a field is parsed. */
function valueReader(neutral: string, vocabulary: Vocabulary): (value: unknown) => FieldResult {
  const { type, choices, maxLength, check } = PRODUCT_FIELDS[neutral] as ProductField
  if (type === 'integer') return readInteger
  if (choices) {
    const neutralOf = spelled(vocabulary, choices, 'a choice')
    const fault = `must be one of ${choices.map(vocabulary.name).join(', ')}`
    return (value) => {
      const choice = typeof value === 'string' ? neutralOf.get(value) : undefined
      return choice === undefined ? { fault } : { value: choice }
    }
  }
  return (value) => {
    if (typeof value !== 'string') return { fault: 'must be text' }
    if (isBlank(value)) return { fault: 'must not be blank' }
    if (NOT_TEXT.test(value)) return { fault: 'contains invalid characters' }
    if (maxLength !== undefined && isLonger(value, maxLength))
      return { fault: `must be at most ${maxLength} characters` }
    const fault = check?.(value)
    return fault === undefined ? { value } : { fault }
  }
}

function readInteger(value: unknown): FieldResult {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return { fault: 'must be a whole number' }
  if (value < 0 || value > MAX_INVENTORY) return { fault: `must be from 0 to ${MAX_INVENTORY}` }
  return { value }
}

/**
 * In characters, which are code points. A text with at most this many code units needs no counting.
 */
function isLonger(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return false
  if (text.length > maxLength * 2) return true
  let count = 0
  for (const _ of text) count++
  return count > maxLength
}
