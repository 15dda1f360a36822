import { PRODUCT_FIELDS } from '../product-fields.ts'

/** A product of a feed as text, or why the line contains none. */
export interface FeedItem {
  /** Where it begins, from 1. */
  line: number
  /** By the names of the interface. */
  fields: Record<string, string>
  problem?: string
}

/** The rest of a file cannot be read. The message names the line. */
export class FeedError extends Error {
  override name = 'FeedError'
}

/** The name of the interface for a column or an element: `Image Link`, `g:image_link`. */
export function fieldNamed(text: string): string | undefined {
  const name = text.trim().toLowerCase().replace(/^g:/, '').replace(/[ -]+/g, '_')
  return Object.hasOwn(PRODUCT_FIELDS, name) ? name : undefined
}
