import type { TSchema } from 'typebox'
import { Type } from 'typebox'

/** The JSON Schema keywords that Plaza's declarations use; every reader and writer of schemas knows these. */
export interface Schema {
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null'
  enum?: readonly (string | number)[]
  const?: string | number | boolean
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
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
}

/** A TypeBox schema as the plain JSON Schema that it is. */
export const plain = (schema: TSchema): Schema => schema as unknown as Schema

/** A 64-bit id in decimal digits, `^[0-9]{1,19}$` (interface, Webhook config). */
export const id = (description: string) => Type.String({ pattern: '^[0-9]{1,19}$', description })

/** A time, RFC 3339 in UTC with milliseconds: `2026-02-03T04:05:06.000Z`. */
export const time = (description: string) => Type.String({ format: 'date-time', description })

/** One of a few words. */
export const choice = <const Values extends string[]>(values: readonly [...Values], description: string) =>
  Type.Enum(values, { description })

/** A comma-separated list of some of a few words, each at most once. */
export const choices = <const Values extends string[]>(values: readonly [...Values], description: string) =>
  Type.Array(Type.Enum(values), { uniqueItems: true, minItems: 1, description })

/** Free text of a bounded length in characters. */
export const text = (minLength: number, maxLength: number, description: string) =>
  Type.String({ minLength, maxLength, description })
