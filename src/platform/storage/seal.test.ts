import assert from 'node:assert/strict'
import { createDecipheriv, hkdfSync } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../../test/support/unicode-text.ts'
import { seededRandom } from '../common/random.ts'
import { CannotUnseal, createSealer } from './seal.ts'

const random = seededRandom('seal')
const key = random.bytes(32)
const sealer = createSealer(key, random)

const text = unicodeText()
const fixed = { seed: 20240229, numRuns: 300 }
const property = <T extends [unknown, ...unknown[]]>(
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  check: (...values: T) => void,
) => fc.assert(fc.property(...arbitraries, check), fixed)

describe('seal', () => {
  it('opens to the same text in the same context', () => {
    property<[string, string]>([text, text], (plain, context) => {
      const sealed = sealer.seal(plain, context)
      assert.match(sealed, /^v1\.[A-Za-z0-9_-]+$/)
      assert.equal(sealer.unseal(sealed, context), plain)
    })
  })

  it('does not open in any other context', () => {
    property<[string, string, string]>([text, text, text], (plain, context, other) => {
      fc.pre(context !== other)
      const sealed = sealer.seal(plain, context)
      assert.throws(() => sealer.unseal(sealed, other), CannotUnseal)
    })
  })

  it('does not open with any byte of the record changed, nor any character of its text', () => {
    const sealed = sealer.seal('a token secret', 'token:1')
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      for (const flip of [0x01, 0x80, 0xff]) {
        const damaged = Buffer.from(bytes)
        damaged.writeUInt8(damaged.readUInt8(at) ^ flip, at)
        assert.throws(() => sealer.unseal(`v1.${damaged.toString('base64url')}`, 'token:1'), CannotUnseal)
      }
    }
    for (let at = 0; at < sealed.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const changed = String.fromCharCode(sealed.charCodeAt(at) ^ (1 << bit))
        const damaged = sealed.slice(0, at) + changed + sealed.slice(at + 1)
        assert.throws(() => sealer.unseal(damaged, 'token:1'), CannotUnseal, damaged)
      }
    }
  })

  it('does not open cut short, lengthened, or when it never was a sealed record', () => {
    const sealed = sealer.seal('a token secret', 'token:1')
    for (let length = 0; length < sealed.length; length++) {
      assert.throws(() => sealer.unseal(sealed.slice(0, length), 'token:1'), CannotUnseal)
    }
    for (const end of ['A', '=', '\n', ' ', 'AAAA']) {
      assert.throws(() => sealer.unseal(sealed + end, 'token:1'), CannotUnseal)
    }
    property<[string]>([text], (junk) => {
      assert.throws(() => sealer.unseal(junk, 'token:1'), CannotUnseal)
      assert.throws(() => sealer.unseal(`v1.${junk}`, 'token:1'), CannotUnseal)
    })
  })

  it('does not open with another master key, and the error repeats nothing', () => {
    const sealed = sealer.seal('a token secret', 'token:1')
    assert.throws(
      () => createSealer(random.bytes(32), random).unseal(sealed, 'token:1'),
      (error) =>
        error instanceof CannotUnseal &&
        /master key is not the one it was encrypted with, or the record is damaged/.test(error.message) &&
        !error.message.includes(sealed.slice(3)) &&
        !error.message.includes('token:1') &&
        error.cause === undefined,
    )
  })

  it('looks different each time and opens after a restart with the same key', () => {
    const records = new Set(Array.from({ length: 100 }, () => sealer.seal('same', 'same')))
    assert.equal(records.size, 100)
    const restarted = createSealer(Buffer.from(key), seededRandom('other'))
    for (const record of records) assert.equal(restarted.unseal(record, 'same'), 'same')
  })

  it('is AES-256-GCM under the HKDF-SHA256 key "seal v1": nonce, text, tag', () => {
    const bytes = Buffer.from(sealer.seal('plain', 'context').slice(3), 'base64url')
    const derived = Buffer.from(hkdfSync('sha256', key, '', 'seal v1', 32))
    const decipher = createDecipheriv('aes-256-gcm', derived, bytes.subarray(0, 12))
    decipher.setAAD(Buffer.from('context')).setAuthTag(bytes.subarray(-16))
    assert.equal(
      decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8'),
      'plain',
    )
  })

  it('rejects text that would not come back as it was', () => {
    assert.throws(() => sealer.seal('\ud800', 'context'), TypeError)
    assert.throws(() => sealer.seal('plain', '\udc00'), TypeError)
    assert.throws(() => sealer.unseal(sealer.seal('plain', '\ufffd'), '\udc00'), CannotUnseal)
  })

  it('rejects a master key of the wrong length', () => {
    for (const length of [0, 16, 31, 33])
      assert.throws(() => createSealer(Buffer.alloc(length), random), RangeError)
  })
})

describe('derive', () => {
  it('gives the same 32 bytes for the same purpose and parts, and others for any others', () => {
    const parts = fc.array(
      fc.string({ unit: fc.constantFrom('a', 'b', '\0', '\u0001', 'é'), maxLength: 3 }),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    property<[string[], string[]]>([parts, parts], (a, two) => {
      const derive = ([purpose = '', ...rest]: string[]) => sealer.derive(purpose, ...rest).toString('hex')
      assert.equal(derive(a).length, 64)
      assert.equal(derive(a) === derive(two), JSON.stringify(a) === JSON.stringify(two))
    })
  })

  it('keeps parts apart that read the same when joined', () => {
    const all = [['a', 'bc'], ['ab', 'c'], ['abc'], ['abc', ''], ['', 'abc'], ['a', 'b', 'c']]
    const derived = all.map(([purpose = '', ...parts]) => sealer.derive(purpose, ...parts).toString('hex'))
    assert.equal(new Set(derived).size, all.length)
  })

  it('depends on the master key', () => {
    const other = createSealer(random.bytes(32), random)
    assert.notDeepEqual(other.derive('purpose'), sealer.derive('purpose'))
    assert.notEqual(other.hashToken('token'), sealer.hashToken('token'))
  })
})

describe('hashToken', () => {
  it('is 43 characters of base64url, the same for the same token only', () => {
    property<[string, string]>([text, text], (a, two) => {
      assert.match(sealer.hashToken(a), /^[A-Za-z0-9_-]{43}$/)
      assert.equal(sealer.hashToken(a) === sealer.hashToken(two), a === two)
    })
  })

  it('takes whatever a client sends', () => {
    assert.match(sealer.hashToken('\ud800'), /^[A-Za-z0-9_-]{43}$/)
  })

  it('is not what derive gives', () => {
    assert.notEqual(sealer.hashToken('token'), sealer.derive('token').toString('base64url'))
  })
})
