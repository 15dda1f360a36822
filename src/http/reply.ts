import type { TSchema } from 'typebox'
import { instantText } from '../common/instant.ts'
import type { Int64 } from '../common/int64.ts'
import type { Schema } from './schema.ts'
import { plain } from './schema.ts'
import type { Vocabulary } from './vocabulary.ts'
import { renamed } from './vocabulary.ts'

export type ReplyWriter = (value: unknown) => string

/** A part of a reply that is JSON text already: it goes out as it is. */
export class Written {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/**
 * Compiles the writer of a reply: JSON text with exactly the declared members, in the spoken names.
 * What a schema does not declare cannot leave the server. A required member that is missing throws:
 * that is our fault, not the caller's.
 */
export function compileReply(schema: TSchema, vocabulary: Vocabulary): ReplyWriter {
  return compile(plain(schema), vocabulary, 'reply')
}

type Writer = (value: never) => string

function compile(schema: Schema, vocabulary: Vocabulary, path: string): ReplyWriter {
  return writer(schema, vocabulary, path) as ReplyWriter
}

function writer(schema: Schema, vocabulary: Vocabulary, path: string): Writer {
  const write = filledWriter(schema, vocabulary, path) as ReplyWriter
  return schema.nullable ? (value: unknown) => (value === null ? 'null' : write(value)) : write
}

function filledWriter(schema: Schema, vocabulary: Vocabulary, path: string): Writer {
  if (schema.anyOf) throw new Error(`${path}: a reply member has one type, not a union`)
  if (schema.format === 'instant') return instantWriter(path)
  if (schema.enum && schema.type !== 'integer')
    return enumWriter(schema.enum as readonly string[], vocabulary, path)
  switch (schema.type) {
    case 'string':
      return stringWriter(safeText(schema), path)
    case 'integer':
    case 'number':
      if (typeof schema.maximum === 'bigint') return int64Writer(path)
      return schema.format === 'int64' ? digitsWriter(path) : numberWriter(path)
    case 'boolean':
      return (value: boolean) => {
        if (typeof value !== 'boolean') throw new Error(`${path} is not true or false`)
        return value ? 'true' : 'false'
      }
    case 'array':
      return arrayWriter(schema, vocabulary, path)
    case 'object':
      return objectWriter(schema, vocabulary, path)
    default:
      throw new Error(`${path}: a reply cannot hold the type ${schema.type}`)
  }
}

/** What JSON cannot hold as it is: quotes, backslashes, controls, and halves of a pair that might stand alone. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what it looks for
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/

/** Ids and times hold no character that JSON escapes. */
const safeText = ({ format, pattern }: Schema) =>
  format === 'date-time' || format === 'base36' || pattern === '^[0-9]{1,19}$'

function instantWriter(path: string): Writer {
  return (value: number) => {
    if (!Number.isFinite(value)) throw new Error(`${path} is not a time`)
    return `"${instantText(value)}"`
  }
}

function stringWriter(safe: boolean, path: string): Writer {
  return (value: string) => {
    if (typeof value !== 'string') throw new Error(`${path} is not text`)
    return safe || !NEEDS_ESCAPE.test(value) ? `"${value}"` : JSON.stringify(value)
  }
}

function numberWriter(path: string): Writer {
  return (value: number) => {
    if (!Number.isFinite(value)) throw new Error(`${path} is not a number`)
    return `${value}`
  }
}

/** A number that may be too great for a number of ours, kept as its digits. */
function digitsWriter(path: string): Writer {
  return (value: string) => {
    if (typeof value !== 'string' || !/^(0|[1-9][0-9]{0,18})$/.test(value))
      throw new Error(`${path} is not a 64-bit number`)
    return value
  }
}

function int64Writer(path: string): Writer {
  return (value: Int64) => {
    if (typeof value !== 'bigint' && !Number.isSafeInteger(value))
      throw new Error(`${path} is not a 64-bit number`)
    return `${value}`
  }
}

function enumWriter(values: readonly string[], vocabulary: Vocabulary, path: string): Writer {
  const written = new Map(
    renamed(vocabulary, values, path).map(([neutral, spoken]) => [neutral, JSON.stringify(spoken)]),
  )
  return (value: string) => {
    const text = written.get(value)
    if (text === undefined) throw new Error(`${path} is not one of ${values.join(', ')}`)
    return text
  }
}

function arrayWriter(schema: Schema, vocabulary: Vocabulary, path: string): Writer {
  const item = writer(schema.items ?? {}, vocabulary, `${path}[]`) as ReplyWriter
  return (values: unknown[] | Written) => {
    if (values instanceof Written) return values.text
    if (!Array.isArray(values)) throw new Error(`${path} is not a list`)
    let text = '['
    for (let i = 0; i < values.length; i++) text += i === 0 ? item(values[i]) : `,${item(values[i])}`
    return `${text}]`
  }
}

function objectWriter(schema: Schema, vocabulary: Vocabulary, path: string): Writer {
  const { properties = {}, required = [] } = schema
  const written = Object.keys(properties).filter((name) => !properties[name]?.ignored)
  const members = renamed(vocabulary, written, path).map(([neutral, spoken]) => ({
    neutral,
    required: required.includes(neutral),
    nullable: properties[neutral]?.nullable === true,
    prefix: `${JSON.stringify(spoken)}:`,
    write: writer(properties[neutral] as Schema, vocabulary, `${path}.${neutral}`) as ReplyWriter,
  }))
  if (members.length === 0 && schema.additionalProperties !== false)
    return (value: object) => (value instanceof Written ? value.text : JSON.stringify(value))
  return (value: Record<string, unknown> | Written) => {
    if (value instanceof Written) return value.text
    let text = '{'
    for (const member of members) {
      const part = value[member.neutral]
      // Null and absent members are left out (conventions of the core API), unless they are declared nullable.
      if (part === undefined || (part === null && !member.nullable)) {
        if (member.required) throw new Error(`${path}.${member.neutral} is missing`)
        continue
      }
      text += text.length === 1 ? member.prefix : `,${member.prefix}`
      text += member.write(part)
    }
    return `${text}}`
  }
}
