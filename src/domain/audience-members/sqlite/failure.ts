import { isOutOfMemory } from '../failure.ts'

/**
 * Result codes of SQLite for failures of the disk, of memory, or because of other users of the file: busy, locked, out of
 * memory, read-only, interrupted, I/O error, full, cannot be opened, locking protocol.
 */
const OF_MACHINE = new Set([5, 6, 7, 8, 9, 10, 13, 14, 15])

/** Whether the cause is the machine rather than the stored data, so that a retry may succeed. */
export function isOfMachine(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { errcode } = error as { errcode?: number }
  return errcode === undefined ? isOutOfMemory(error) : OF_MACHINE.has(errcode & 0xff)
}
