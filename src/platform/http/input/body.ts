import type { TObject, TSchema } from 'typebox'
import { type Int64, int64Of } from '../../common/int64.ts'
import { parsePercentage } from '../../common/percentage.ts'
import { shortened, type Violation } from '../errors.ts'
import { plain, type Schema } from '../schema.ts'
import { spelled, type Vocabulary } from '../vocabulary.ts'
import type { SentBack } from './read-only.ts'
import { type CompiledParameter, compileReadOnly } from './reader.ts'
import {
  choiceFault,
  compileChoice,
  compileInstant,
  compileString,
  INT64_DIGITS,
  InvalidValue,
} from './text-values.ts'
import { textOf } from './json-pairs.ts'
import { addViolation, fail, isObject, scalarText } from './violations.ts'

// JSON bodies.

export type BodyReader = (json: unknown, violations: Violation[], sentBack?: SentBack[]) => unknown

type ValueReader = (value: unknown, path: string, violations: Violation[]) => unknown

interface BodyOptions {
  /** Members of the resource, as a reply shows them, that may be sent back unchanged. */
  readOnly?: TObject | undefined
  /** Whether `null` for an optional member counts as absent, except where it has a meaning. */
  absentNulls?: boolean
}

/** The state that the readers of all values of a body share. */
interface BodyRules {
  vocabulary: Vocabulary
  absentNulls: boolean
}

/**
 * Compiles the reader of a JSON body. It maps public names to neutral ones, and collects every
 * violation. Members of `readOnly` may be sent back unchanged.
 */
export function compileBody(
  schema: TSchema,
  vocabulary: Vocabulary,
  { readOnly, absentNulls = false }: BodyOptions = {},
): BodyReader {
  const read = compileValue(plain(schema), { vocabulary, absentNulls })
  const asShown = compileReadOnly(readOnly, vocabulary)
  if (asShown.size === 0) return (json, violations) => read(json, '$', violations)
  return (json, violations, sentBack = []) => {
    if (!isObject(json)) return read(json, '$', violations)
    const rest = Object.entries(json).filter(([name, value]) => {
      const parameter = asShown.get(name)
      if (parameter) readSentBack(parameter, value, violations, sentBack)
      return !parameter
    })
    return read(Object.fromEntries(rest), '$', violations)
  }
}

/** Only a body can hold an object, or a list of them. */
const hasObjects = ({ type, items }: Schema) => type === 'object' || items?.type === 'object'

/** One read-only member of a body. Objects are compared as they were sent. */
function readSentBack(
  { neutral, publicName, schema, read }: CompiledParameter,
  value: unknown,
  violations: Violation[],
  sentBack: SentBack[],
): void {
  if (schema.ignored) return
  const name = `$.${publicName}`
  const violation = shortened({
    place: 'body',
    name,
    value: scalarText(value),
    fault: { kind: 'not settable' },
  })
  const text = hasObjects(schema) ? undefined : textOf(value, schema.type === 'array')
  const claimed = text === undefined ? value : read(text)
  if (claimed instanceof InvalidValue) addViolation(violations, violation)
  else sentBack.push({ name: neutral, schema, value: claimed, violation })
}

function compileValue(schema: Schema, rules: BodyRules): ValueReader {
  const read = compileFilledValue(schema, rules)
  return schema.clearable
    ? (value, path, violations) => (value === null ? null : read(value, path, violations))
    : read
}

function compileFilledValue(schema: Schema, rules: BodyRules): ValueReader {
  if (schema.raw || schema.ignored) return (value) => value
  if (schema.format === 'instant') return scalar('string', compileInstant(schema))
  if (schema.format === 'percentage') return readPercentage
  if (schema.enum && schema.type === 'integer') return integerOf(schema.enum as readonly number[])
  if (schema.enum) return scalar('string', compileChoice(schema, rules.vocabulary))
  switch (schema.type) {
    case 'string':
      return scalar('string', compileString(schema))
    case 'boolean':
      return scalar('boolean', (value) => value)
    case 'integer':
    case 'number':
      return compileNumber(schema)
    case 'array':
      return compileArray(schema, rules)
    case 'object':
      return compileObject(schema, rules)
    default:
      throw new Error(`a body cannot hold the type ${schema.type}`)
  }
}

