import fc from 'fast-check'
import type { Schema } from './schema.ts'

/**
 * Schemas as endpoints declare them, with values that match or nearly match: for property tests.
 */
export interface Pair {
  schema: Schema
  value: unknown
}

const NAMES = ['id', 'text', 'post_ids', 'created_at', 'count', 'kind'] as const
const WORDS = ['alpha', 'beta', 'gamma'] as const

const range = (low: number, high: number) =>
  fc.tuple(fc.integer({ min: low, max: high }), fc.integer({ min: low, max: high })).map(([a, b]) => ({
    min: Math.min(a, b),
    max: Math.max(a, b),
  }))

const stringSchema: fc.Arbitrary<Schema> = fc.oneof(
  range(0, 6).map(({ min, max }): Schema => ({ type: 'string', minLength: min, maxLength: max })),
  fc.constant<Schema>({ type: 'string', pattern: '^[0-9]{1,19}$' }),
  fc.constant<Schema>({ type: 'string' }),
)

const scalarSchema: fc.Arbitrary<Schema> = fc.oneof(
  stringSchema,
  range(-5, 5).map(({ min, max }): Schema => ({ type: 'integer', minimum: min, maximum: max })),
  range(-5, 5).map(({ min, max }): Schema => ({ type: 'number', minimum: min, maximum: max })),
  fc.constant<Schema>({ type: 'boolean' }),
  fc.subarray([...WORDS], { minLength: 1 }).map((words): Schema => ({ enum: words })),
)

const anySchema: fc.Arbitrary<Schema> = fc.letrec<{ schema: Schema; object: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'schema' },
    scalarSchema,
    tie('object'),
    fc.tuple(tie('schema'), range(0, 3)).map(([items, { min, max }]): Schema => {
      return { type: 'array', items, minItems: min, maxItems: max }
    }),
    fc
      .tuple(stringSchema, fc.boolean())
      .map(([items, uniqueItems]): Schema => ({ type: 'array', items, uniqueItems })),
  ),
  object: fc
    .tuple(
      fc.dictionary(fc.constantFrom(...NAMES), tie('schema'), { maxKeys: 3 }),
      fc.subarray([...NAMES]),
      fc.boolean(),
    )
    .map(([properties, required, closed]): Schema => {
      // A declaration without members stands for any object.
      const all =
        Object.keys(properties).length === 0 ? { id: { type: 'string' } as Schema } : { ...properties }
      return {
        type: 'object',
        properties: all,
        required: required.filter((name) => name in all),
        ...(closed && { additionalProperties: false }),
      }
    }),
})).object

/** A value that the schema allows. */
function fittingValue(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'string':
      if (schema.pattern) return fc.bigInt({ min: 0n, max: 9_999_999_999_999_999_999n }).map(String)
      return fc.string({
        unit: 'grapheme',
        minLength: schema.minLength ?? 0,
        maxLength: schema.maxLength ?? 8,
      })
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -9, max: Number(schema.maximum ?? 9) })
    case 'number':
      return fc.double({ min: schema.minimum ?? -9, max: Number(schema.maximum ?? 9), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 4, uniqueItems } = schema
      const bounds = { minLength: minItems, maxLength: maxItems }
      return uniqueItems ? fc.uniqueArray(fittingValue(items), bounds) : fc.array(fittingValue(items), bounds)
    }
    default: {
      const { properties = {}, required = [] } = schema
      const members = Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, fittingValue(member)]),
      )
      return fc.record(members, { requiredKeys: [...required] })
    }
  }
}

/** A schema with a value that matches it. */
export const fitting: fc.Arbitrary<Pair> = anySchema.chain((schema) =>
  fittingValue(schema).map((value) => ({ schema, value })),
)

const anyJson = fc.jsonValue({ maxDepth: 2 })

/** A schema with a value that matches it, nearly matches it, or does not match. */
export const near: fc.Arbitrary<Pair> = fc.oneof(
  fitting,
  anySchema.chain((schema) => anyJson.map((value) => ({ schema, value }))),
  fc
    .tuple(fitting, fc.constantFrom(...NAMES, 'other', '__proto__'), anyJson)
    .map(([{ schema, value }, name, member]) => ({ schema, value: withMember(value, name, member) })),
  fc
    .tuple(fitting, fc.nat())
    .map(([{ schema, value }, index]) => ({ schema, value: withoutMember(value, index) })),
)

function withMember(value: unknown, name: string, member: unknown): unknown {
  const copy = { ...(value as object) }
  // Like JSON.parse: an own member, whatever its name.
  Object.defineProperty(copy, name, { value: member, enumerable: true, configurable: true, writable: true })
  return copy
}

function withoutMember(value: unknown, index: number): unknown {
  const entries = Object.entries(value as object)
  if (entries.length > 0) entries.splice(index % entries.length, 1)
  return Object.fromEntries(entries)
}
