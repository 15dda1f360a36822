import type { TObject, TSchema } from 'typebox'
import type { Fault, Place, Violation } from './errors.ts'
import { instantText, parseInstant } from './instant.ts'
import type { Schema } from './schema.ts'
import { plain } from './schema.ts'
import type { Vocabulary } from './vocabulary.ts'
import { renamed } from './vocabulary.ts'

/** What a reader returns for a value that is not of its schema. */
class Wrong {
  readonly fault: Fault
  readonly value: string | undefined
  constructor(fault: Fault, value?: string) {
    this.fault = fault
    this.value = value
  }
}

type TextReader = (text: string) => unknown | Wrong

/** How many violations are collected before a reader stops: a reply stays small for any request. */
const MAX_VIOLATIONS = 20
const MAX_TEXT_IN_VIOLATION = 200

const wrong = (kind: 'empty' | 'invalid') => new Wrong({ kind })

/** Compiles the reader of one parameter: its text in the request becomes a typed value. */
function compileText(schema: Schema, vocabulary: Vocabulary): TextReader {
  const read = compileFilled(schema, vocabulary)
  return schema.clearable ? (text) => (text === '' ? null : read(text)) : read
}

function compileFilled(schema: Schema, vocabulary: Vocabulary): TextReader {
  if (schema.format === 'instant') {
    return (text) => parseInstant(text) ?? new Wrong({ kind: 'type', expected: 'time' })
  }
  if (schema.enum && schema.type === 'integer') return compileIntegerChoice(schema.enum as readonly number[])
  if (schema.enum) return compileChoice(schema.enum as readonly string[], vocabulary)
  switch (schema.type) {
    case 'string':
      return compileString(schema)
    case 'integer':
      return compileInteger(schema)
    case 'boolean':
      return (text) =>
        text === 'true' ? true : text === 'false' ? false : new Wrong(choiceFault(['true', 'false']))
    case 'array': {
      const readItem = compileText(schema.items ?? { type: 'string' }, vocabulary)
      const maxItems = schema.maxItems ?? 1000
      return (text) => {
        // A list that may be empty is emptied by sending it empty.
        if (text === '') return schema.minItems ? wrong('empty') : []
        const parts = text.split(',')
        const tooMany = new Wrong({ kind: 'length', min: 1, max: maxItems })
        // Repetitions are passed over, but not without end.
        if (parts.length > MAX_REPEATED * maxItems) return tooMany
        const items: unknown[] = []
        for (const part of schema.uniqueItems ? new Set(parts) : parts) {
          const item = readItem(part)
          if (item instanceof Wrong) return new Wrong(item.fault, part)
          items.push(item)
          if (items.length > maxItems) return tooMany
        }
        return items
      }
    }
    default:
      throw new Error(`a parameter cannot have the type ${schema.type}`)
  }
}

/** How often each item of a list may be repeated, about. */
const MAX_REPEATED = 10

const choiceFault = (values: readonly string[]): Fault => ({ kind: 'choice', values })

function compileChoice(values: readonly string[], vocabulary: Vocabulary): TextReader {
  const spoken = renamed(vocabulary, values, 'an enumeration')
  const neutralOf = new Map(spoken.map(([neutral, word]) => [word, neutral]))
  const fault = choiceFault(spoken.map(([, word]) => word))
  return (text) => neutralOf.get(text) ?? (text === '' ? wrong('empty') : new Wrong(fault))
}

function compileIntegerChoice(values: readonly number[]): TextReader {
  const byText = new Map(values.map((value) => [String(value), value]))
  const fault = choiceFault([...byText.keys()])
  return (text) => byText.get(text) ?? (text === '' ? wrong('empty') : new Wrong(fault))
}

/** What no store keeps as it was sent: a null character, half of a character. */
const NOT_TEXT = /\0|\p{Surrogate}/u

/** A character takes at most so many units of a string. */
const MAX_UNITS = 2

