import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from './atomic-file.ts'
import { StoreUnavailable } from './store.ts'

/** What must fit on a disk that takes writes. */
const PROBE_BYTES = 1024 * 1024

/** Codes of a disk that takes no more: full, over a quota, over a limit of file size, read-only, broken. */
const DISK_FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO'])

/** Whether an error says that nothing more can be written. */
export const isDiskFull = (error: unknown): boolean => DISK_FULL.has(errorCode(error) ?? '')

/**
 * Writes a megabyte and removes it again; it is not flushed, so hardly any of it reaches the disk.
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
