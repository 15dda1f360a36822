import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { ManualClock } from '../common/clock.ts'
import { ClusterUnavailable } from './cluster.ts'
import { MemoryCluster, type MemoryClusterOptions, NONCE_BUCKET_SECONDS } from './memory.ts'
import { RECORD_BYTES } from './nonce-journal.ts'

const START_SECONDS = 1_600_000_020 // Divisible by the seconds of a bucket.
const BUCKET = START_SECONDS / NONCE_BUCKET_SECONDS
const folders: string[] = []

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-nonces-'))
  folders.push(folder)
  return join(folder, 'journal')
}

function open(journalFolder: string, atSeconds = START_SECONDS, options: Partial<MemoryClusterOptions> = {}) {
  const clock = new ManualClock(atSeconds * 1000)
  return { clock, cluster: new MemoryCluster({ clock, journalFolder, bootId: () => 'boot 1', ...options }) }
}

function log(folder: string, bucket = BUCKET): string {
  return join(folder, `nonces-${bucket}.log`)
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

test('a nonce is rejected after a restart', async () => {
  const folder = newFolder()
  const first = open(folder)
  for (let n = 0; n < 500; n++)
    assert.equal(await first.cluster.claimNonce(START_SECONDS - n / 2, `${n}`), true)
  await first.cluster.close()
  const second = open(folder, START_SECONDS + 20)
  assert.equal(second.cluster.usage.nonces, 500)
  for (let n = 0; n < 500; n++)
    assert.equal(await second.cluster.claimNonce(START_SECONDS - n / 2, `${n}`), false)
  assert.equal(await second.cluster.claimNonce(START_SECONDS, 'new'), true)
  await second.cluster.close()
})

test('a nonce stamped ahead of the clock is rejected after a restart, also within the same second', async () => {
  const folder = newFolder()
  const ahead = [0, 1, 30, 300]
  const first = open(folder)
  for (const seconds of ahead)
    assert.equal(await first.cluster.claimNonce(START_SECONDS + seconds, 'key'), true)
  await first.cluster.close()
  for (const restart of [0, 1, 31]) {
    const { cluster } = open(folder, START_SECONDS + restart)
    for (const seconds of ahead)
      assert.equal(await cluster.claimNonce(START_SECONDS + seconds, 'key'), false, `${restart} ${seconds}`)
    // Correct clients are not affected: neither one with an accurate clock, nor one whose clock is
    // behind.
    for (const behind of [0, 5, 200])
      assert.equal(await cluster.claimNonce(START_SECONDS + restart - behind, `new ${restart}`), true)
    await cluster.close()
  }
})

test('a nonce is rejected after the process was killed', async () => {
  const folder = newFolder()
  const script = `
    import { MemoryCluster } from ${JSON.stringify(new URL('./memory.ts', import.meta.url).href)}
    import { ManualClock } from ${JSON.stringify(new URL('../common/clock.ts', import.meta.url).href)}
    const clock = new ManualClock(${START_SECONDS * 1000})
    const cluster = new MemoryCluster({ clock, journalFolder: process.argv[1], bootId: () => 'boot 1' })
    let claimed = 0
    const more = async () => {
      await Promise.all(Array.from({ length: 100 }, () => cluster.claimNonce(${START_SECONDS}, String(claimed++))))
      process.stdout.write(claimed + '\\n', () => setImmediate(more))
    }
    more()
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('latin1').on('data', (text) => {
    output += text
    // Killed while it works: every claim that it has reported must be stored.
    if (output.length > 2000) child.kill('SIGKILL')
  })
  const signal = await new Promise((resolve) => child.on('close', (_code, name) => resolve(name)))
  assert.equal(signal, 'SIGKILL')
  const lines = output.split('\n')
  const told = Number(lines[lines.length - 2])
  assert.ok(told >= 1000)
  const { cluster } = open(folder, START_SECONDS + 2)
  for (let n = 0; n < told; n++) assert.equal(await cluster.claimNonce(START_SECONDS, `${n}`), false)
  assert.equal(await cluster.claimNonce(START_SECONDS, 'never claimed'), true)
  await cluster.close()
})

test('a claim is on its way to the disk before it is granted, together with those of the same turn', async () => {
  const folder = newFolder()
  const { cluster } = open(folder)
  for (let n = 1; n <= 20; n++) {
    await cluster.claimNonce(START_SECONDS, `${n}`)
    assert.equal(statSync(log(folder)).size, n * RECORD_BYTES)
  }
  await cluster.claimNonce(START_SECONDS, '1')
  assert.equal(statSync(log(folder)).size, 20 * RECORD_BYTES)
  await Promise.all(Array.from({ length: 200 }, (_, n) => cluster.claimNonce(START_SECONDS, `more ${n}`)))
  assert.equal(statSync(log(folder)).size, 220 * RECORD_BYTES)
  await cluster.close()
})

test('a torn last record is passed over, and what is written after it counts', async () => {
  const folder = newFolder()
  const first = open(folder)
  for (let n = 0; n < 10; n++) await first.cluster.claimNonce(START_SECONDS, `${n}`)
  await first.cluster.close()
  for (let torn = 1; torn < RECORD_BYTES; torn += 6) {
    truncateSync(log(folder), 10 * RECORD_BYTES - torn)
    const second = open(folder)
    assert.equal(second.cluster.usage.nonces, 9)
    assert.equal(await second.cluster.claimNonce(START_SECONDS, '8'), false)
    assert.equal(await second.cluster.claimNonce(START_SECONDS, '9'), true)
    assert.equal(await second.cluster.claimNonce(START_SECONDS, 'after'), true)
    await second.cluster.close()
    const third = open(folder)
    for (const key of ['0', '8', '9', 'after'])
      assert.equal(await third.cluster.claimNonce(START_SECONDS, key), false)
    await third.cluster.close()
    truncateSync(log(folder), 9 * RECORD_BYTES)
    const last = open(folder)
    await last.cluster.claimNonce(START_SECONDS, '9')
    await last.cluster.close()
  }
})

test('damage in a journal costs only the records it hit', async () => {
  const folder = newFolder()
  const first = open(folder)
  for (let n = 0; n < 100; n++) await first.cluster.claimNonce(START_SECONDS, `${n}`)
  await first.cluster.close()
  const bytes = readFileSync(log(folder))
  // A record overwritten with zeros, seven bytes in the wrong place, and a tail of zeros as a power
  // failure leaves it.
  bytes.fill(0, 10 * RECORD_BYTES, 11 * RECORD_BYTES)
  const cut = 50 * RECORD_BYTES
  const parts = [bytes.subarray(0, cut), Buffer.from('garbage'), bytes.subarray(cut), Buffer.alloc(4096)]
  writeFileSync(log(folder), Buffer.concat(parts))
  const { cluster } = open(folder)
  for (let n = 0; n < 100; n++) assert.equal(await cluster.claimNonce(START_SECONDS, `${n}`), n === 10)
  await cluster.close()
})

test('a journal longer than one read is loaded whole', async () => {
  const folder = newFolder()
  const first = open(folder)
  for (let n = 0; n < 120_000; n++) await first.cluster.claimNonce(START_SECONDS, `${n}`)
  await first.cluster.close()
  const { cluster } = open(folder)
  assert.equal(cluster.usage.nonces, 120_000)
  for (let n = 0; n < 120_000; n += 7) assert.equal(await cluster.claimNonce(START_SECONDS, `${n}`), false)
  await cluster.close()
})

test('files go with the window, while running and at the next start', async () => {
  const folder = newFolder()
  const first = open(folder)
  await first.cluster.claimNonce(START_SECONDS, 'a')
  await first.cluster.claimNonce(START_SECONDS + 60, 'b')
  first.clock.advance(370_000)
  await first.cluster.claimNonce(START_SECONDS + 370, 'c')
  await first.cluster.close()
  assert.deepEqual(readdirSync(folder).sort(), [
    'boot',
    `nonces-${BUCKET + 1}.log`,
    `nonces-${BUCKET + 6}.log`,
  ])
  const second = open(folder, START_SECONDS + 470)
  assert.deepEqual(readdirSync(folder).sort(), ['boot', `nonces-${BUCKET + 6}.log`])
  await second.cluster.close()
})

test('a clock that is set back over a restart lets no nonce pass again', async () => {
  const folder = newFolder()
  const first = open(folder)
  assert.equal(await first.cluster.claimNonce(START_SECONDS, 'key'), true)
  await first.cluster.close()
  const second = open(folder, START_SECONDS - 1000)
  second.clock.moveTo(START_SECONDS * 1000)
  assert.equal(await second.cluster.claimNonce(START_SECONDS, 'key'), false)
  await second.cluster.close()
})

test('what was deleted while the clock was ahead does not pass after a restart, and new requests do', async () => {
  const folder = newFolder()
  const first = open(folder)
  assert.equal(await first.cluster.claimNonce(START_SECONDS, 'key'), true)
  first.clock.advance(3_600_000)
  assert.equal(await first.cluster.claimNonce(START_SECONDS + 3600, 'key'), true)
  await first.cluster.close()
  const second = open(folder, START_SECONDS + 20)
  assert.equal(await second.cluster.claimNonce(START_SECONDS, 'key'), false)
  assert.equal(await second.cluster.claimNonce(START_SECONDS + 21, 'key'), true)
  second.clock.advance(3_580_000)
  assert.equal(await second.cluster.claimNonce(START_SECONDS + 3600, 'key'), false)
  await second.cluster.close()
})

test('after a start of the machine nonces stamped before it are rejected, over later restarts too', async () => {
  const folder = newFolder()
  const first = open(folder)
  await first.cluster.claimNonce(START_SECONDS, 'key')
  await first.cluster.close()
  // The power failure lost the tail of the journal.
  unlinkSync(log(folder))
  const second = open(folder, START_SECONDS + 30, { bootId: () => 'boot 2' })
  assert.equal(await second.cluster.claimNonce(START_SECONDS, 'key'), false)
  assert.equal(await second.cluster.claimNonce(START_SECONDS + 30, 'key'), false)
  assert.equal(await second.cluster.claimNonce(START_SECONDS + 31, 'key'), true)
  await second.cluster.close()
  const third = open(folder, START_SECONDS + 60, { bootId: () => 'boot 2' })
  assert.equal(await third.cluster.claimNonce(START_SECONDS, 'key'), false)
  assert.equal(await third.cluster.claimNonce(START_SECONDS + 31, 'key'), false)
  assert.equal(await third.cluster.claimNonce(START_SECONDS + 32, 'key'), true)
  await third.cluster.close()
})

test('the first start in an empty folder rejects nothing', async () => {
  const { cluster } = open(newFolder(), START_SECONDS, { bootId: () => undefined })
  assert.equal(await cluster.claimNonce(START_SECONDS - 100, 'key'), true)
  await cluster.close()
})

test('an empty folder on a store that was there before rejects what was signed before the start', async () => {
  const { cluster } = open(newFolder(), START_SECONDS, { isNew: false })
  assert.equal(await cluster.claimNonce(START_SECONDS, 'key'), false)
  assert.equal(await cluster.claimNonce(START_SECONDS + 1, 'key'), true)
  await cluster.close()
})

test('where the start of the machine cannot be known, every restart counts as one', async () => {
  const folder = newFolder()
  const unknown = { bootId: () => undefined }
  await open(folder, START_SECONDS, unknown).cluster.close()
  const { cluster } = open(folder, START_SECONDS + 10, unknown)
  assert.equal(await cluster.claimNonce(START_SECONDS + 10, 'key'), false)
  assert.equal(await cluster.claimNonce(START_SECONDS + 11, 'key'), true)
  await cluster.close()
})

test('a missing or damaged marker beside a journal counts as a start of the machine', async () => {
  for (const marker of [undefined, '', '{"boot":"boot 1"', 'null', '{"boot":"boot 1"}']) {
    const folder = newFolder()
    const first = open(folder)
    await first.cluster.claimNonce(START_SECONDS, 'key')
    await first.cluster.close()
    if (marker === undefined) unlinkSync(join(folder, 'boot'))
    else writeFileSync(join(folder, 'boot'), marker)
    const { cluster } = open(folder, START_SECONDS + 5)
    assert.equal(await cluster.claimNonce(START_SECONDS + 5, 'other'), false, `marker ${marker}`)
    assert.equal(await cluster.claimNonce(START_SECONDS + 6, 'other'), true)
    await cluster.close()
  }
})

test('a window widened over a restart lets no deleted nonce pass again', async () => {
  const folder = newFolder()
  const narrow = open(folder, START_SECONDS, { nonceWindowSeconds: 60 })
  await narrow.cluster.claimNonce(START_SECONDS, 'key')
  narrow.clock.advance(200_000)
  await narrow.cluster.claimNonce(START_SECONDS + 200, 'key')
  await narrow.cluster.close()
  assert.equal(existsSync(log(folder)), false)
  const wide = open(folder, START_SECONDS + 200, { nonceWindowSeconds: 600 })
  assert.equal(await wide.cluster.claimNonce(START_SECONDS, 'key'), false)
  assert.equal(await wide.cluster.claimNonce(START_SECONDS + 141, 'key'), true)
  await wide.cluster.close()
})

test('a nonce that cannot be written is not granted', {
  skip: !existsSync('/dev/full'),
}, async () => {
  const folder = newFolder()
  const { cluster } = open(folder)
  symlinkSync('/dev/full', log(folder))
  await assert.rejects(async () => cluster.claimNonce(START_SECONDS, 'key'), {
    name: 'ClusterUnavailable',
    message: /could not be recorded: ENOSPC/,
  })
  assert.equal(await cluster.claimNonce(START_SECONDS, 'key'), false)
  await cluster.close()
  unlinkSync(log(folder))
  const { cluster: next } = open(folder)
  assert.equal(await next.claimNonce(START_SECONDS, 'key'), true)
  await next.close()
})

test('a journal file that cannot be opened fails the claim', async () => {
  const folder = newFolder()
  const { cluster } = open(folder)
  mkdirSync(log(folder))
  assert.throws(() => cluster.claimNonce(START_SECONDS, 'key'), ClusterUnavailable)
  rmSync(log(folder), { recursive: true })
  assert.equal(await cluster.claimNonce(START_SECONDS, 'key'), true)
  await cluster.close()
})

test('a folder that cannot be used fails the start', () => {
  const folder = newFolder()
  writeFileSync(folder, 'a file stands where the folder should be')
  assert.throws(() => open(folder), ClusterUnavailable)
})

test('files of others in the folder are left alone', async () => {
  const folder = newFolder()
  await open(folder).cluster.close()
  appendFileSync(join(folder, 'nonces-1.log.bak'), 'kept')
  await open(folder, START_SECONDS + 5000).cluster.close()
  assert.deepEqual(readdirSync(folder).sort(), ['boot', 'nonces-1.log.bak'])
})