function compileString(schema: Schema): TextReader {
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u')
  const min = schema.minLength ?? 0
  const max = schema.maxLength ?? Number.POSITIVE_INFINITY
  const bounded = schema.minLength !== undefined || schema.maxLength !== undefined
  const mismatch: Fault =
    schema.format === undefined ? { kind: 'invalid' } : { kind: 'type', expected: schema.format }
  return (text) => {
    if (bounded) {
      // Before the pattern: what a pattern costs may grow faster than its text.
      const length = text.length > MAX_UNITS * max ? Number.POSITIVE_INFINITY : characters(text)
      if (length === 0 && min > 0) return wrong('empty')
      if (length < min || length > max) return new Wrong({ kind: 'length', min, max })
    }
    if (pattern && !pattern.test(text)) return text === '' ? wrong('empty') : new Wrong(mismatch)
    return NOT_TEXT.test(text) ? new Wrong(mismatch) : text
  }
}

/** Characters as JSON Schema counts them: code points. */
function characters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function compileInteger(schema: Schema): TextReader {
  const min = schema.minimum ?? Number.MIN_SAFE_INTEGER
  const max = schema.maximum ?? Number.MAX_SAFE_INTEGER
  const mismatch: Fault = { kind: 'type', expected: integerType(schema) }
  return (text) => {
    if (text === '') return wrong('empty')
    if (!/^-?[0-9]{1,16}$/.test(text)) return new Wrong(mismatch)
    const value = Number(text)
    return value < min || value > max ? new Wrong({ kind: 'range', min, max }) : value
  }
}

const MAX_INT32 = 2 ** 31 - 1

/** What a whole number is called that may be so large. */
export const integerType = ({ maximum = Number.MAX_SAFE_INTEGER }: Schema) =>
  maximum > MAX_INT32 ? 'int64' : 'integer'

export type ParameterReader = (
  pairs: readonly (readonly [string, string])[],
  violations: Violation[],
  /** Takes what was understood, as members of a JSON object in the spoken words. */
  echo?: string[],
) => Record<string, unknown>

/** Compiles how a parameter that was understood is shown again. */
function compileEcho(schema: Schema): (text: string) => string {
  if (schema.format === 'instant') return (text) => `"${instantText(parseInstant(text) ?? 0)}"`
  switch (schema.type) {
    case 'integer':
    case 'boolean':
      return (text) => String(schema.type === 'integer' ? Number(text) : text)
    case 'array': {
      const item = compileEcho(schema.items ?? { type: 'string' })
      const partsOf = (text: string) => (schema.uniqueItems ? [...new Set(text.split(','))] : text.split(','))
      return (text) => (text === '' ? '[]' : `[${partsOf(text).map(item).join(',')}]`)
    }
    default:
      return JSON.stringify
  }
}

/**
 * Compiles the reader of the parameters of one place. Every violation is collected, in the spoken names.
 * With `ignoreUnknown` a name that is not declared is passed over; otherwise it is a violation.
 * Names in `notSettable` are known, and refused.
 */
