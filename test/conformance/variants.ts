import type { Int64 } from '../../src/platform/common/int64.ts'
import type { Fault, Violation } from '../../src/platform/http/errors.ts'
import { integerType } from '../../src/platform/http/input/text-values.ts'
import type { Schema } from '../../src/platform/http/schema.ts'
import type { Vocabulary } from '../../src/platform/http/vocabulary.ts'

/** A value to try for a parameter. `fault`: its error, undefined if it is valid. */
export interface Variant<Value = unknown> {
  what: string
  value: Value
  fault: Fault | undefined
  /** The value in the error, if it differs. */
  shown?: string | undefined
}

const MAX_SHOWN = 200

/** The value as a violation shows it. */
export function shownOf({ value, shown }: Variant): string | undefined {
  const text = shown ?? (typeof value === 'string' ? value : JSON.stringify(value))
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

export const violationOf = (place: Violation['place'], name: string, variant: Variant): Violation => ({
  place,
  name,
  value: shownOf(variant),
  fault: variant.fault as Fault,
})

const good = <Value>(what: string, value: Value): Variant<Value> => ({ what, value, fault: undefined })
const bad = <Value>(what: string, value: Value, fault: Fault, shown?: string): Variant<Value> => ({
  what,
  value,
  fault,
  shown,
})

const EMPTY: Fault = { kind: 'empty' }
const INVALID: Fault = { kind: 'invalid' }

/** Values to try for a parameter of a path, query or form. */
export function textVariants(schema: Schema, vocabulary: Vocabulary): Variant<string>[] {
  const variants = filledVariants(schema, vocabulary)
  // Sending a clearable parameter empty takes its value away.
  return schema.clearable ? variants.map((one) => (one.value === '' ? good(one.what, '') : one)) : variants
}

function filledVariants(schema: Schema, vocabulary: Vocabulary): Variant<string>[] {
  if (schema.format === 'instant') return instantVariants(schema)
  if (schema.enum && schema.type === 'integer') return integerEnumVariants(schema)
  if (schema.enum) return enumVariants(schema, vocabulary)
  switch (schema.type) {
    case 'string':
      return [...stringVariants(schema)]
    case 'integer':
      return integerTexts(schema)
    case 'boolean': {
      const fault: Fault = { kind: 'choice', values: ['true', 'false'] }
      return [
        good('true', 'true'),
        good('false', 'false'),
        good('another case', 'True'),
        bad('another word', 'maybe', fault),
      ]
    }
    case 'array':
      return listVariants(schema, vocabulary)
    default:
      throw new Error(`no variants of ${schema.type}`)
  }
}

const MANY_CHOICES = 8

function enumVariants(schema: Schema, vocabulary: Vocabulary): Variant<string>[] {
  const values = (schema.enum ?? []).map((value) => vocabulary.name(String(value)))
  // A few of many choices are enough, because they are read in the same way.
  const tried = values.length <= MANY_CHOICES ? values : [...values.slice(0, 2), ...values.slice(-1)]
  return [
    ...tried.map((value) => good(`the choice ${value}`, value)),
    bad('another word', 'no-such-choice', { kind: 'choice', values }),
    bad('nothing', '', EMPTY),
  ]
}

function integerEnumVariants(schema: Schema): Variant<string>[] {
  const values = (schema.enum ?? []).map(String)
  const choice: Fault = { kind: 'choice', values }
  return [
    ...values.map((value) => good(`the choice ${value}`, value)),
    bad('another number', '123456', choice),
    bad('a word', 'abc', choice),
    bad('nothing', '', EMPTY),
  ]
}

/** A parameter with a pattern takes times in UTC to the second alone. */
function instantVariants({ pattern }: Schema): Variant<string>[] {
  const fault: Fault = { kind: 'type', expected: 'time' }
  const loose = (name: string, text: string) =>
    pattern === undefined ? good(name, text) : bad(name, text, fault)
  return [
    good('a time', '2030-07-10T08:00:00Z'),
    loose('a time with a zone', '2030-07-10T08:00:00-0800'),
    loose('a time to the minute', '2030-07-10T08:00+05:30'),
    loose('a date', '2030-07-10'),
    ...['yesterday', '2030-02-30', '2030-07-10T25:00:00Z', '2030-07-10T08:00:00', '1752134400', ''].map(
      (text) => bad(`"${text}"`, text, fault),
    ),
  ]
}

function integerTexts(schema: Schema): Variant<string>[] {
  const numbers = numberVariants(schema).map((one): Variant<string> => ({ ...one, value: String(one.value) }))
  const mismatch: Fault = { kind: 'type', expected: integerType(schema) }
  return [
    ...numbers,
    bad('a word', 'abc', mismatch),
    bad('a fraction', '1.5', mismatch),
    bad('nothing', '', EMPTY),
  ]
}

const oneAbove = (value: Int64): Int64 => (typeof value === 'bigint' ? value + 1n : value + 1)

function numberVariants({ minimum, maximum }: Schema): Variant<Int64>[] {
  const fault: Fault = {
    kind: 'range',
    min: minimum ?? Number.MIN_SAFE_INTEGER,
    max: maximum ?? Number.MAX_SAFE_INTEGER,
  }
  return [
    ...(minimum === undefined
      ? []
      : [good('the least', minimum), bad('one below the least', minimum - 1, fault)]),
    ...(maximum === undefined
      ? []
      : [good('the most', maximum), bad('one above the most', oneAbove(maximum), fault)]),
  ]
}

/** Longer values are read in the same way. */
const MAX_EMOJI = 100_000

function stringVariants(schema: Schema): Variant<string>[] {
  const { pattern, minLength = 0, maxLength } = schema
  if (pattern !== undefined) {
    const mismatch: Fault = schema.format ? { kind: 'type', expected: schema.format } : INVALID
    const wrong = ['abc', '*', '\u{1f600}', '-'.repeat(500)].find(
      (one) => !new RegExp(pattern, 'u').test(one),
    )
    return [
      ...(wrong === undefined ? [] : [bad('a value of another form', wrong, mismatch)]),
      ...(new RegExp(pattern, 'u').test('') ? [] : [bad('nothing', '', EMPTY)]),
    ]
  }
  const fault: Fault = { kind: 'length', min: minLength, max: maxLength ?? Number.POSITIVE_INFINITY }
  const variants: Variant<string>[] = []
  if (minLength > 0) {
    variants.push(good('the shortest', 'a'.repeat(minLength)))
    variants.push(bad('one shorter', 'a'.repeat(minLength - 1), minLength === 1 ? EMPTY : fault))
  }
  if (maxLength !== undefined) {
    variants.push(good('the longest', 'a'.repeat(maxLength)))
    // Characters outside the basic plane count once. Of files, that would be megabytes to encode.
    if (maxLength <= MAX_EMOJI) variants.push(good('the longest of emoji', '\u{1f600}'.repeat(maxLength)))
    variants.push(bad('one longer', 'a'.repeat(maxLength + 1), fault))
  }
  return variants
}

/**
 * The number of choices of a list that are tried separately; then all of them are tried together.
 */
const MAX_ALONE = 3

function listVariants(schema: Schema, vocabulary: Vocabulary): Variant<string>[] {
  const items = textVariants(schema.items ?? { type: 'string' }, vocabulary)
  const choices = items.filter(({ fault }) => fault === undefined).map(({ value }) => value)
  const all = schema.items?.enum?.map((value) => vocabulary.name(String(value)))
  const fine = all && choices.length > 0 ? all.slice(0, schema.maxItems ?? all.length) : choices
  const { minItems = 0, maxItems = 1000, uniqueItems } = schema
  const length: Fault = { kind: 'length', min: Math.max(1, minItems), max: maxItems }
  const alone = (value: string) =>
    minItems > 1 ? bad(`only ${value}`, value, length) : good(`only ${value}`, value)
  return [
    ...fine.slice(0, MAX_ALONE).map(alone),
    ...(fine.length > 1 ? [good('all of them', fine.slice(0, maxItems).join(','))] : []),
    ...(fine[0] === undefined ? [] : [good('one twice', `${fine[0]},${fine[0]}`)]),
    ...(fine[0] !== undefined && !uniqueItems
      ? [
          bad(
            'one too many',
            Array(maxItems + 1)
              .fill(fine[0])
              .join(','),
            length,
          ),
        ]
      : []),
    ...items
      .filter(({ fault, value }) => fault !== undefined && value !== '')
      .map((one) =>
        bad(
          `${one.what} in the list`,
          [fine[0], one.value].filter(Boolean).join(','),
          one.fault as Fault,
          one.value,
        ),
      ),
    schema.minItems ? bad('nothing', '', EMPTY) : good('nothing', ''),
  ]
}

/** Values to try for a member of a JSON body. */
export function jsonVariants(schema: Schema, vocabulary: Vocabulary): Variant[] {
  const expected = schema.enum ? 'string' : (schema.type as string)
  const wrongType = bad('another type', expected === 'boolean' ? 'true' : true, { kind: 'type', expected })
  if (schema.enum) return [...enumVariants(schema, vocabulary), wrongType]
  if (schema.format === 'instant') return [...instantVariants(schema), wrongType]
  switch (schema.type) {
    case 'string':
      return [...stringVariants(schema), wrongType]
    case 'integer':
    case 'number':
      return [...numberVariants(schema), wrongType]
    case 'boolean':
      return [good('true', true), good('false', false), wrongType]
    default:
      return [wrongType]
  }
}
