import { StoreBusy, StoreUnavailable } from '../storage/store.ts'

/** Result codes of SQLite about a value: too big, a constraint, another type. */
const OF_VALUE = new Set([18, 19, 20])
/** SQLSTATEs of PostgreSQL about a value: data exceptions and constraints. */
const OF_DATA = /^2[23]/

/**
 * What cannot be handled alone so often, an event or an item, is skipped: with the pauses between them, after about a
 * minute.
 */
export const MAX_ATTEMPTS = 7

/**
 * Whether an event may be what cannot be handled. False for what the store, the disk or the network says: such an error
 * passes, and no event may be lost meanwhile.
 */
export function mayBeOfEvent(error: unknown): boolean {
  if (error instanceof StoreUnavailable || error instanceof StoreBusy) return false
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown }
  if (typeof errcode === 'number') return OF_VALUE.has(errcode & 0xff)
  if (error instanceof TypeError || error instanceof RangeError) return true
  return typeof code !== 'string' || OF_DATA.test(code)
}