export function compileParameters(
  object: TObject,
  place: Place,
  vocabulary: Vocabulary,
  options: { ignoreUnknown: boolean; notSettable?: readonly string[] },
): ParameterReader {
  const { properties = {}, required = [] } = plain(object)
  const names = renamed(vocabulary, Object.keys(properties), `the ${place} parameters`)
  const known = names.map(([, spoken]) => spoken)
  const readers = new Map(
    names.map(([neutral, spoken]) => [
      spoken,
      {
        neutral,
        read: compileText(properties[neutral] as Schema, vocabulary),
        prefix: `${JSON.stringify(spoken)}:`,
        echo: compileEcho(properties[neutral] as Schema),
      },
    ]),
  )
  const refused = new Set((options.notSettable ?? []).map((name) => vocabulary.name(name)))
  const requiredNames = names.filter(([neutral]) => required.includes(neutral))
  const defaults = names.flatMap(([neutral]) => {
    const value = properties[neutral]?.default
    return value === undefined ? [] : [[neutral, value] as const]
  })

  return (pairs, violations, echo) => {
    const values: Record<string, unknown> = {}
    const seen = new Set<string>()
    for (const [name, value] of pairs) {
      const reader = readers.get(name)
      if (!reader) {
        if (refused.has(name)) add(violations, { place, name, value, fault: { kind: 'not settable' } })
        else if (!options.ignoreUnknown)
          add(violations, { place, name, value, fault: { kind: 'unknown', known } })
        continue
      }
      if (seen.has(name)) {
        add(violations, { place, name, value, fault: { kind: 'repeated' } })
        continue
      }
      seen.add(name)
      const result = reader.read(value)
      if (result instanceof Wrong)
        add(violations, { place, name, value: result.value ?? value, fault: result.fault })
      else {
        values[reader.neutral] = result
        echo?.push(reader.prefix + (result === null ? 'null' : reader.echo(value)))
      }
    }
    for (const [, spoken] of requiredNames) {
      if (!seen.has(spoken))
        add(violations, { place, name: spoken, value: undefined, fault: { kind: 'missing' } })
    }
    for (const [neutral, value] of defaults) values[neutral] ??= value
    return values
  }
}

function add(violations: Violation[], violation: Violation): void {
  if (violations.length >= MAX_VIOLATIONS) return
  const { value } = violation
  const shown =
    value !== undefined && value.length > MAX_TEXT_IN_VIOLATION
      ? `${value.slice(0, MAX_TEXT_IN_VIOLATION)}…`
      : value
  violations.push({ ...violation, value: shown })
}

export type BodyReader = (json: unknown, violations: Violation[]) => unknown

type ValueReader = (value: unknown, path: string, violations: Violation[]) => unknown

/** Compiles the reader of a JSON body: spoken names become neutral ones, every violation is collected. */
export function compileBody(schema: TSchema, vocabulary: Vocabulary): BodyReader {
  const read = compileValue(plain(schema), vocabulary)
  return (json, violations) => read(json, '$', violations)
}

function compileValue(schema: Schema, vocabulary: Vocabulary): ValueReader {
  const read = compileFilledValue(schema, vocabulary)
  return schema.clearable
    ? (value, path, violations) => (value === null ? null : read(value, path, violations))
    : read
}

function compileFilledValue(schema: Schema, vocabulary: Vocabulary): ValueReader {
  if (schema.raw) return (value) => value
  if (schema.enum) return scalar('string', compileChoice(schema.enum as readonly string[], vocabulary))
  switch (schema.type) {
    case 'string':
      return scalar('string', compileString(schema))
    case 'boolean':
      return scalar('boolean', (value) => value)
    case 'integer':
    case 'number':
      return compileNumber(schema)
    case 'array':
      return compileArray(schema, vocabulary)
    case 'object':
      return compileObject(schema, vocabulary)
    default:
      throw new Error(`a body cannot hold the type ${schema.type}`)
  }
}

function scalar(type: 'string' | 'boolean', read: (value: never) => unknown): ValueReader {
  return (value, path, violations) => {
    const result = typeof value === type ? read(value as never) : new Wrong({ kind: 'type', expected: type })
    if (result instanceof Wrong) return fail(violations, path, value, result.fault)
    return result
  }
}

function compileNumber(schema: Schema): ValueReader {
  const min = schema.minimum ?? Number.MIN_SAFE_INTEGER
  const max = schema.maximum ?? Number.MAX_SAFE_INTEGER
  const whole = schema.type === 'integer'
  return (value, path, violations) => {
    if (typeof value !== 'number' || (whole && !Number.isSafeInteger(value))) {
      return fail(violations, path, value, { kind: 'type', expected: schema.type as string })
    }
    return value < min || value > max ? fail(violations, path, value, { kind: 'range', min, max }) : value
  }
}

