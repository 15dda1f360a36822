import type { TSchema } from 'typebox'
import type { Schema } from './schema.ts'
import { plain } from './schema.ts'

/** 2026-02-03T04:05:06Z. */
const SAMPLE_MS = Date.UTC(2026, 1, 3, 4, 5, 6)

/** A value of the form of a schema, for documents of endpoints whose author wrote no example. */
export const sampleValue = (schema: TSchema): unknown => sample(plain(schema), '')

function sample(schema: Schema, name: string): unknown {
  if (schema.format === 'instant') return SAMPLE_MS
  if (schema.enum) return schema.enum[0]
  switch (schema.type) {
    case 'integer':
    case 'number':
      if (schema.format === 'int64') return '1900000000000000042'
      return name.endsWith('_micro') ? 1_500_000 : (schema.minimum ?? 1)
    case 'boolean':
      return false
    case 'array':
      return schema.items ? [sample(schema.items, name)] : []
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([member, one]) => [member, sample(one, member)]),
      )
    default:
      return sampleText(schema, name)
  }
}

function sampleText({ format, pattern, nullable }: Schema, name: string): string | null {
  if (name === 'next_cursor') return null
  if (format === 'base36') return 'g50ay517xwxs'
  if (format === 'date-time') return new Date(SAMPLE_MS).toISOString()
  if (format === 'int64' || pattern === '^[0-9]{1,19}$') return '1900000000000000042'
  if (name === 'currency') return 'USD'
  return nullable ? null : 'text'
}
