import type { TSchema } from 'typebox'
import { plain, type Schema } from './schema.ts'

/** 2026-02-03T04:05:06Z. */
const SAMPLE_MS = Date.UTC(2026, 1, 3, 4, 5, 6)

/** 50.0 percent. */
const SAMPLE_SHARE = 5_000

/** A value that matches a schema, for documents of endpoints without an example. */
export const sampleValue = (schema: TSchema): unknown => sample(plain(schema), '')

function sample(schema: Schema, name: string): unknown {
  if (schema.format === 'instant') return SAMPLE_MS
  if (schema.format === 'percentage') return SAMPLE_SHARE
  if (schema.enum) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  switch (schema.type) {
    case 'integer':
    case 'number':
      if (name.endsWith('_micro')) return 1_500_000
      return schema.format === 'int64' ? '1900000000000000042' : (schema.minimum ?? 1)
    case 'boolean':
      return false
    case 'array':
      return schema.items ? Array(Math.max(1, schema.minItems ?? 1)).fill(sample(schema.items, name)) : []
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([member, property]) => [
          member,
          sample(property, member),
        ]),
      )
    default:
      return sampleText(schema, name)
  }
}

/** One of these matches nearly every text format. */
const TEXTS = [
  'text',
  '1900000000000000042',
  '1',
  'USD',
  'US',
  'ada@example.com',
  'IAB1',
  'com.example.app',
  'https://shop.example.com/',
  '3_1900000000000000042',
  'card://1900000000000000042',
  '05:00',
]

function sampleText(schema: Schema, name: string): string | null {
  const { format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  if (name === 'next_cursor') return null
  if (format === 'base36') return 'g50ay517xwxs'
  if (format === 'date-time') return new Date(SAMPLE_MS).toISOString()
  if (name === 'currency') return 'USD'
  const form = new RegExp(pattern ?? '', 'u')
  const fits = (text: string) => form.test(text) && text.length >= minLength && text.length <= maxLength
  const found = TEXTS.find(fits)
  if (found !== undefined) return found
  return schema.nullable ? null : 'x'.repeat(minLength)
}
