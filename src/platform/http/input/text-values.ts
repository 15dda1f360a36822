import { parseInstant } from '../../common/instant.ts'
import { int64Of } from '../../common/int64.ts'
import type { Fault } from '../errors.ts'
import type { Schema } from '../schema.ts'
import { spelled, type Vocabulary, valueNames } from '../vocabulary.ts'

// The texts of values, as parameters and members of bodies have them.

/** The result of a reader for a value that does not match its schema. */
export class InvalidValue {
  readonly fault: Fault
  readonly value: string | undefined
  constructor(fault: Fault, value?: string) {
    this.fault = fault
    this.value = value
  }
}

export type TextReader = (text: string) => unknown | InvalidValue

export const wrong = (kind: 'empty' | 'invalid') => new InvalidValue({ kind })

/**
 * Compiles the reader of one parameter, which parses its text in the request into a typed value.
 */
export function compileText(schema: Schema, vocabulary: Vocabulary): TextReader {
  if (schema.ignored) return () => undefined
  // Only a body can hold a list of objects.
  if (schema.items?.type === 'object') return () => wrong('invalid')
  const read = compileFilled(schema, vocabulary)
  return schema.clearable ? (text) => (text === '' ? null : read(text)) : read
}

function compileFilled(schema: Schema, vocabulary: Vocabulary): TextReader {
  if (schema.format === 'instant') return compileInstant(schema)
  if (schema.enum && schema.type === 'integer') return compileIntegerChoice(schema.enum as readonly number[])
  if (schema.enum) return compileChoice(schema, vocabulary)
  switch (schema.type) {
    case 'string':
      return compileString(schema)
    case 'integer':
      return compileInteger(schema)
    case 'boolean':
      return readBoolean
    case 'array': {
      const readItem = compileText(schema.items ?? { type: 'string' }, vocabulary)
      const { minItems = 0, maxItems = 1000 } = schema
      const wrongLength = new InvalidValue({ kind: 'length', min: Math.max(1, minItems), max: maxItems })
      return (text) => {
        // A list that may be empty is cleared by sending it empty.
        if (text === '') return minItems > 0 ? wrong('empty') : []
        const parts = text.split(',')
        // Repetitions are skipped, up to a limit.
        if (parts.length > MAX_REPEATED * maxItems) return wrongLength
        const items: unknown[] = []
        for (const part of schema.uniqueItems ? new Set(parts) : parts) {
          const item = readItem(part)
          if (item instanceof InvalidValue) return new InvalidValue(item.fault, part)
          items.push(item)
          if (items.length > maxItems) return wrongLength
        }
        return items.length < minItems ? wrongLength : items
      }
    }
    default:
      throw new Error(`a parameter cannot have the type ${schema.type}`)
  }
}

export function compileInstant({ pattern, isText: isKept }: Schema): TextReader {
  const form = pattern === undefined ? undefined : new RegExp(pattern)
  const fault = new InvalidValue({ kind: 'type', expected: 'time' })
  return (text) => {
    const instant = withOffset(text)
    const time = form?.test(instant) === false ? undefined : parseInstant(instant)
    return time === undefined ? fault : isKept ? instant : time
  }
}

/**
 * The `+` of an offset that was not percent-encoded is decoded to a space, which no time contains.
 */
export const withOffset = (text: string) => text.replace(/ (?=\d{2}:?\d{2}$)/, '+')

/** `true` and `false` in any case: `True` is how some languages write them. */
export const isTrue = (text: string) => text.length === 4 && text.toLowerCase() === 'true'

function readBoolean(text: string): boolean | InvalidValue {
  if (isTrue(text)) return true
  return text.length === 5 && text.toLowerCase() === 'false'
    ? false
    : new InvalidValue(choiceFault(['true', 'false']))
}

/** Maximum number of repetitions of a list parameter, per item that the list may have. */
const MAX_REPEATED = 10

export const choiceFault = (values: readonly string[]): Fault => ({ kind: 'choice', values })

export function compileChoice(schema: Schema, vocabulary: Vocabulary): TextReader {
  const values = schema.enum as readonly string[]
  const names = valueNames(schema, vocabulary)
  const neutralOf = spelled(names, values, 'an enumeration')
  const fault = choiceFault(values.map(names.name))
  return (text) => neutralOf.get(text) ?? (text === '' ? wrong('empty') : new InvalidValue(fault))
}

function compileIntegerChoice(values: readonly number[]): TextReader {
  const byText = new Map(values.map((value) => [String(value), value]))
  const fault = choiceFault([...byText.keys()])
  return (text) => byText.get(text) ?? (text === '' ? wrong('empty') : new InvalidValue(fault))
}

/** Whether every store keeps a text unchanged: it has no null character and no lone surrogate. */
const isText = (text: string) => !text.includes('\0') && text.isWellFormed()

/** Maximum number of code units per character. */
const MAX_UNITS = 2

export function compileString(schema: Schema): TextReader {
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u')
  const min = schema.minLength ?? 0
  const max = schema.maxLength ?? Number.POSITIVE_INFINITY
  const bounded = schema.minLength !== undefined || schema.maxLength !== undefined
  const mismatch: Fault =
    schema.format === undefined ? { kind: 'invalid' } : { kind: 'type', expected: schema.format }
  return (text) => {
    if (bounded) {
      // Checked before the pattern, whose cost may grow faster than the text.
      if (text === '' && min > 0) return wrong('empty')
      if (!isLongBetween(text, min, max)) return new InvalidValue({ kind: 'length', min, max })
    }
    if (pattern && !pattern.test(text)) return text === '' ? wrong('empty') : new InvalidValue(mismatch)
    return isText(text) ? text : new InvalidValue(mismatch)
  }
}

/**
 * Whether a text has an allowed number of characters. They are counted only if the number of code
 * units does not decide: files arrive as text.
 */
function isLongBetween(text: string, min: number, max: number): boolean {
  const { length: units } = text
  if (units < min || units > MAX_UNITS * max) return false
  if (units >= MAX_UNITS * min && units <= max) return true
  const length = characters(text)
  return length >= min && length <= max
}

/** Characters as JSON Schema counts them: code points. */
function characters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

const SAFE_DIGITS = /^-?[0-9]{1,16}$/
export const INT64_DIGITS = /^-?[0-9]{1,19}$/

function compileInteger(schema: Schema): TextReader {
  const min = schema.minimum ?? Number.MIN_SAFE_INTEGER
  const max = schema.maximum ?? Number.MAX_SAFE_INTEGER
  const mismatch: Fault = { kind: 'type', expected: integerType(schema) }
  const digits = typeof max === 'bigint' ? INT64_DIGITS : SAFE_DIGITS
  return (text) => {
    if (text === '') return wrong('empty')
    if (!digits.test(text)) return new InvalidValue(mismatch)
    const value = int64Of(text)
    return value < min || value > max ? new InvalidValue({ kind: 'range', min, max }) : value
  }
}

const MAX_INT32 = 2 ** 31 - 1

/** The name of the type of an integer, by its size. */
export const integerType = ({ maximum = Number.MAX_SAFE_INTEGER }: Schema) =>
  maximum > MAX_INT32 ? 'int64' : 'integer'
