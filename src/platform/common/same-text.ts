import { timingSafeEqual } from 'node:crypto'

/** Compares two secrets in constant time, except for their lengths. */
export function sameText(first: string, second: string): boolean {
  const a = Buffer.from(first)
  const b = Buffer.from(second)
  return a.length === b.length && timingSafeEqual(a, b)
}
