import { timingSafeEqual } from 'node:crypto'

/** Compares two secrets in constant time, except for their lengths. */
export function sameText(one: string, other: string): boolean {
  const a = Buffer.from(one)
  const b = Buffer.from(other)
  return a.length === b.length && timingSafeEqual(a, b)
}
