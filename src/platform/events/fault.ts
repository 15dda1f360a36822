import { StoreBusy, StoreUnavailable, UniqueViolation } from '../storage/store.ts'

/** Result codes of SQLite that concern a value: too big, a constraint, another type. */
const OF_VALUE = new Set([18, 19, 20])
/** SQLSTATE classes of PostgreSQL that concern a value: data exceptions and constraints. */
const OF_DATA = /^2[23]/

/**
 * An event or item that fails alone this many times is skipped. With the pauses between the
 * attempts, this takes about a minute.
 */
export const MAX_ATTEMPTS = 7
/**
 * The same for an error of data. What was read may have changed since, so there is a second
 * attempt; more would only hold up what comes after it.
 */
const MAX_ATTEMPTS_OF_DATA = 2

/**
 * Whether an error may be caused by an event. False for errors of the store, the disk or the
 * network: these pass, and no event may be lost meanwhile.
 */
export function mayBeOfEvent(error: unknown): boolean {
  if (error instanceof StoreUnavailable || error instanceof StoreBusy) return false
  const { errcode, code } = codesOf(error)
  if (typeof errcode === 'number') return OF_VALUE.has(errcode & 0xff)
  if (error instanceof TypeError || error instanceof RangeError) return true
  return typeof code !== 'string' || OF_DATA.test(code)
}

/** After how many attempts an event or item that fails alone with this error is skipped. */
export const maxAttempts = (error: unknown): number => (isOfData(error) ? MAX_ATTEMPTS_OF_DATA : MAX_ATTEMPTS)

/**
 * Whether the database rejects a value, or the program cannot handle one. Waiting changes neither.
 */
function isOfData(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof UniqueViolation)
    return true
  const { errcode, code } = codesOf(error)
  if (typeof errcode === 'number') return OF_VALUE.has(errcode & 0xff)
  return typeof code === 'string' && OF_DATA.test(code)
}

/** The result code of SQLite, and the code of PostgreSQL or of the system. */
const codesOf = (error: unknown): { errcode?: unknown; code?: unknown } =>
  typeof error === 'object' && error !== null ? error : {}
