import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { FolderInUse, FolderUnusable, openFolder } from './folder.ts'

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'plaza-folder-'))
})
afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

const moduleUrl = new URL('./folder.ts', import.meta.url).href

/** A process that locks the folder, or reports why it cannot, and then stays until it is killed. */
async function holder(folder: string) {
  const program = `
    import { openFolder } from ${JSON.stringify(moduleUrl)}
    try {
      openFolder(${JSON.stringify(folder)})
      console.log('holds')
    } catch (error) {
      console.log(error.name)
    }
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await once(child.stdout, 'data')
  return {
    pid: child.pid,
    said: String(said).trim(),
    async kill() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

describe('openFolder', () => {
  it('makes the folder and its parents for this user alone', () => {
    const folder = openFolder(join(base, 'a/b'))
    assert.equal(statSync(join(base, 'a')).mode & 0o777, 0o700)
    assert.equal(statSync(folder.path).mode & 0o777, 0o700)
    folder.close()
  })

  it('leaves nothing but the empty lock file behind', () => {
    const folder = openFolder(base)
    assert.equal(readFileSync(folder.file('plaza.pid'), 'utf8'), `${process.pid}\n`)
    assert.deepEqual(readdirSync(base).sort(), ['lock.db', 'plaza.pid'])
    folder.close()
    assert.deepEqual(readdirSync(base), ['lock.db'])
    assert.equal(statSync(join(base, 'lock.db')).size, 0)
  })

  it('rejects a second opening in the same process, and says who, where and what to do', () => {
    const folder = openFolder(base)
    assert.throws(
      () => openFolder(base),
      (error) => {
        assert.ok(error instanceof FolderInUse)
        assert.equal(error.pid, process.pid)
        assert.ok(error.message.includes(folder.path) && error.message.includes(String(process.pid)))
        assert.match(error.message, /Stop that server first, or choose another folder with --data/)
        return true
      },
    )
    assert.throws(() => openFolder(base), FolderInUse, 'the rejected attempt did not end the lock')
    folder.close()
  })

  it('opens again after close, and a second close does not release the next holder', () => {
    const first = openFolder(base)
    first.close()
    const second = openFolder(base)
    first.close()
    assert.throws(() => openFolder(base), FolderInUse)
    assert.equal(readFileSync(second.file('plaza.pid'), 'utf8'), `${process.pid}\n`)
    second.close()
  })

  it('rejects a folder that another process holds, and opens at once when that one is killed', async () => {
    const child = await holder(base)
    try {
      assert.equal(child.said, 'holds')
      assert.throws(
        () => openFolder(base),
        (error) => error instanceof FolderInUse && error.pid === child.pid,
      )
    } finally {
      await child.kill()
    }
    openFolder(base).close()
  })

  it('is held against other processes, also after a rejected second opening here', async () => {
    const folder = openFolder(base)
    assert.throws(() => openFolder(base), FolderInUse)
    const child = await holder(base)
    await child.kill()
    assert.equal(child.said, 'FolderInUse')
    folder.close()
  })

  it('is held by an opening that nothing refers to any more', () => {
    openFolder(base)
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    assert.throws(() => openFolder(base), FolderInUse)
  })

  it('names no process when the pid file is missing or nonsense', () => {
    const folder = openFolder(base)
    for (const text of [undefined, 'nonsense', '-1']) {
      if (text === undefined) rmSync(folder.file('plaza.pid'))
      else writeFileSync(folder.file('plaza.pid'), text)
      assert.throws(
        () => openFolder(base),
        (error) =>
          error instanceof FolderInUse && error.pid === undefined && /another process/.test(error.message),
      )
    }
    folder.close()
  })

  it('says so when the path, or something on the way to it, is a file', () => {
    const file = join(base, 'file')
    writeFileSync(file, '')
    for (const path of [file, join(file, 'below')]) {
      assert.throws(
        () => openFolder(path),
        (error) =>
          error instanceof FolderUnusable && error.message.includes(path) && /is a file/.test(error.message),
      )
    }
  })

  it('says so when permissions are missing, to make the folder or to write in it', (t) => {
    const readOnly = join(base, 'read-only')
    mkdirSync(readOnly)
    chmodSync(readOnly, 0o555)
    chmodSync(base, 0o755)
    const root = process.geteuid?.() === 0
    if (root) {
      try {
        process.seteuid?.(65534)
      } catch {
        t.skip('permissions do not bind this user')
        return
      }
    }
    try {
      for (const path of [readOnly, join(readOnly, 'below')]) {
        assert.throws(
          () => openFolder(path),
          (error) =>
            error instanceof FolderUnusable &&
            error.message.includes(path) &&
            /permission is missing for user \d+/.test(error.message),
        )
      }
    } finally {
      if (root) process.seteuid?.(0)
    }
    assert.deepEqual(readdirSync(readOnly), [])
  })

  it('says so when something overwrote the lock file', () => {
    writeFileSync(join(base, 'lock.db'), 'not a database'.repeat(100))
    assert.throws(
      () => openFolder(base),
      (error) => error instanceof FolderUnusable && /lock\.db was damaged.*delete it/.test(error.message),
    )
  })

  it('gives paths inside the folder only', () => {
    const folder = openFolder(base)
    assert.equal(folder.file('tls/ca.pem'), join(folder.path, 'tls/ca.pem'))
    assert.equal(folder.file('..data'), join(folder.path, '..data'))
    for (const name of ['', '.', '..', '../x', 'a/../../x', '/etc/passwd']) {
      assert.throws(() => folder.file(name), RangeError, name)
    }
    folder.close()
  })
})
