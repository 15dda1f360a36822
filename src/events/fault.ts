import { StoreBusy, StoreUnavailable } from '../storage/store.ts'

/** Result codes of SQLite that concern a value: too big, a constraint, another type. */
const OF_VALUE = new Set([18, 19, 20])
/** SQLSTATE classes of PostgreSQL that concern a value: data exceptions and constraints. */
const OF_DATA = /^2[23]/

/**
 * An event or item that fails alone this many times is skipped. With the pauses between the attempts, this takes about
 * a minute.
 */
export const MAX_ATTEMPTS = 7

/**
 * Whether an error may be caused by an event. False for errors of the store, the disk or the network: these pass, and
 * no event may be lost meanwhile.
 */
export function mayBeOfEvent(error: unknown): boolean {
  if (error instanceof StoreUnavailable || error instanceof StoreBusy) return false
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown }
  if (typeof errcode === 'number') return OF_VALUE.has(errcode & 0xff)
  if (error instanceof TypeError || error instanceof RangeError) return true
  return typeof code !== 'string' || OF_DATA.test(code)
}
