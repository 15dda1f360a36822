import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from './atomic-file.ts'
import { StoreUnavailable } from './store.ts'

/** The free space that a writable disk must have. */
const PROBE_BYTES = 1024 * 1024

/**
 * Error codes of a disk that cannot be written: full, quota exceeded, file too large, read-only,
 * I/O error.
 */
const DISK_FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO'])

/** Whether an error means that the disk cannot be written. */
export const isDiskFull = (error: unknown): boolean => DISK_FULL.has(errorCode(error) ?? '')

/**
 * Writes a megabyte and removes it again. It is not flushed, so hardly any of it reaches the disk.
 * @throws StoreUnavailable when it does not fit
 */
export async function checkFreeSpace(folder: string): Promise<void> {
  const path = join(folder, `.probe.${process.pid}`)
  try {
    await writeFile(path, Buffer.alloc(PROBE_BYTES), { mode: 0o600 })
  } catch (error) {
    throw new StoreUnavailable(`${folder} cannot be written: ${(error as Error).message}`, { cause: error })
  } finally {
    await rm(path, { force: true }).catch(() => undefined)
  }
}
