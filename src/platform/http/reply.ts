import type { TSchema } from 'typebox'
import { jsonText } from '../common/exact-json.ts'
import { instantText } from '../common/instant.ts'
import { oncePer } from '../common/once-per.ts'
import { percentageText } from '../common/percentage.ts'
import { Slices } from '../common/slices.ts'
import { plain, type Schema } from './schema.ts'
import { byVocabulary, renamed, type Vocabulary, valueNames } from './vocabulary.ts'

/**
 * Writes a value as JSON text. With `parts`, a long text is split: all but the end is appended to
 * `parts` in order, and the end is returned. V8 allocates strings of more than 128 KB separately,
 * which takes longer than writing them.
 */
export type ReplyWriter = (value: unknown, parts?: string[]) => string

/** The length after which a text is split, in UTF-16 code units of one or two bytes. */
const MAX_PART_LENGTH = 16_384

/** A part of a reply that is already JSON text and is written unchanged. */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** No JSON text contains this character: strings contain it escaped. */
export const PLACE_OF_STREAM = '\u0001'

/**
 * A part of a reply that is read while the reply is sent, as pieces of JSON text. A writer only
 * marks its place.
 */
export class StreamedJson extends RawJson {
  readonly read: () => AsyncIterable<string>
  constructor(read: () => AsyncIterable<string>) {
    super(PLACE_OF_STREAM)
    this.read = read
  }
}

const writersOf = byVocabulary((vocabulary) => oncePer((schema: Schema) => compile(schema, vocabulary)))

/**
 * The writer of a schema: JSON text with exactly the declared members under their public names.
 * There is one for each schema and vocabulary, shared by replies, lists and batches. Undeclared
 * members cannot leave the server. A missing required member throws, because it is a bug in Plaza.
 */
export function compileReply(schema: TSchema, vocabulary: Vocabulary): ReplyWriter {
  return writersOf(vocabulary)(plain(schema))
}

/** A list with more items is written while the reply is sent. */
const MAX_ITEMS_AT_ONCE = 1_000
/** Items that are written at once. */
const ITEMS_OF_PIECE = 200

interface Streamable {
  value: unknown
  streamed: readonly StreamedJson[]
}

/**
 * Replaces long lists among the members of a value by parts that are written while the reply is
 * sent, in slices of the event loop.
 */
export function compileLongLists(
  schema: TSchema,
  vocabulary: Vocabulary,
): <Result extends Streamable>(result: Result) => Result {
  const lists = Object.entries(plain(schema).properties ?? {}).filter(([, { type }]) => type === 'array')
  return (result) => {
    const { value, streamed } = result
    if (typeof value !== 'object' || value === null || streamed.length > 0) return result
    const long = lists.flatMap(([name, list]): [string, StreamedJson][] => {
      const items: unknown = Reflect.get(value, name)
      if (!Array.isArray(items) || items.length <= MAX_ITEMS_AT_ONCE) return []
      return [[name, new StreamedJson(() => piecesOf(items, writersOf(vocabulary)(list)))]]
    })
    if (long.length === 0) return result
    return {
      ...result,
      value: { ...value, ...Object.fromEntries(long) },
      streamed: long.map(([, list]) => list),
    }
  }
}

/** The text of a list, in pieces. */
async function* piecesOf(items: readonly unknown[], write: ReplyWriter): AsyncGenerator<string> {
  const slices = new Slices()
  for (let at = 0; at < items.length; at += ITEMS_OF_PIECE) {
    if (slices.isOver) await slices.next()
    yield `${at === 0 ? '[' : ','}${write(items.slice(at, at + ITEMS_OF_PIECE)).slice(1, -1)}`
  }
  yield ']'
}

function compile(schema: Schema, vocabulary: Vocabulary): ReplyWriter {
  const source = new WriterSource(vocabulary)
  return source.function(joined(source.value(schema, 'value', '')))
}

/**
 * A piece of the output: constant text, or the code of a value after some constant text. Each `+`
 * costs time, so values with few forms are written together with the text before them.
 */
type WriterPart = string | ((before: string) => string)

/** One expression for consecutive pieces. */
function joined(parts: readonly WriterPart[]): string {
  const pieces: string[] = []
  let before = ''
  for (const part of parts) {
    if (typeof part === 'string') before += part
    else {
      pieces.push(part(before))
      before = ''
    }
  }
  if (before !== '' || pieces.length === 0) pieces.push(JSON.stringify(before))
  return pieces.join(' + ')
}

/** The code of a value with any number of forms. */
const open =
  (code: string): WriterPart =>
  (before) =>
    before === '' ? code : `${JSON.stringify(before)} + ${code}`

const quoted = (code: string): WriterPart[] => ['"', open(code), '"']

