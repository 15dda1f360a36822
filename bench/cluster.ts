import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Cluster } from '../src/platform/cluster/cluster.ts'
import { MemoryCluster } from '../src/platform/cluster/memory.ts'
import { RedisCluster } from '../src/platform/cluster/redis.ts'
import { ManualClock, systemClock } from '../src/platform/common/clock.ts'
import { systemRandom } from '../src/platform/common/random.ts'

// What claims and counts of shared state cost. Set PLAZA_TEST_REDIS_URL to measure Redis too; the
// keys it leaves there are gone after half an hour.

const CLAIMS = 1_000_000
const COUNTS = 5_000_000
const REDIS_CALLS = 100_000
const REDIS_AT_ONCE = 200
const START_SECONDS = 1_600_000_000
/** As long as a real one: consumer key, token and nonce. */
const TRIPLE =
  'xvz1evFS4wEEPTGEFPHBog\n370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb\nkYjzVBB8Y0ZFabxSWbWovY3u'

function report(what: string, calls: number, milliseconds: number): void {
  const perSecond = Math.round((calls / milliseconds) * 1000).toLocaleString('en')
  console.log(
    `${what.padEnd(44)} ${perSecond.padStart(12)}/s  ${((milliseconds * 1e6) / calls).toFixed(0)} ns each`,
  )
}

function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

/**
 * Claims at 10,000 per second of the cluster's clock. The slowest call shows what growing and
 * forgetting cost.
 */
function measureClaims(what: string, journalFolder?: string): void {
  const clock = new ManualClock(START_SECONDS * 1000)
  const cluster = new MemoryCluster({ clock, ...(journalFolder === undefined ? {} : { journalFolder }) })
  let slowest = 0
  const began = performance.now()
  let last = began
  for (let n = 0; n < CLAIMS; n++) {
    if (n % 10 === 0) clock.advance(1)
    if (!cluster.claimNonce(Math.floor(clock.now() / 1000), TRIPLE + n))
      throw new Error('A new nonce was rejected')
    if (n % 100 === 0) {
      const now = performance.now()
      slowest = Math.max(slowest, now - last)
      last = now
    }
  }
  report(what, CLAIMS, performance.now() - began)
  console.log(`  slowest 100 claims together: ${slowest.toFixed(2)} ms`)
  void cluster.close()
}

function measureMemory(): void {
  for (const nonces of [50_000, 200_000, 1_000_000]) {
    const cluster = new MemoryCluster({ clock: new ManualClock(START_SECONDS * 1000) })
    // Spread over the timestamps of a window, as at a steady rate.
    for (let n = 0; n < nonces; n++) void cluster.claimNonce(START_SECONDS - (n % 300), TRIPLE + n)
    const { nonceBytes } = cluster.usage
    const each = (nonceBytes / nonces).toFixed(1)
    console.log(
      `${nonces.toLocaleString('en')} nonces: ${(nonceBytes / 1e6).toFixed(1)} MB, ${each} bytes each`,
    )
    void cluster.close()
  }
}

function measureCounts(buckets: number): void {
  const clock = new ManualClock(START_SECONDS * 1000)
  const cluster = new MemoryCluster({ clock })
  const names = Array.from({ length: buckets }, (_, n) => `user ${n} GET /2/posts/:id`)
  const heap = heapInUse()
  for (const name of names) cluster.count(name, 900, 900)
  const bytes = heapInUse() - heap
  const began = performance.now()
  for (let n = 0; n < COUNTS; n++) {
    if (n % 50 === 0) clock.advance(1)
    cluster.count(names[(n * 7919) % buckets] as string, 900, 900)
  }
  report(`counts, memory, ${buckets.toLocaleString('en')} buckets`, COUNTS, performance.now() - began)
  console.log(`  about ${Math.round(bytes / buckets)} bytes per bucket, its name not included`)
  void cluster.close()
}

async function measureRedis(url: string): Promise<void> {
  const keyPrefix = `plaza-bench-${systemRandom.bytes(6).toString('hex')}:`
  const cluster = new RedisCluster({ clock: systemClock, url, keyPrefix, onError: console.error })
  await cluster.ready()
  const run = async (what: string, call: (cluster: Cluster, n: number) => unknown) => {
    let next = 0
    const began = performance.now()
    await Promise.all(
      Array.from({ length: REDIS_AT_ONCE }, async () => {
        while (next < REDIS_CALLS) await call(cluster, next++)
      }),
    )
    report(`${what}, Redis, ${REDIS_AT_ONCE} at once`, REDIS_CALLS, performance.now() - began)
  }
  await run('claims', (c, n) => c.claimNonce(Math.floor(systemClock.now() / 1000), TRIPLE + n))
  await run('counts', (c, n) => c.count(`user ${n % 1000}`, 900, 900))
  await cluster.close()
}

const folder = mkdtempSync(join(tmpdir(), 'plaza-bench-'))
try {
  measureClaims('claims, memory')
  measureClaims('claims, memory and journal', folder)
  const began = performance.now()
  const clock = new ManualClock((START_SECONDS + 100) * 1000)
  const reopened = new MemoryCluster({ clock, journalFolder: folder })
  report('nonces loaded from the journal', reopened.usage.nonces, performance.now() - began)
  await reopened.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
measureMemory()
measureCounts(1000)
measureCounts(100_000)
const redisUrl = process.env.PLAZA_TEST_REDIS_URL
if (redisUrl) await measureRedis(redisUrl)
