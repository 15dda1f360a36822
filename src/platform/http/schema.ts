import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { type Int64, MAX_INT64 } from '../common/int64.ts'

/**
 * The JSON Schema keywords that Plaza's declarations use; every reader and writer of schemas
 * supports these.
 */
export interface Schema {
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null'
  enum?: readonly (string | number)[]
  /**
   * The values of the enumeration are defined elsewhere, such as MIME types: a vocabulary does not
   * rename them.
   */
  standard?: boolean
  const?: string | number | boolean
  pattern?: string
  format?: string
  /** A time that is passed on as text. */
  isText?: boolean
  /** Text that holds the bytes of a file. A long value is passed on as a file. */
  contentEncoding?: 'base64'
  minLength?: number
  maxLength?: number
  minimum?: number
  /** A bigint: the value may be one too. */
  maximum?: Int64
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  anyOf?: readonly Schema[]
  default?: unknown
  description?: string
  title?: string
  /** The documents define it once, under this name, and reference it everywhere else. */
  component?: Component
  /** A reply has `null` for a missing value, instead of omitting the member. */
  nullable?: boolean
  /** An empty parameter is read as `null`, which removes the stored value. */
  clearable?: boolean
  /** A list whose order has a meaning. */
  ordered?: boolean
  /** A member that a body may have and that is ignored. */
  ignored?: boolean
  /** A body that its handler validates itself: any JSON is accepted. */
  raw?: boolean
  /** A body that its handler receives as raw bytes, JSON or not. */
  unread?: boolean
}

/**
 * The name of a schema in the documents and of its type in generated clients. It is never renamed.
 */
export interface Component {
  name: string
  /** Describes the schema itself; members with this schema have their own description. */
  description?: string
}

/** Gives a schema a name of its own in the documents. */
export function component<TypedSchema extends TSchema>(
  name: string,
  schema: TypedSchema,
  description?: string,
): TypedSchema {
  // A spread would lose what TypeBox keeps in hidden properties.
  const copy: TypedSchema = Object.defineProperties(
    {} as TypedSchema,
    Object.getOwnPropertyDescriptors(schema),
  )
  const named: Component = { name, ...(description !== undefined && { description }) }
  return Object.assign(copy, { component: named })
}

