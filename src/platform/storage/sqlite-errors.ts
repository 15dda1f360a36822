import { afterError } from '../common/after-error.ts'
import { StoreBusy, StoreUnavailable, UniqueViolation } from './store.ts'

/** Pauses between two attempts to lock the database: SQLite does not tell when it is free. */
const BUSY_PAUSES = { firstMs: 1, longestMs: 25 }
const UNIQUE_CODES = new Set([1555, 2067])
/**
 * Primary codes of an unusable database: out of memory, read-only, I/O error, full, cannot be
 * opened.
 */
const UNAVAILABLE_CODES = new Set([7, 8, 10, 13, 14])
/** Another process is writing: busy, locked. */
const BUSY_CODES = new Set([5, 6])

/**
 * Runs `work`, and repeats it while another process has locked the database, without blocking this
 * thread.
 */
export async function whenFree<T>(work: () => T, timeoutMs: number): Promise<T> {
  const endsAt = performance.now() + timeoutMs
  for (let failures = 0; ; failures++) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= endsAt) throw error
      await afterError(failures, undefined, BUSY_PAUSES)
    }
  }
}

/**
 * Repeats a read that failed because another process had locked the database, for example while it
 * recovers the log of a killed one. Distinguishes an unusable database from a query that fails.
 */
export async function readAgain<T>(error: unknown, read: () => T, timeoutMs: number): Promise<T> {
  if (!isBusy(error)) throw storeError(error)
  return whenFree(read, timeoutMs).catch((last) => {
    throw storeError(last)
  })
}

/** The error of the store for an error of SQLite; any other error unchanged. */
export function storeError(error: unknown): unknown {
  const code = codeOf(error)
  if (!(error instanceof Error) || code === undefined) return error
  if (UNIQUE_CODES.has(code)) return new UniqueViolation(error.message)
  if (UNAVAILABLE_CODES.has(primary(code))) return new StoreUnavailable(error.message, { cause: error })
  return isBusy(error) ? new StoreBusy(error.message) : error
}

function isBusy(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && BUSY_CODES.has(primary(code))
}

const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined

/** The low byte of a code; the rest only refines it. */
const primary = (code: number): number => code & 0xff
