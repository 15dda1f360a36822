import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A small file system in memory, which a test fills. */
export interface SmallDisk extends Disposable {
  readonly folder: string
  /** Takes all the space that is left. */
  fill(): void
  /** Frees what `fill` took. */
  free(): void
}

/** Mounts one; undefined where this is not possible: it requires root on Linux. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-full-'))
  const options = `size=${megabytes}m,mode=0700`
  const isMounted =
    process.platform === 'linux' &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0
  if (!isMounted) {
    rmSync(folder, { recursive: true, force: true })
    return undefined
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      const file = openSync(filler, 'w')
      try {
        for (const bytes of [1 << 20, 1 << 12, 1])
          for (;;) if (writeSync(file, Buffer.alloc(bytes)) < bytes) break
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'ENOSPC')
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(filler),
    [Symbol.dispose]() {
      spawnSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Why a test with a small disk is skipped. */
export const NO_SMALL_DISK = 'only root can mount a small file system: run this test as root'
