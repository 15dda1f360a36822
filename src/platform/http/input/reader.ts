import type { TObject, TSchema } from 'typebox'
import { instantText, parseInstant } from '../../common/instant.ts'
import { type Int64, int64Of } from '../../common/int64.ts'
import { parsePercentage } from '../../common/percentage.ts'
import type { EchoRule, ParameterKindOf } from '../contract.ts'
import { type Fault, type ParameterPlace, shortened, type Violation } from '../errors.ts'
import { plain, type Schema } from '../schema.ts'
import { spelled, type Vocabulary, valueNames } from '../vocabulary.ts'
import type { SentBack } from './read-only.ts'

/** The result of a reader for a value that does not match its schema. */
class InvalidValue {
  readonly fault: Fault
  readonly value: string | undefined
  constructor(fault: Fault, value?: string) {
    this.fault = fault
    this.value = value
  }
}

type TextReader = (text: string) => unknown | InvalidValue

/**
 * Maximum number of violations that a reader collects, so that a reply stays small for any request.
 */
const MAX_VIOLATIONS = 20

const wrong = (kind: 'empty' | 'invalid') => new InvalidValue({ kind })

/**
 * Compiles the reader of one parameter, which parses its text in the request into a typed value.
 */
function compileText(schema: Schema, vocabulary: Vocabulary): TextReader {
  if (schema.ignored) return () => undefined
  // Only a body can hold a list of objects.
  if (schema.items?.type === 'object') return () => wrong('invalid')
  const read = compileFilled(schema, vocabulary)
  return schema.clearable ? (text) => (text === '' ? null : read(text)) : read
}

/** Only a body can hold an object, or a list of them. */
const hasObjects = ({ type, items }: Schema) => type === 'object' || items?.type === 'object'

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

