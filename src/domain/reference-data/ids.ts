import { hash } from 'node:crypto'
import { once, readTable } from '../../platform/common/lookup.ts'

/**
 * Ids of reference data: the documented one of a key, or a digest. The same key has the same id in
 * every version and on every node, so an id that a caller stored keeps its meaning when entries are
 * added around it.
 */
const documentedIds = once(
  () =>
    new Map(
      readTable(new URL('documented-ids.tsv', import.meta.url)).map(([key = '', id = '']) => [key, id]),
    ),
)

/** 16 hexadecimal digits: the first 8 bytes of the key's SHA-256. */
export function hexId(key: string): string {
  return documentedIds().get(key) ?? digest(key)
}

/** Lower-case base-36 text of `length` characters, read off the key's SHA-256. */
export function base36Id(key: string, length = 4): string {
  return documentedIds().get(key) ?? numberOf(key).toString(36).padStart(length, '0').slice(-length)
}

/** A 19-digit decimal id in the range of user ids, read off the key's SHA-256. */
export function decimalId(key: string): string {
  const FIRST = 1_300_000_000_000_000_000n
  const RANGE = 50_000_000_000_000_000n
  return (FIRST + (numberOf(key) % RANGE)).toString()
}

function digest(key: string): string {
  // A slice of the longer text would keep all of it in memory, for each of the 61,000 places.
  return hash('sha256', key, 'buffer').toString('hex', 0, 8)
}

const numberOf = (key: string) => BigInt(`0x${digest(key)}`)
