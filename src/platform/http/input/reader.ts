import type { TObject } from 'typebox'
import { instantText, parseInstant } from '../../common/instant.ts'
import { int64Of } from '../../common/int64.ts'
import type { EchoRule, ParameterKindOf } from '../contract.ts'
import { type Fault, type ParameterPlace, shortened, type Violation } from '../errors.ts'
import { plain, type Schema } from '../schema.ts'
import { spelled, type Vocabulary } from '../vocabulary.ts'
import type { SentBack } from './read-only.ts'
import { compileText, InvalidValue, isTrue, type TextReader, withOffset, wrong } from './text-values.ts'
import { addViolation } from './violations.ts'

// The parameters of a path, a query or a form.

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

export interface CompiledParameter {
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
export function compileReadOnly(
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
        addViolation(violations, { place, name, value: undefined, fault: { kind: 'missing' } })
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
    const wrong = (fault: Fault, shown = value) =>
      addViolation(violations, { place, name, value: shown, fault })
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
