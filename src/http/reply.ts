import type { TSchema } from 'typebox'
import { jsonText } from '../common/exact-json.ts'
import { instantText } from '../common/instant.ts'
import type { Schema } from './schema.ts'
import { plain } from './schema.ts'
import type { Vocabulary } from './vocabulary.ts'
import { renamed } from './vocabulary.ts'

export type ReplyWriter = (value: unknown) => string

/** A part of a reply that is already JSON text and is written unchanged. */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const compiled = new WeakMap<Vocabulary, WeakMap<object, ReplyWriter>>()

/**
 * The writer of a schema: JSON text with exactly the declared members under their public names. There is one for each
 * schema and vocabulary, shared by replies, lists and batches. Undeclared members cannot leave the
 * server. A missing required member throws, because it is a bug in Plaza.
 */
export function compileReply(schema: TSchema, vocabulary: Vocabulary): ReplyWriter {
  return writerOf(plain(schema), vocabulary)
}

function writerOf(schema: Schema, vocabulary: Vocabulary): ReplyWriter {
  const known = compiled.get(vocabulary) ?? new WeakMap<object, ReplyWriter>()
  compiled.set(vocabulary, known)
  const found = known.get(schema)
  if (found) return found
  const made = compile(schema, vocabulary)
  known.set(schema, made)
  return made
}

/** Name collisions are detected now; the code is generated on first use, because most of it is never used. */
function compile(schema: Schema, vocabulary: Vocabulary): ReplyWriter {
  const source = new Source(vocabulary)
  const expression = joined(source.value(schema, 'value', ''))
  let write: ReplyWriter | undefined
  return (value) => {
    write ??= source.function(expression)
    return write(value)
  }
}

/** A piece of the output: constant text, or an expression. */
type Part = { text: string } | { code: string }

/** One expression for consecutive pieces. Adjacent constants are merged: each `+` costs time. */
function joined(parts: readonly Part[]): string {
  const merged: Part[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if ('text' in part && last && 'text' in last) merged[merged.length - 1] = { text: last.text + part.text }
    else merged.push(part)
  }
  return merged.map((part) => ('text' in part ? JSON.stringify(part.text) : part.code)).join(' + ')
}

const quoted = (code: string): Part[] => [{ text: '"' }, { code }, { text: '"' }]

/** The source code of a writer, and the values that it references. */
class Source {
  readonly #vocabulary: Vocabulary
  readonly #functions: string[] = []
  readonly #values: unknown[] = []

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /** Names come from declarations and the vocabulary and are embedded as JSON strings; no request data is embedded. */
  function(expression: string): ReplyWriter {
    const names = this.#values.map((_, index) => `v${index}`)
    const body = `'use strict'\n${this.#functions.join('\n')}\nreturn (value) => ${expression}`
    return new Function(...Object.keys(HELPERS), ...names, body)(
      ...Object.values(HELPERS),
      ...this.#values,
    ) as ReplyWriter
  }

  /** Code that writes the value of a variable after a prefix. */
  value(schema: Schema, variable: string, path: string, before = ''): Part[] {
    const filled = [{ text: before }, ...this.#filled(schema, variable, path)]
    // A body that a reply repeats may have null where a value was removed.
    if (!schema.nullable && !schema.clearable) return filled
    return [{ code: `(${variable} === null ? ${JSON.stringify(`${before}null`)} : ${joined(filled)})` }]
  }

  #filled(schema: Schema, variable: string, path: string): Part[] {
    const at = `${variable}, ${JSON.stringify(path)}`
    if (schema.raw) return [{ code: `jsonText(${variable})` }]
    if (schema.anyOf) throw new Error(`${path}: a reply member has one type, not a union`)
    if (schema.format === 'instant') return quoted(`instant(${at})`)
    if (schema.enum && schema.type !== 'integer') return quoted(this.#word(schema, at, path))
    switch (schema.type) {
      case 'string':
        return quoted(isSafe(schema) ? `safe(${at})` : `text(${at})`)
      case 'integer':
      case 'number':
        return [{ code: `${numberWriter(schema)}(${at})` }]
      case 'boolean':
        return [{ code: `boolean(${at})` }]
      case 'array':
        return [{ code: `${this.#list(schema, path)}(${variable})` }]
      case 'object':
        // A schema that others contain too is compiled once for all of them.
        return [{ code: `${path === '' ? this.#object(schema) : this.#shared(schema)}(${variable})` }]
      default:
        throw new Error(`${path}: a reply cannot hold the type ${schema.type}`)
    }
  }

  #word(schema: Schema, at: string, path: string): string {
    const words = renamed(this.#vocabulary, schema.enum as readonly string[], path)
    const texts = new Map(
      words.map(([neutral, publicName]) => [neutral, JSON.stringify(publicName).slice(1, -1)]),
    )
    return `(${this.#refer(texts)}.get(${at.split(',')[0]}) ?? wrong(${at}, 'one of its words'))`
  }

  #refer(value: unknown): string {
    this.#values.push(value)
    return `v${this.#values.length - 1}`
  }

