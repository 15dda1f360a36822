import { isOutOfMemory } from '../failure.ts'

/**
 * Result codes of SQLite about the disk, of memory or of others who use the file: busy, locked, out of memory,
 * read-only, interrupted, input and output, full, cannot be opened, locking protocol.
 */
const OF_MACHINE = new Set([5, 6, 7, 8, 9, 10, 13, 14, 15])

/** Whether what failed is about the machine and may go well another time, and not about what is stored. */
export function isOfMachine(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { errcode } = error as { errcode?: number }
  return errcode === undefined ? isOutOfMemory(error) : OF_MACHINE.has(errcode & 0xff)
}