/** A component name made of words: `LineItem` of `line item`, `TV_SHOW` or `tv-show`. */
export const componentName = (...words: string[]) =>
  words
    .join(' ')
    .trim()
    .toLowerCase()
    .replaceAll(/(?:^|[^a-z0-9]+)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/**
 * A TypeBox schema as the plain JSON Schema that it is: TypeBox's type names none of its keywords.
 */
export const plain = (schema: TSchema): Schema => schema as unknown as Schema

/** An object without other members than the declared ones, as replies have them. */
export const closedObject = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

/** The same, with a name in the documents. */
export const closedComponent = <Properties extends TProperties>(name: string, properties: Properties) =>
  component(name, closedObject(properties))

/** An optional parameter that is false by default. */
export const flag = (description: string) => Type.Optional(Type.Boolean({ default: false, description }))

/** A 64-bit id in decimal digits, `^[0-9]{1,19}$` (interface, Webhook config). */
export const id = (description: string) => Type.String({ pattern: '^[0-9]{1,19}$', description })

/** A time in a reply of the core API, RFC 3339 in UTC: `2026-02-03T04:05:06.000Z`. */
export const time = (description: string) => Type.String({ format: 'date-time', description })

/** An enumeration. `name`: its name in the documents. */
export function choice<const Values extends string[]>(
  values: readonly [...Values],
  description: string,
  name?: string,
) {
  const schema = Type.Enum(values, { description })
  return name === undefined ? schema : component(name, schema)
}

/** An enumeration as a column stores it: other values are detected when the reply is written. */
export const storedChoice = (values: string[], description: string, name: string) =>
  Type.Unsafe<string>(choice(values, description, name))

/**
 * A comma-separated list of enumeration values, each at most once. `name`: the name of the
 * enumeration in the documents.
 */
export function choices<const Values extends string[]>(
  values: readonly [...Values],
  description: string,
  name?: string,
) {
  const item = name === undefined ? Type.Enum(values) : component(name, Type.Enum(values))
  return Type.Array(item, { uniqueItems: true, minItems: 1, description })
}

/**
 * Marks an enumeration, or a list of values of one, as defined outside of the interface: MIME
 * types, country codes. A vocabulary does not rename its values.
 */
export function standard<TypedSchema extends TSchema>(schema: TypedSchema): TypedSchema {
  const { items } = plain(schema)
  Object.assign(items ?? schema, { standard: true })
  return schema
}

/** Free text of a bounded length in characters. */
export const text = (minLength: number, maxLength: number, description: string) =>
  Type.String({ minLength, maxLength, description })

const MAX_ADDRESS_LENGTH = 2048

/** An http or https URL that pages may link to. */
export const webAddress = (description: string) =>
  Type.String({
    pattern: '^https?://[^\\s\\0/][^\\s\\0]*$',
    maxLength: MAX_ADDRESS_LENGTH,
    description,
  })

/** An id of the advertising API: lower-case base 36, `^[0-9a-z]{1,64}$`. */
export const base36 = (description: string) =>
  Type.String({ pattern: '^[0-9a-z]{1,64}$', format: 'base36', description })

/** A 64-bit decimal id as the advertising API reads it: `Expected Long`. */
export const long = (description: string) =>
  Type.String({ pattern: '^[0-9]{1,19}$', format: 'int64', description })

/**
 * A 64-bit id that replies contain as a JSON number: internally a decimal string, because it may
 * exceed 2^53 - 1.
 */
export const longNumber = (description: string) =>
  Type.Unsafe<string>({ type: 'integer', format: 'int64', description })

/**
 * A time of the advertising API. Parsed from ISO 8601 with a zone, where a date alone means
 * midnight UTC; internally epoch milliseconds; shown as `2026-02-03T04:05:06Z`.
 */
export const instant = (description: string) =>
  Type.Unsafe<number>({ type: 'string', format: 'instant', description })

/**
 * A time of the advertising API in a call whose dates are those of an account: the text, because
 * the time zone of the account decides what a date alone means.
 */
export const localInstant = (description: string) =>
  Type.Unsafe<string>({ type: 'string', format: 'instant', isText: true, description })

/**
 * A time of the core API. Read as RFC 3339: `2026-02-03T04:05:06Z`, or with an offset,
 * `2026-02-03T05:05:06+01:00`. Fractions of seconds are cut. Epoch milliseconds inside.
 */
export const utcInstant = (description: string) =>
  Type.Unsafe<number>({
    type: 'string',
    format: 'instant',
    pattern:
      '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$',
    description,
  })

/**
 * A share of people, from 1.00 to 99.00 percent. A body has it as text or as a number; hundredths
 * of a percent inside; shown as text with at least one decimal: `50.0`.
 */
export const percentage = (description: string) =>
  Type.Unsafe<number>({
    type: 'string',
    format: 'percentage',
    pattern: '^[1-9][0-9]?(\\.[0-9]{1,2})?$',
    description,
  })

/** An enumeration of integers. `name`: its name in the documents. */
export function integerChoice(values: readonly number[], description: string, name?: string) {
  const schema = Type.Unsafe<number>({ type: 'integer', enum: values, description })
  return name === undefined ? schema : component(name, schema)
}

/** An amount of money, a 64-bit integer: millionths of the currency's unit. */
export const micros = (description: string, minimum = 1) =>
  Type.Unsafe<Int64>({ type: 'integer', format: 'int64', minimum, maximum: MAX_INT64, description })

/** A comma-separated list of up to 200 ids. */
export const ids = <Item extends TSchema>(item: Item, description: string, maxItems = MAX_LISTED_IDS) =>
  Type.Array(item, { minItems: 1, maxItems, uniqueItems: true, description })

/** Ids in one filter (interface, Limits: comma-list filters). */
const MAX_LISTED_IDS = 200

/** A member that is always present in a reply, `null` when it has no value. */
export const nullable = <Inner extends TSchema>(inner: Inner) =>
  Type.Unsafe<Static<Inner> | null>({ ...inner, nullable: true })

/** A parameter that may be sent empty to remove the stored value. */
export const clearable = <Inner extends TSchema>(inner: Inner) =>
  Type.Unsafe<Static<Inner> | null>({ ...inner, clearable: true })

/** A read-only member that clients may send back and that is ignored. */
export const ignored = (description: string) => Type.Unsafe<unknown>({ description, ignored: true })

/** A body that its handler validates itself; `documented` is the schema in the documents. */
export const raw = (documented: TSchema) => Type.Unsafe<unknown>({ ...documented, raw: true })

/** A JSON body that its handler receives as bytes; `documented` is the schema in the documents. */
export const unread = (documented: TSchema) =>
  Type.Unsafe<Uint8Array>({ ...documented, raw: true, unread: true })