  #shared(schema: Schema): string {
    return this.#refer(writerOf(schema, this.#vocabulary))
  }

  #define(body: string): string {
    const name = `f${this.#functions.length}`
    this.#functions.push(`function ${name}(value) {\n${body}\n}`)
    return name
  }

  #list(schema: Schema, path: string): string {
    const item = (before: string) => joined(this.value(schema.items ?? {}, 'item', `${path}[]`, before))
    return this.#define(`if (value instanceof RawJson) return value.text
      if (!Array.isArray(value)) wrong(value, ${JSON.stringify(path)}, 'a list')
      if (value.length === 0) return '[]'
      let item = value[0]
      let json = ${item('[')}
      for (let i = 1; i < value.length; i++) {
        item = value[i]
        json += ${item(',')}
      }
      return json + ']'`)
  }

  #object(schema: Schema): string {
    const { properties = {}, required = [] } = schema
    const declared = Object.keys(properties).filter((name) => !properties[name]?.ignored)
    const members = renamed(this.#vocabulary, declared, schema.title ?? 'a reply')
    if (members.length === 0 && schema.additionalProperties !== false)
      return this.#define('return value instanceof RawJson ? value.text : JSON.stringify(value)')
    // Members that are always present are written in one expression with their neighbours. Only at run time is it known
    // whether another member precedes an optional one.
    let isFirst = true
    let isSure = false
    const lines: string[] = []
    let pending: Part[] = [{ text: '{' }]
    const flush = () => {
      if (pending.length > 0) lines.push(`json += ${joined(pending)}`)
      pending = []
    }
    members.forEach(([neutral, publicName], index) => {
      const member = properties[neutral] as Schema
      const variable = `m${index}`
      const name = `${JSON.stringify(publicName)}:`
      lines.unshift(`const ${variable} = value[${JSON.stringify(neutral)}]`)
      if (required.includes(neutral)) {
        if (isFirst || isSure)
          pending.push(...this.value(member, variable, neutral, isFirst ? name : `,${name}`))
        else {
          flush()
          pending.push({ code: COMMA }, ...this.value(member, variable, neutral, name))
        }
        isSure = true
      } else {
        flush()
        const comma: Part[] = isFirst ? [] : isSure ? [{ text: ',' }] : [{ code: COMMA }]
        const part = joined([...comma, ...this.value(member, variable, neutral, name)])
        lines.push(`if (${isThere(member, variable)}) json += ${part}`)
      }
      isFirst = false
    })
    pending.push({ text: '}' })
    flush()
    return this.#define(`if (value instanceof RawJson) return value.text
      if (value === undefined || value === null) wrong(value, '', 'an object')
      let json = ''
      ${lines.join('\n')}
      return json`)
  }
}

const COMMA = "(json.length === 1 ? '' : ',')"

function numberWriter({ format, maximum }: Schema): string {
  if (typeof maximum === 'bigint') return 'int64'
  return format === 'int64' ? 'digits' : 'number'
}

/** Null and absent members are omitted (conventions of the core API), unless they are declared nullable. */
const isThere = ({ nullable }: Schema, variable: string) =>
  nullable ? `${variable} !== undefined` : `${variable} !== undefined && ${variable} !== null`

/** Characters that JSON escapes: quotes, backslashes, control characters, and possibly lone surrogates. */
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
  text: (value: unknown, path: string) => {
    if (typeof value !== 'string') return wrong(value, path, 'text')
    return NEEDS_ESCAPE.test(value) ? JSON.stringify(value).slice(1, -1) : value
  },
  safe: (value: unknown, path: string) => (typeof value === 'string' ? value : wrong(value, path, 'text')),
  boolean: (value: unknown, path: string) =>
    value === true ? 'true' : value === false ? 'false' : wrong(value, path, 'true or false'),
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
