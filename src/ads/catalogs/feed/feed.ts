import { createReadStream } from 'node:fs'
import { PRODUCT_FIELDS } from '../product-fields.ts'
import type { FeedItem } from './item.ts'
import { FeedError } from './item.ts'
import { tabbedItems } from './tabbed.ts'
import { xmlItems } from './xml.ts'

export type FeedFormat = 'tsv' | 'xml'

const CHUNK_BYTES = 64 * 1024

/**
 * Reads the products of a feed one after the other: tab-separated with a line of names, RSS 2.0 or Atom. A file of any
 * size takes the same memory. `onBytes` receives the number of bytes read.
 */
export async function* readFeed(
  file: string,
  format: FeedFormat | undefined,
  onBytes: (bytes: number) => void = () => undefined,
): AsyncGenerator<FeedItem> {
  const chunks = textOf(file, onBytes)
  const first = (await chunks.next()).value ?? ''
  const rest = (async function* () {
    yield first
    yield* chunks
  })()
  const found = format ?? (first.trimStart().startsWith('<') ? 'xml' : 'tsv')
  yield* found === 'xml' ? xmlItems(rest) : tabbedItems(rest)
}

async function* textOf(file: string, onBytes: (bytes: number) => void): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
      const text = decoder.decode(chunk, { stream: true })
      onBytes(chunk.length)
      for (const character of text) if (character === '\n') line++
      yield text
    }
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new FeedError(`line ${line} or a line soon after it is no UTF-8`)
  }
  return undefined
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
