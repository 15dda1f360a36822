import assert from 'node:assert/strict'
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
import { seededRandom } from '../common/random.ts'
import { type Folder, openFolder } from './folder.ts'
import { MasterKeyUnusable, masterKey } from './master-key.ts'

const random = seededRandom('master key')

let base: string
let folder: Folder
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'plaza-key-'))
  folder = openFolder(base)
})
afterEach(() => {
  folder.close()
  rmSync(base, { recursive: true, force: true })
})

describe('masterKey', () => {
  it('accepts a given key as hexadecimal, base64 and base64url, also with blanks around it', () => {
    for (let round = 0; round < 50; round++) {
      const key = random.bytes(32)
      const hex = key.toString('hex')
      const base64 = key.toString('base64')
      const spellings = [
        hex,
        hex.toUpperCase(),
        base64,
        base64.slice(0, -1),
        key.toString('base64url'),
        ` ${hex}\n`,
      ]
      for (const given of spellings) assert.deepEqual(masterKey({ given, random }), { key })
    }
  })

  it('rejects a malformed key without repeating it', () => {
    const hex = random.bytes(32).toString('hex')
    const base64 = Buffer.alloc(32, 0xab).toString('base64')
    const malformed = [
      '',
      hex.slice(1),
      `${hex}0`,
      `${hex.slice(0, 63)}g`,
      base64.slice(0, -2),
      `${base64}=`,
      `${base64.slice(0, -2)}t=`,
      `${base64.slice(0, 20)} ${base64.slice(20)}`,
      'secret passphrase',
    ]
    for (const given of malformed) {
      assert.throws(
        () => masterKey({ folder, given, random }),
        (error) =>
          error instanceof MasterKeyUnusable &&
          /64 hexadecimal characters/.test(error.message) &&
          (given === '' || !error.message.includes(given)),
        given,
      )
    }
  })

  it('makes a key at first start, readable by this user alone, and finds the same one later', () => {
    const first = masterKey({ folder, random })
    assert.equal(first.key.length, 32)
    assert.equal(first.warning, undefined)
    assert.equal(statSync(folder.file('master.key')).mode & 0o777, 0o600)
    assert.equal(readFileSync(folder.file('master.key'), 'utf8'), `${first.key.toString('hex')}\n`)
    assert.deepEqual(masterKey({ folder, random }), first)
    assert.deepEqual(readdirSync(base).sort(), ['lock.db', 'master.key', 'plaza.pid'])
  })

  it('does not write a given key down', () => {
    masterKey({ folder, given: random.bytes(32).toString('hex'), random })
    assert.deepEqual(readdirSync(base).sort(), ['lock.db', 'plaza.pid'])
  })

  it('warns, and still starts, when others may read the key file', () => {
    const { key } = masterKey({ folder, random })
    const path = folder.file('master.key')
    for (const mode of [0o640, 0o604]) {
      chmodSync(path, mode)
      const found = masterKey({ folder, random })
      assert.deepEqual(found.key, key)
      assert.ok(found.warning?.includes(`chmod 600 ${path}`))
      assert.ok(!found.warning?.includes(key.toString('hex')))
    }
  })

  it('rejects a damaged key file by name, without repeating or replacing it', () => {
    const path = folder.file('master.key')
    for (const text of ['', 'half a key', random.bytes(31).toString('hex')]) {
      writeFileSync(path, text)
      assert.throws(
        () => masterKey({ folder, random }),
        (error) =>
          error instanceof MasterKeyUnusable &&
          error.message.includes(path) &&
          (text === '' || !error.message.includes(text)),
      )
      assert.equal(readFileSync(path, 'utf8'), text)
    }
  })

  it('says so when the key file cannot be read', () => {
    mkdirSync(folder.file('master.key'))
    assert.throws(
      () => masterKey({ folder, random }),
      (error) => error instanceof MasterKeyUnusable && error.message.includes(folder.file('master.key')),
    )
  })

  it('is new each time when there is no folder to keep it in', () => {
    const first = masterKey({ random }).key
    assert.equal(first.length, 32)
    assert.notDeepEqual(masterKey({ random }).key, first)
  })
})
