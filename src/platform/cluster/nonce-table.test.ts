import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { until } from '../../../test/support/until.ts'
import { ManualClock } from '../common/clock.ts'
import { seededRandom } from '../common/random.ts'
import { MemoryCluster, NONCE_BUCKET_SECONDS } from './memory.ts'
import { FINGERPRINT_WORDS, NonceTable, randomPlacement, writeFingerprint } from './nonce-table.ts'

const START_SECONDS = 1_600_000_000
const placement = randomPlacement(seededRandom('nonce table'))

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

test('the table answers like a set', () => {
  // Few different words, so that fingerprints differ in any one of them, share slots and repeat.
  const word = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 0xffff_ffff }))
  const fingerprint = fc.tuple(fc.integer({ min: 1, max: 4 }), word, word, word)
  fc.assert(
    fc.property(fc.array(fingerprint, { maxLength: 3000, size: 'max' }), (fingerprints) => {
      const table = new NonceTable(placement)
      const set = new Set<string>()
      for (const words of fingerprints) {
        const text = words.join()
        assert.equal(table.has(Uint32Array.from(words)), set.has(text))
        assert.equal(table.add(Uint32Array.from(words)), !set.has(text))
        set.add(text)
        assert.equal(table.size, set.size)
      }
      for (const text of set) assert.equal(table.has(Uint32Array.from(text.split(','), Number)), true)
    }),
    { seed: 20, numRuns: 60 },
  )
})

test('every fingerprint is found at every moment while the table grows', () => {
  const table = new NonceTable(placement)
  const fingerprint = new Uint32Array(FINGERPRINT_WORDS)
  for (let n = 0; n < 20_000; n++) {
    writeFingerprint(`nonce ${n}`, fingerprint)
    assert.equal(table.add(fingerprint), true)
    assert.equal(table.add(fingerprint), false)
    for (const earlier of [n >> 1, n >> 3, (n * 7919) % (n + 1)]) {
      writeFingerprint(`nonce ${earlier}`, fingerprint)
      assert.equal(table.has(fingerprint), true)
      assert.equal(table.add(fingerprint), false)
    }
  }
  assert.equal(table.size, 20_000)
  writeFingerprint('never added', fingerprint)
  assert.equal(table.has(fingerprint), false)
})

test('fingerprints that fall on one slot are all kept', () => {
  const table = new NonceTable(placement)
  for (let n = 1; n <= 3000; n++) assert.equal(table.add(Uint32Array.of(n, 5, 5, 5)), true)
  for (let n = 1; n <= 3000; n++) assert.equal(table.add(Uint32Array.of(n, 5, 5, 5)), false)
})

test('a fingerprint is the beginning of the SHA-256 and never looks like an empty slot', () => {
  const fingerprint = new Uint32Array(FINGERPRINT_WORDS)
  writeFingerprint('abc', fingerprint)
  assert.deepEqual([...fingerprint], [0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223])
})

test('200,000 nonces cost less than 16 MB, while the table grows too', () => {
  const table = new NonceTable(placement)
  const fingerprint = new Uint32Array(FINGERPRINT_WORDS)
  let most = 0
  for (let n = 0; n < 200_000; n++) {
    writeFingerprint(`nonce ${n}`, fingerprint)
    table.add(fingerprint)
    most = Math.max(most, table.bytes)
  }
  assert.ok(most < 16e6, `${most} bytes`)
})

test('1,000,000 nonces over an hour leave no more memory in use than those within the window', async () => {
  const clock = new ManualClock(START_SECONDS * 1000)
  const cluster = new MemoryCluster({ clock, random: seededRandom('memory') })
  collectGarbage()
  const before = process.memoryUsage()
  let mostNonces = 0
  let mostBytes = 0
  for (let n = 0; n < 1_000_000; n++) {
    if (n % 1000 === 0) {
      clock.advance(3600)
      mostNonces = Math.max(mostNonces, cluster.usage.nonces)
      mostBytes = Math.max(mostBytes, cluster.usage.nonceBytes)
    }
    assert.equal(cluster.claimNonce(Math.floor(clock.now() / 1000), `consumer token ${n}`), true)
  }
  // 278 each second, kept for 300 seconds and until the last nonce of their bucket may be deleted.
  assert.ok(mostNonces <= 278 * (300 + 2 * NONCE_BUCKET_SECONDS), `${mostNonces} nonces`)
  assert.ok(mostBytes < 8e6, `${mostBytes} bytes`)
  // The memory of buffers is released some time after they were collected.
  await until('less than 12 MB kept', () => {
    collectGarbage()
    const after = process.memoryUsage()
    return after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers < 12e6
  })
  await cluster.close()
})

test('nonces beyond the limit are rejected, none is forgotten, and capacity comes back with time', async () => {
  const clock = new ManualClock(START_SECONDS * 1000)
  const cluster = new MemoryCluster({ clock, nonceLimit: 100 })
  for (let n = 0; n < 100; n++) assert.equal(cluster.claimNonce(START_SECONDS, `${n}`), true)
  for (let n = 0; n < 300; n++) assert.equal(cluster.claimNonce(START_SECONDS, `${n}`), false)
  clock.advance(400_000)
  assert.equal(cluster.claimNonce(START_SECONDS + 400, 'later'), true)
  assert.equal(cluster.usage.nonces, 1)
  await cluster.close()
})

test('a clock that is set back lets no forgotten nonce pass again', async () => {
  const clock = new ManualClock(START_SECONDS * 1000)
  const cluster = new MemoryCluster({ clock })
  assert.equal(cluster.claimNonce(START_SECONDS, 'key'), true)
  clock.advance(1_000_000)
  assert.equal(cluster.claimNonce(START_SECONDS + 1000, 'key'), true)
  clock.moveTo(START_SECONDS * 1000)
  assert.equal(cluster.claimNonce(START_SECONDS, 'key'), false)
  await cluster.close()
})