function compileArray(schema: Schema, vocabulary: Vocabulary): ValueReader {
  const readItem = compileValue(schema.items ?? {}, vocabulary)
  const min = schema.minItems ?? 0
  const max = schema.maxItems ?? 1000
  return (value, path, violations) => {
    if (!Array.isArray(value)) return fail(violations, path, value, { kind: 'type', expected: 'array' })
    if (value.length < min || value.length > max)
      return fail(violations, path, undefined, { kind: 'length', min, max })
    if (schema.uniqueItems) refuseRepeated(value, path, violations)
    return value.map((item, index) => readItem(item, `${path}[${index}]`, violations))
  }
}

/** Lists whose items differ hold text or numbers. */
function refuseRepeated(items: readonly unknown[], path: string, violations: Violation[]): void {
  const seen = new Set<unknown>()
  for (const [index, item] of items.entries()) {
    if (seen.has(item)) fail(violations, `${path}[${index}]`, item, { kind: 'repeated' })
    seen.add(item)
  }
}

function compileObject(schema: Schema, vocabulary: Vocabulary): ValueReader {
  const { properties = {}, required = [] } = schema
  const names = renamed(vocabulary, Object.keys(properties), 'a body')
  const known = names.map(([, spoken]) => spoken)
  const readers = new Map(
    names.map(([neutral, spoken]) => [
      spoken,
      { neutral, read: compileValue(properties[neutral] as Schema, vocabulary) },
    ]),
  )
  const requiredNames = names.filter(([neutral]) => required.includes(neutral)).map(([, spoken]) => spoken)
  const closed = schema.additionalProperties === false
  return (value, path, violations) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return fail(violations, path, value, { kind: 'type', expected: 'object' })
    }
    const result: Record<string, unknown> = {}
    for (const [name, member] of Object.entries(value)) {
      const reader = readers.get(name)
      if (reader) result[reader.neutral] = reader.read(member, `${path}.${name}`, violations)
      else if (closed) fail(violations, `${path}.${name}`, member, { kind: 'unknown', known })
    }
    for (const name of requiredNames) {
      if (!Object.hasOwn(value, name)) fail(violations, `${path}.${name}`, undefined, { kind: 'missing' })
    }
    return result
  }
}

function fail(violations: Violation[], path: string, value: unknown, fault: Fault): undefined {
  add(violations, { place: 'body', name: path, value: scalarText(value), fault })
  return undefined
}

/** A wrong value is shown when it is a scalar. A list or an object may be nested so deeply that writing it fails. */
function scalarText(value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'object' && value !== null)) return undefined
  return String(value)
}

const MAX_JSON_PARAMETERS = 100

/**
 * The members of a JSON object as parameters: numbers and booleans as text, lists as their items with commas between,
 * `null` as the empty text. A parameter is read in one way, wherever it stood.
 */
export function jsonPairs(json: unknown, violations: Violation[]): [string, string][] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    if (json !== undefined) fail(violations, '$', json, { kind: 'type', expected: 'object' })
    return []
  }
  const members = Object.entries(json)
  if (members.length > MAX_JSON_PARAMETERS) {
    fail(violations, '$', undefined, { kind: 'length', min: 0, max: MAX_JSON_PARAMETERS })
    return []
  }
  return members.flatMap(([name, value]): [string, string][] => {
    const text = Array.isArray(value) ? listText(value) : memberText(value)
    if (text !== undefined) return [[name, text]]
    fail(violations, name, undefined, { kind: 'type', expected: 'text, a number, a boolean or a list' })
    return []
  })
}

function memberText(value: unknown): string | undefined {
  if (value === null) return ''
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
  return typeof value === 'string' ? value : typeof value === 'boolean' ? String(value) : undefined
}

function listText(items: readonly unknown[]): string | undefined {
  const texts = items.map((item) => (item === null ? undefined : memberText(item)))
  return texts.some((text) => text === undefined || text.includes(',')) ? undefined : texts.join(',')
}