/** Some pieces, or constant text instead when a condition is true. */
const unless =
  (condition: string, text: string, parts: readonly WriterPart[]): WriterPart =>
  (before) =>
    `(${condition} ? ${JSON.stringify(before + text)} : ${joined([before, ...parts])})`

/** The source code of a writer, and the values that it references. */
class WriterSource {
  readonly #vocabulary: Vocabulary
  readonly #functions: string[] = []
  readonly #values: unknown[] = []

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /**
   * Names come from declarations and the vocabulary and are embedded as JSON strings; no request
   * data is embedded.
   */
  function(expression: string): ReplyWriter {
    const names = this.#values.map((_, index) => `v${index}`)
    const body = `'use strict'\n${this.#functions.join('\n')}\nreturn (value, parts) => ${expression}`
    return new Function(...Object.keys(HELPERS), ...names, body)(
      ...Object.values(HELPERS),
      ...this.#values,
    ) as ReplyWriter
  }

  /** Code that writes the value of a variable. */
  value(schema: Schema, variable: string, path: string): WriterPart[] {
    const filled = this.#filled(schema, variable, path)
    return isNullable(schema) ? [unless(`${variable} === null`, 'null', filled)] : filled
  }

  #filled(schema: Schema, variable: string, path: string): WriterPart[] {
    const at = `${variable}, ${JSON.stringify(path)}`
    if (schema.raw) return [open(`jsonText(${variable})`)]
    if (schema.anyOf) throw new Error(`${path}: a reply member has one type, not a union`)
    if (schema.format === 'instant') return quoted(`instant(${at})`)
    if (schema.format === 'percentage') return quoted(`percentage(${at})`)
    if (schema.enum && schema.type !== 'integer') return [this.#word(schema, variable, path)]
    switch (schema.type) {
      case 'string':
        return quoted(isSafe(schema) ? `safe(${at})` : `text(${at})`)
      case 'integer':
      case 'number':
        return [open(`${numberWriter(schema)}(${at})`)]
      case 'boolean':
        return [
          unless(`${variable} === true`, 'true', [
            unless(`${variable} === false`, 'false', [open(`wrong(${at}, 'true or false')`)]),
          ]),
        ]
      case 'array':
        return [open(`${this.#list(schema, path)}(${variable}, '')`)]
      case 'object':
        // A schema that others contain too is compiled once for all of them.
        return [
          open(
            path === ''
              ? `${this.#object(schema)}(${variable}, parts)`
              : `${this.#shared(schema)}(${variable})`,
          ),
        ]
      default:
        throw new Error(`${path}: a reply cannot hold the type ${schema.type}`)
    }
  }

  #word(schema: Schema, variable: string, path: string): WriterPart {
    const words = renamed(valueNames(schema, this.#vocabulary), schema.enum as readonly string[], path)
    return (before) => {
      const texts = new Map(
        words.map(([neutral, publicName]) => [neutral, before + JSON.stringify(publicName)]),
      )
      return `(${this.#refer(texts)}.get(${variable}) ?? wrong(${variable}, ${JSON.stringify(path)}, 'one of its words'))`
    }
  }

  #refer(value: unknown): string {
    this.#values.push(value)
    return `v${this.#values.length - 1}`
  }