function compileInstant({ pattern, isText: isKept }: Schema): TextReader {
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
const withOffset = (text: string) => text.replace(/ (?=\d{2}:?\d{2}$)/, '+')

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

const choiceFault = (values: readonly string[]): Fault => ({ kind: 'choice', values })

function compileChoice(schema: Schema, vocabulary: Vocabulary): TextReader {
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

function compileString(schema: Schema): TextReader {
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
const INT64_DIGITS = /^-?[0-9]{1,19}$/

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

type ReadParameters = (
  pairs: readonly (readonly [string, string])[],
  violations: Violation[],
  /** Receives parsed parameters as members of a JSON object, under their public names. */
  echo?: string[],
  /**
   * Receives the values of read-only parameters, which are valid if the resource has the same ones.
   */
  sentBack?: SentBack[],
) => Record<string, unknown>

export type ParameterReader = ReadParameters & { kindOf: ParameterKindOf }

/** Compiles how a parsed parameter is repeated. */
function compileEcho(schema: Schema): (text: string) => string {
  if (schema.format === 'instant') return (text) => `"${instantText(parseInstant(withOffset(text)) ?? 0)}"`
  switch (schema.type) {
    case 'integer':
      return (text) => String(int64Of(text))
    case 'boolean':
      return (text) => String(isTrue(text))
    case 'array': {
      const item = compileEcho(schema.items ?? { type: 'string' })
      const partsOf = (text: string) => (schema.uniqueItems ? [...new Set(text.split(','))] : text.split(','))
      return (text) => (text === '' ? '[]' : `[${partsOf(text).map(item).join(',')}]`)
    }
    default:
      return JSON.stringify
  }
}

interface ParameterOptions {
  /** Whether an undeclared name is ignored; otherwise it is a violation. */
  ignoreUnknown: boolean
  /** Names that are known, but that callers cannot set. */
  notSettable?: readonly string[]
  /** Members of the resource, as a reply shows them, that may be sent back unchanged. */
  readOnly?: TObject
  /** Whether a list may be sent as a repeated parameter: `a=1&a=2` for `a=1,2`. */
  repeatedLists?: boolean
  /** Parameters that are not repeated as they were sent. */
  echo?: Readonly<Record<string, EchoRule>>
}

interface CompiledParameter {
  neutral: string
  publicName: string
  schema: Schema
  read: TextReader
  /** The parsed parameter as a member of a JSON object. Undefined if it is not repeated. */
  echo: ((text: string, value: unknown) => string) | undefined
}

/** Compiles how one parameter is repeated. */
function compileMember(
  schema: Schema,
  publicName: string,
  { rule, vocabulary }: { rule: EchoRule | undefined; vocabulary: Vocabulary },
): CompiledParameter['echo'] {
  if (rule === 'omitted') return undefined
  const name = rule && 'as' in rule ? vocabulary.name(rule.as) : publicName
  const write = rule && 'write' in rule ? rule.write : compileEcho(schema)
  const prefix = `${JSON.stringify(name)}:`
  return (text, value) => prefix + (value === null ? 'null' : write(text))
}

function compileParametersOf(
  object: TObject,
  what: string,
  vocabulary: Vocabulary,
  rules: ParameterOptions['echo'] = {},
  readerOf = (schema: Schema): TextReader => compileText(schema, vocabulary),
) {
  const { properties = {} } = plain(object)
  const made = new Map(
    Object.entries(properties).map(([neutral, schema]): [string, CompiledParameter] => {
      const publicName = vocabulary.name(neutral)
      const read = readerOf(schema)
      const echo = compileMember(schema, publicName, { rule: rules[neutral], vocabulary })
      return [neutral, { neutral, publicName, schema, read, echo }]
    }),
  )
  const neutrals = spelled(vocabulary, [...made.keys()], what)
  return new Map(
    [...neutrals].map(([spelling, neutral]): [string, CompiledParameter] => [
      spelling,
      made.get(neutral) as CompiledParameter,
    ]),
  )
}

/**
 * Members as replies show them: what may be `null` there is sent back empty. Only a body can hold
 * an object.
 */
function compileReadOnly(
  object: TObject | undefined,
  vocabulary: Vocabulary,
  rules: ParameterOptions['echo'] = {},
) {
  if (!object) return new Map<string, CompiledParameter>()
  const all = compileParametersOf(object, 'the read-only members', vocabulary, rules, (schema) =>
    schema.type === 'object' ? () => wrong('invalid') : compileText(schema, vocabulary),
  )
  for (const parameter of new Set(all.values())) {
    const { read } = parameter
    // An empty value compares as a missing one.
    parameter.read = (text) => (text === '' ? null : read(text))
  }
  return all
}

/**
 * Compiles the reader of the parameters of one place. It collects every violation, under public
 * names.
 */
export function compileParameters(
  object: TObject,
  place: ParameterPlace,
  vocabulary: Vocabulary,
  options: ParameterOptions,
): ParameterReader {
  const { properties = {}, required = [] } = plain(object)
  const readers = compileParametersOf(object, `the ${place} parameters`, vocabulary, options.echo)
  const readOnly = compileReadOnly(options.readOnly, vocabulary, options.echo)
  const notSettable = new Set((options.notSettable ?? []).flatMap(vocabulary.spellings))
  const readOne = compileOne(place, { readers, readOnly, notSettable, ignoreUnknown: options.ignoreUnknown })
  const requiredNames = required.map((neutral) => [neutral, vocabulary.name(neutral)] as const)
  const defaults = Object.entries(properties).flatMap(([neutral, { default: value }]) =>
    value === undefined ? [] : [[neutral, value] as const],
  )
  const kindOf: ParameterKindOf = (name) => {
    const parameter = readers.get(name) ?? readOnly.get(name)
    if (parameter) return parameter.schema.type === 'array' ? 'list' : 'value'
    return notSettable.has(name) ? 'value' : undefined
  }
  const isList = (name: string) => kindOf(name) === 'list'
  const joins = options.repeatedLists === true && [...readers.keys(), ...readOnly.keys()].some(isList)

  const read: ReadParameters = (pairs, violations, echo, sentBack) => {
    const into: ReadState = { values: {}, seen: new Set(), violations, echo, sentBack }
    for (const [name, value] of joins ? joined(pairs, isList) : pairs) readOne(name, value, into)
    for (const [neutral, name] of requiredNames) {
      // A value that cannot be read from a JSON body is no missing one.
      if (!into.seen.has(neutral) && !violations.some((violation) => violation.name === name))
        add(violations, { place, name, value: undefined, fault: { kind: 'missing' } })
    }
    for (const [neutral, value] of defaults) into.values[neutral] ??= value
    return into.values
  }
  return Object.assign(read, { kindOf })
}

/** The parameters of one place that have been read so far. */
interface ReadState {
  values: Record<string, unknown>
  /** Neutral names. */
  seen: Set<string>
  violations: Violation[]
  echo: string[] | undefined
  sentBack: SentBack[] | undefined
}

interface ParameterNames {
  readers: ReadonlyMap<string, CompiledParameter>
  readOnly: ReadonlyMap<string, CompiledParameter>
  notSettable: ReadonlySet<string>
  ignoreUnknown: boolean
}

/** Compiles the reader of one parameter, under the names that clients send. */
function compileOne(
  place: ParameterPlace,
  { readers, readOnly, notSettable, ignoreUnknown }: ParameterNames,
) {
  const known = [...new Set([...readers.values()].map(({ publicName }) => publicName))]
  return (name: string, value: string, { values, seen, violations, echo, sentBack }: ReadState): void => {
    const wrong = (fault: Fault, shown = value) => add(violations, { place, name, value: shown, fault })
    const reader = readers.get(name)
    const asShown = sentBack && readOnly.get(name)
    const parameter = reader ?? asShown
    if (!parameter) {
      if (notSettable.has(name)) wrong({ kind: 'not settable' })
      else if (!ignoreUnknown) wrong({ kind: 'unknown', known })
      return
    }
    if (seen.has(parameter.neutral)) {
      wrong({ kind: 'repeated' })
      return
    }
    seen.add(parameter.neutral)
    const result = reader ? reader.read(value) : new InvalidValue({ kind: 'not settable' })
    if (reader && !(result instanceof InvalidValue)) {
      values[reader.neutral] = result
      if (echo && reader.echo) echo.push(reader.echo(value, result))
      return
    }
    const { fault, value: part = value } = result as InvalidValue
    const claimed = asShown?.read(value)
    if (!asShown || claimed instanceof InvalidValue) {
      wrong(fault, part)
      return
    }
    const { neutral, schema } = asShown
    sentBack.push({
      name: neutral,
      schema,
      value: claimed,
      violation: shortened({ place, name, value: part, fault }),
    })
    if (echo && asShown.echo) echo.push(asShown.echo(value, claimed))
  }
}

/** Merges the repetitions of a list into one list, at the position of the first. */
function joined(
  pairs: readonly (readonly [string, string])[],
  joins: (name: string) => boolean,
): readonly (readonly [string, string])[] {
  const lists = new Map<string, [string, string]>()
  const rest: (readonly [string, string])[] = []
  for (const pair of pairs) {
    const [name, value] = pair
    const first = lists.get(name)
    if (first) first[1] += `,${value}`
    else if (joins(name)) {
      const list: [string, string] = [name, value]
      lists.set(name, list)
      rest.push(list)
    } else rest.push(pair)
  }
  return rest
}

function add(violations: Violation[], violation: Violation): void {
  if (violations.length < MAX_VIOLATIONS) violations.push(shortened(violation))
}

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
  if (claimed instanceof InvalidValue) add(violations, violation)
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

function fail(violations: Violation[], path: string, value: unknown, fault: Fault): undefined {
  add(violations, { place: 'body', name: path, value: scalarText(value), fault })
  return undefined
}

/**
 * An invalid value, for display. A list or an object may be nested so deeply that serializing it
 * fails.
 */
function scalarText(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '[…]'
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0 ? '{}' : '{…}'
  return String(value)
}

const MAX_JSON_PARAMETERS = 100

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The members of a JSON object as parameters: numbers and booleans as text, `null` as an empty
 * string, and where a parameter is a list, lists as comma-separated items. So a parameter is read
 * in the same way, wherever it is sent. Members that are not parameters may contain anything, and
 * are omitted.
 */
export function jsonPairs(
  json: unknown,
  violations: Violation[],
  kindOf: ParameterKindOf,
): [string, string][] {
  if (!isObject(json)) {
    if (json !== undefined) fail(violations, '$', json, { kind: 'type', expected: 'object' })
    return []
  }
  const members = Object.entries(json)
  if (members.length > MAX_JSON_PARAMETERS) {
    fail(violations, '$', undefined, { kind: 'length', min: 0, max: MAX_JSON_PARAMETERS })
    return []
  }
  return members.flatMap(([name, value]): [string, string][] => {
    const kind = kindOf(name)
    if (kind === undefined) return []
    const text = textOf(value, kind === 'list')
    if (text !== undefined) return [[name, text]]
    fail(violations, name, value, { kind: 'type', expected: EXPECTED[kind] })
    return []
  })
}

const EXPECTED = {
  value: 'text, a number or a boolean',
  list: 'text, a number, a boolean or a list of these',
} as const

const textOf = (value: unknown, isList: boolean) =>
  isList && Array.isArray(value) ? listText(value) : memberText(value)

function memberText(value: unknown): string | undefined {
  if (value === null) return ''
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
  return typeof value === 'string' ? value : typeof value === 'boolean' ? String(value) : undefined
}

function listText(items: readonly unknown[]): string | undefined {
  const texts = items.map((item) => (item === null ? undefined : memberText(item)))
  return texts.some((text) => text === undefined || text.includes(',')) ? undefined : texts.join(',')
}
