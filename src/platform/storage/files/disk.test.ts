import assert from 'node:assert/strict'
import fs, { mkdtempSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { systemRandom } from '../../common/random.ts'
import { diskFiles } from './disk.ts'

/** The path that an open descriptor leads to. */
const pathOf = (descriptor: number) => readlinkSync(`/proc/self/fd/${descriptor}`)

/** Records which files and folders are flushed, until the test ends. */
async function flushesOf(t: TestContext, folder: string): Promise<string[]> {
  const flushed: string[] = []
  const handle = await open(folder, 'r')
  const prototype: { sync(this: { fd: number }): Promise<void> } = Object.getPrototypeOf(handle)
  await handle.close()
  const { sync } = prototype
  const { fsyncSync } = fs
  prototype.sync = async function () {
    await sync.call(this)
    flushed.push(pathOf(this.fd))
  }
  fs.fsyncSync = (descriptor) => {
    fsyncSync(descriptor)
    flushed.push(pathOf(descriptor))
  }
  syncBuiltinESMExports()
  t.after(() => {
    prototype.sync = sync
    fs.fsyncSync = fsyncSync
    syncBuiltinESMExports()
  })
  return flushed
}

test('a file and every new folder above it are on the disk when it is stored', {
  skip: process.platform !== 'linux' && 'the paths of descriptors are in /proc',
}, async (t) => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'plaza-disk-')))
  t.after(() => rmSync(base, { recursive: true, force: true }))
  const flushed = await flushesOf(t, base)
  const media = join(base, 'data', 'media')
  const files = diskFiles(media, systemRandom)
  assert.deepEqual(flushed.splice(0), [base, join(base, 'data'), media])
  const { hash } = await files.put(Buffer.from('one'), async () => undefined)
  const folder = dirname(files.pathOf?.(hash) ?? assert.fail('a file on a disk has a path'))
  assert.deepEqual(flushed.splice(0).slice(1), [media, folder])
  await files.put(Buffer.from('one'), async () => undefined)
  assert.deepEqual(flushed.splice(0).slice(1), [folder])
  // Another process may have created the folder, and not flushed it yet.
  const others = diskFiles(media, systemRandom)
  await others.put(Buffer.from('one'), async () => undefined)
  assert.deepEqual(flushed.slice(1), [media, folder])
})

test('a folder on a volume without hard links is marked too', async (t) => {
  const base = mkdtempSync(join(tmpdir(), 'plaza-disk-'))
  const { linkSync } = fs
  t.after(() => {
    fs.linkSync = linkSync
    syncBuiltinESMExports()
    rmSync(base, { recursive: true, force: true })
  })
  fs.linkSync = () => {
    throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' })
  }
  syncBuiltinESMExports()
  const files = diskFiles(base, systemRandom)
  assert.equal(await files.putMark('one'), 'one')
  assert.equal(await files.putMark('other'), 'one')
})