  #shared(schema: Schema): string {
    return this.#refer(writersOf(this.#vocabulary)(schema))
  }

  #define(parameters: string, body: string): string {
    const name = `f${this.#functions.length}`
    this.#functions.push(`function ${name}(${parameters}) {\n${body}\n}`)
    return name
  }

  /** Defines a function that appends a list to the text before it. */
  #list(schema: Schema, path: string): string {
    const parts = this.value(schema.items ?? {}, 'item', `${path}[]`)
    const item = (before: string) => joined([before, ...parts])
    return this.#define(
      'value, json, parts',
      `if (value instanceof RawJson) return json + value.text
      if (!Array.isArray(value)) wrong(value, ${JSON.stringify(path)}, 'a list')
      if (value.length === 0) return json + '[]'
      let item = value[0]
      json += ${item('[')}
      for (let i = 1; i < value.length; i++) {
        if (json.length > ${MAX_PART_LENGTH} && parts !== undefined) {
          parts.push(json)
          json = ''
        }
        item = value[i]
        json += ${item(',')}
      }
      return json + ']'`,
    )
  }

  #object(schema: Schema): string {
    const { properties = {} } = schema
    const declared = Object.keys(properties).filter((name) => !properties[name]?.ignored)
    const members = renamed(this.#vocabulary, declared, schema.title ?? 'a reply')
    if (members.length === 0 && typeof schema.additionalProperties === 'object')
      return this.#map(schema.additionalProperties)
    if (members.length === 0 && schema.additionalProperties !== false)
      return this.#define('value', 'return value instanceof RawJson ? value.text : JSON.stringify(value)')
    return this.#define(
      'value, parts',
      `if (value instanceof RawJson) return value.text
      if (value === undefined || value === null) wrong(value, '', 'an object')
      let json = ''
      ${this.#lines(schema, members).join('\n')}
      return json`,
    )
  }

  /** An object whose members have names of their own, such as ids, and values of one schema. */
  #map(values: Schema): string {
    return this.#define(
      'value',
      `if (value instanceof RawJson) return value.text
      let json = '{'
      for (const [name, one] of Object.entries(value)) {
        if (json.length > 1) json += ','
        json += JSON.stringify(name) + ${joined([':', ...this.value(values, 'one', '{}')])}
      }
      return json + '}'`,
    )
  }

  /** The statements that write the members of an object. */
  #lines({ properties = {}, required = [] }: Schema, members: readonly [string, string][]): string[] {
    // Members that are always present are written in one expression with their neighbours. Only at
    // run time is it known whether another member precedes an optional one.
    let isFirst = true
    let isSure = false
    const lines: string[] = []
    let pending: WriterPart[] = ['{']
    const flush = () => {
      if (pending.length > 0) lines.push(`json += ${joined(pending)}`)
      pending = []
    }
    members.forEach(([neutral, publicName], index) => {
      const member = properties[neutral] as Schema
      const variable = `m${index}`
      const comma: WriterPart[] = isFirst ? [] : isSure ? [','] : [open(COMMA)]
      const before = [...comma, `${JSON.stringify(publicName)}:`]
      const isRequired = required.includes(neutral)
      lines.unshift(`const ${variable} = value[${JSON.stringify(neutral)}]`)
      if (isRequired && !isLong(member)) {
        if (!isFirst && !isSure) flush()
        pending.push(...before, ...this.value(member, variable, neutral))
      } else {
        flush()
        const condition = isRequired ? '' : `if (${isThere(member, variable)}) `
        const written = isLong(member)
          ? `json = ${this.#list(member, neutral)}(${variable}, json + ${joined(before)}, parts)`
          : `json += ${joined([...before, ...this.value(member, variable, neutral)])}`
        lines.push(condition + written)
      }
      isSure ||= isRequired
      isFirst = false
    })
    pending.push('}')
    flush()
    return lines
  }
}

/** A body that a reply repeats may have null where a value was removed. */
const isNullable = ({ nullable, clearable }: Schema) => nullable === true || clearable === true

/** Whether the text of a member may be long: a list of objects. */
const isLong = (schema: Schema) =>
  schema.type === 'array' && schema.items?.type === 'object' && !schema.raw && !isNullable(schema)

const COMMA = "(json.length === 1 ? '' : ',')"

function numberWriter({ format, maximum }: Schema): string {
  if (typeof maximum === 'bigint') return 'int64'
  return format === 'int64' ? 'digits' : 'number'
}

/**
 * Null and absent members are omitted (conventions of the core API), unless they are declared
 * nullable.
 */
const isThere = (schema: Schema, variable: string) =>
  isNullable(schema) ? `${variable} !== undefined` : `${variable} !== undefined && ${variable} !== null`

/**
 * Characters that JSON escapes: quotes, backslashes, control characters, and possibly lone
 * surrogates.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what it looks for
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/

const INT64 = /^(0|[1-9][0-9]{0,18})$/

/** Ids and times hold no character that JSON escapes. */
const isSafe = ({ format, pattern }: Schema) =>
  format === 'date-time' || format === 'base36' || pattern === '^[0-9]{1,19}$'

function wrong(value: unknown, path: string, expected: string): never {
  throw new Error(
    `${path || 'a reply'} is ${value === undefined || value === null ? 'missing' : `not ${expected}`}`,
  )
}

/** Functions that generated code calls, by name. They return strings without quotes. */
const HELPERS = {
  RawJson,
  wrong,
  jsonText,
  instant: (value: unknown, path: string) =>
    Number.isFinite(value) ? instantText(value as number) : wrong(value, path, 'a time'),
  percentage: (value: unknown, path: string) =>
    Number.isInteger(value) ? percentageText(value as number) : wrong(value, path, 'a percentage'),
  text: (value: unknown, path: string) => {
    if (typeof value !== 'string') return wrong(value, path, 'text')
    return NEEDS_ESCAPE.test(value) ? JSON.stringify(value).slice(1, -1) : value
  },
  safe: (value: unknown, path: string) => (typeof value === 'string' ? value : wrong(value, path, 'text')),
  number: (value: unknown, path: string) =>
    Number.isFinite(value) ? `${value}` : wrong(value, path, 'a number'),
  /** An integer that may exceed 2^53 - 1, as its decimal digits. */
  digits: (value: unknown, path: string) =>
    typeof value === 'string' && INT64.test(value) ? value : wrong(value, path, 'a 64-bit number'),
  int64: (value: unknown, path: string) =>
    typeof value === 'bigint' || Number.isSafeInteger(value)
      ? `${value}`
      : wrong(value, path, 'a 64-bit number'),
}