function scalar(type: 'string' | 'boolean', read: (value: never) => unknown): ValueReader {
  return (value, path, violations) => {
    const result =
      typeof value === type ? read(value as never) : new InvalidValue({ kind: 'type', expected: type })
    if (result instanceof InvalidValue) return fail(violations, path, value, result.fault)
    return result
  }
}

/** A share in percent, as text or as a number. */
const readPercentage: ValueReader = (value, path, violations) => {
  const isScalar = typeof value === 'string' || typeof value === 'number'
  const share = isScalar ? parsePercentage(String(value)) : undefined
  return share ?? fail(violations, path, value, { kind: 'type', expected: 'percentage' })
}

const integerOf =
  (values: readonly number[]): ValueReader =>
  (value, path, violations) =>
    values.some((one) => one === value)
      ? value
      : fail(violations, path, value, choiceFault(values.map(String)))

function compileNumber(schema: Schema): ValueReader {
  const min = schema.minimum ?? Number.MIN_SAFE_INTEGER
  const max = schema.maximum ?? Number.MAX_SAFE_INTEGER
  const whole = schema.type === 'integer'
  // The exact JSON parser leaves large numbers as strings of their digits.
  const isText = (value: unknown) =>
    typeof max === 'bigint' && typeof value === 'string' && INT64_DIGITS.test(value)
  return (received, path, violations) => {
    const value = isText(received) ? int64Of(received as string) : received
    const fits = typeof value === 'number' ? !whole || Number.isSafeInteger(value) : typeof value === 'bigint'
    if (!fits) return fail(violations, path, value, { kind: 'type', expected: schema.type as string })
    return (value as Int64) < min || (value as Int64) > max
      ? fail(violations, path, value, { kind: 'range', min, max })
      : value
  }
}

function compileArray(schema: Schema, rules: BodyRules): ValueReader {
  const readItem = compileValue(schema.items ?? {}, rules)
  const min = schema.minItems ?? 0
  const max = schema.maxItems ?? 1000
  return (value, path, violations) => {
    if (!Array.isArray(value)) return fail(violations, path, value, { kind: 'type', expected: 'array' })
    if (value.length < min || value.length > max)
      return fail(violations, path, undefined, { kind: 'length', min, max })
    if (schema.uniqueItems) rejectRepeated(value, path, violations)
    return value.map((item, index) => readItem(item, `${path}[${index}]`, violations))
  }
}

/** Lists with distinct items contain strings or numbers. */
function rejectRepeated(items: readonly unknown[], path: string, violations: Violation[]): void {
  const seen = new Set<unknown>()
  for (const [index, item] of items.entries()) {
    if (seen.has(item)) fail(violations, `${path}[${index}]`, item, { kind: 'repeated' })
    seen.add(item)
  }
}

/** Whether `null` is a value, rather than a missing one. */
const takesNull = ({ clearable, raw }: Schema) => clearable === true || raw === true

function compileObject(schema: Schema, rules: BodyRules): ValueReader {
  const { vocabulary, absentNulls } = rules
  const { properties = {}, required = [] } = schema
  const known = Object.keys(properties).map(vocabulary.name)
  const readers = new Map(
    [...spelled(vocabulary, Object.keys(properties), 'a body')].map(([spelling, neutral]) => [
      spelling,
      {
        neutral,
        ignored: properties[neutral]?.ignored === true,
        absentNull: absentNulls && !required.includes(neutral) && !takesNull(properties[neutral] as Schema),
        read: compileValue(properties[neutral] as Schema, rules),
      },
    ]),
  )
  const requiredNames = required.map((neutral) => [neutral, vocabulary.name(neutral)] as const)
  const closed = schema.additionalProperties === false
  return (value, path, violations) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return fail(violations, path, value, { kind: 'type', expected: 'object' })
    }
    const result: Record<string, unknown> = {}
    for (const [name, member] of Object.entries(value)) {
      const reader = readers.get(name)
      if (reader?.ignored || (member === null && reader?.absentNull)) continue
      // Another spelling of a member that is already present.
      if (reader && Object.hasOwn(result, reader.neutral))
        fail(violations, `${path}.${name}`, member, { kind: 'repeated' })
      else if (reader) result[reader.neutral] = reader.read(member, `${path}.${name}`, violations)
      else if (closed) fail(violations, `${path}.${name}`, member, { kind: 'unknown', known })
    }
    for (const [neutral, name] of requiredNames) {
      if (!Object.hasOwn(result, neutral)) fail(violations, `${path}.${name}`, undefined, { kind: 'missing' })
    }
    return result
  }
}
