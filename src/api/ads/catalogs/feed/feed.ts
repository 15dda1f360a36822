import { PRODUCT_FIELDS } from '../product-fields.ts'
import { textOf } from './encoded.ts'
import type { FeedItem } from './item.ts'
import { delimiterOf, tabbedItems } from './tabbed.ts'
import { xmlItems } from './xml.ts'

export const FEED_FORMATS = ['tsv', 'csv', 'xml'] as const
export type FeedFormat = (typeof FEED_FORMATS)[number]

export interface FeedPlan {
  /** By default, detected. */
  format?: FeedFormat | undefined
  /** The name of the encoding. */
  encoding?: string | undefined
}

/**
 * Reads the products of a feed one after the other: a table with a line of names, RSS 2.0 or Atom.
 * A file of any size takes the same memory. `onBytes` receives the number of bytes read. Without
 * `format`, the first line decides; without `encoding`, the file does (see `textOf`).
 */
export async function* readFeed(
  file: string,
  { format, encoding }: FeedPlan,
  onBytes: (bytes: number) => void = () => undefined,
): AsyncGenerator<FeedItem> {
  const chunks = textOf(file, encoding, onBytes)
  const first = (await chunks.next()).value ?? ''
  const rest = (async function* () {
    yield first
    yield* chunks
  })()
  const isXml = format === undefined ? first.trimStart().startsWith('<') : format === 'xml'
  if (isXml) yield* xmlItems(rest)
  else yield* tabbedItems(rest, delimiterOf(first, format === 'xml' ? undefined : format))
}

/** A product as a call would submit it: numbers are numbers, and `in_stock` is `in stock`. */
export function submitted(fields: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([, text]) => text !== '')
      .map(([name, text]) => [name, typed(name, text)]),
  )
}

function typed(name: string, text: string): string | number {
  const field = PRODUCT_FIELDS[name]
  if (field?.type === 'integer') return /^\d{1,15}$/.test(text) ? Number(text) : text
  return field?.choices ? text.toLowerCase().replaceAll('_', ' ') : text
}
