import type { TSchema } from 'typebox'
import { plain, type Schema } from './schema.ts'
import { renamed, type Vocabulary, valueNames } from './vocabulary.ts'

/** A JSON Schema with only the keywords that Plaza's declarations use. */
export type JsonSchema = Record<string, unknown>

const COPIED = [
  'type',
  'title',
  'description',
  'const',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
] as const

/** Custom formats whose patterns say everything. */
const PATTERN_FORMATS = new Set<string | undefined>(['base36', 'media_key', 'percentage'])

/** The replacement of a schema in a document; undefined to include the schema itself. */
export type SchemaReference = (schema: Schema) => JsonSchema | undefined

const inline: SchemaReference = () => undefined

/** A declared schema with public names, as plain JSON. */
export function renamedSchema(
  schema: TSchema | Schema,
  vocabulary: Vocabulary,
  referenceTo: SchemaReference = inline,
): JsonSchema {
  const from = plain(schema as TSchema)
  return referenceTo(from) ?? writtenOut(from, vocabulary, referenceTo)
}

/** A schema whose parts may be references. */
export function writtenOut(from: Schema, vocabulary: Vocabulary, referenceTo: SchemaReference): JsonSchema {
  const part = (schema: Schema) => renamedSchema(schema, vocabulary, referenceTo)
  const to: JsonSchema = {}
  for (const keyword of COPIED) if (from[keyword] !== undefined) to[keyword] = from[keyword]
  if (from.description !== undefined) to.description = vocabulary.text(from.description)
  if (from.enum) {
    to.type ??= 'string'
    const { name } = valueNames(from, vocabulary)
    to.enum = from.enum.map((value) => (typeof value === 'string' ? name(value) : value))
  }
  // Custom formats, mapped to standard ones.
  if (from.format === 'instant') to.format = 'date-time'
  if (PATTERN_FORMATS.has(from.format)) delete to.format
  if (from.nullable) {
    to.type = [to.type, 'null']
    if (to.enum) to.enum = [...(to.enum as unknown[]), null]
  }
  if (from.default !== undefined) to.default = renamedDefault(from, vocabulary)
  if (from.items) to.items = part(from.items)
  if (from.anyOf) to.anyOf = from.anyOf.map(part)
  // An object without declared members allows any member.
  if (from.properties && Object.keys(from.properties).length > 0) {
    const { properties } = from
    const names = renamed(vocabulary, Object.keys(properties), 'a schema')
    to.properties = Object.fromEntries(
      names.map(([neutral, publicName]) => [publicName, part(properties[neutral] as Schema)]),
    )
    if (from.required?.length) to.required = from.required.map((name) => vocabulary.name(name))
  }
  if (typeof from.additionalProperties === 'object') to.additionalProperties = part(from.additionalProperties)
  else if (from.additionalProperties !== undefined) to.additionalProperties = from.additionalProperties
  return to
}

/** Defaults of enumerations are renamed; every other default is a plain value. */
function renamedDefault(schema: Schema, vocabulary: Vocabulary): unknown {
  const choice = [schema, schema.items].find((candidate) => candidate?.enum !== undefined)
  const rename = (value: unknown) =>
    choice && typeof value === 'string' ? valueNames(choice, vocabulary).name(value) : value
  return Array.isArray(schema.default) ? schema.default.map(rename) : rename(schema.default)
}
