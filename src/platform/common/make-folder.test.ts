import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makeFolder } from './make-folder.ts'

const base = mkdtempSync(join(tmpdir(), 'plaza-make-folder-'))
after(() => rmSync(base, { recursive: true, force: true }))

describe('makeFolder', () => {
  test('makes missing parents with the same mode', () => {
    makeFolder(join(base, 'a', 'b', 'c'), 0o700)
    for (const path of ['a', 'a/b', 'a/b/c']) assert.equal(statSync(join(base, path)).mode & 0o777, 0o700)
  })

  test('leaves an existing folder as it is', () => {
    makeFolder(join(base, 'there'), 0o750)
    makeFolder(join(base, 'there'), 0o700)
    assert.equal(statSync(join(base, 'there')).mode & 0o777, 0o750)
  })

  test('a file in its way is an error', () => {
    writeFileSync(join(base, 'file'), '')
    assert.throws(() => makeFolder(join(base, 'file')), { code: 'EEXIST' })
    assert.throws(() => makeFolder(join(base, 'file', 'below')), { code: 'ENOTDIR' })
  })

  // In a separate process, because a call that does not return cannot be stopped.
  test('returns where folders cannot be made, as under /proc', { skip: process.platform !== 'linux' }, () => {
    const module = JSON.stringify(new URL('./make-folder.ts', import.meta.url).href)
    const script = `import { makeFolder } from ${module}
      try { makeFolder('/proc/plaza/data') } catch ({ code }) { console.log(code) }`
    const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    })
    assert.equal(signal, null)
    assert.match(stdout.trim(), /^(ENOENT|EPERM|EACCES)$/)
  })
})
