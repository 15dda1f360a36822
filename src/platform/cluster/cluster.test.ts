import assert from 'node:assert/strict'
import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { noOwnRedis, type OwnServer, ownRedis } from '../../../test/support/own-servers.ts'
import { noRedis, REDIS_URL } from '../../../test/support/services.ts'
import { NEVER_MS, until } from '../../../test/support/until.ts'
import { ManualClock } from '../common/clock.ts'
import { systemRandom } from '../common/random.ts'
import { type Cluster, ClusterUnavailable, NONCE_WINDOW_SECONDS } from './cluster.ts'
import { MemoryCluster } from './memory.ts'
import { RedisCluster } from './redis.ts'

const START_SECONDS = 1_600_000_000
const runPrefix = `plaza-test-${systemRandom.bytes(6).toString('hex')}:`
/** Longer than any call to a responsive Redis takes, on any machine. */
const TIMEOUT_MS = NEVER_MS
let prefixes = 0

type Make = (clock: ManualClock, nonceWindowSeconds?: number) => Cluster

function newClock(): ManualClock {
  return new ManualClock(START_SECONDS * 1000)
}

function contract(name: string, skip: string | false, make: Make): void {
  describe(name, { skip }, () => {
    const opened: Cluster[] = []
    const open: Make = (...args) => {
      const cluster = make(...args)
      opened.push(cluster)
      return cluster
    }
    after(async () => {
      await Promise.all(opened.map((cluster) => cluster.close()))
    })

    test('a nonce passes once', async () => {
      const cluster = open(newClock())
      assert.equal(await cluster.claimNonce(START_SECONDS, 'consumer token nonce'), true)
      assert.equal(await cluster.claimNonce(START_SECONDS, 'consumer token nonce'), false)
      assert.equal(await cluster.claimNonce(START_SECONDS, 'consumer token other'), true)
    })

    test('a nonce is a different one with another timestamp', async () => {
      const cluster = open(newClock())
      assert.equal(await cluster.claimNonce(START_SECONDS, 'key'), true)
      assert.equal(await cluster.claimNonce(START_SECONDS + 1, 'key'), true)
      assert.equal(await cluster.claimNonce(START_SECONDS + 1, 'key'), false)
    })

    test('exactly one of many simultaneous claims passes', async () => {
      const cluster = open(newClock())
      const answers = await Promise.all(
        Array.from({ length: 50 }, async () => cluster.claimNonce(START_SECONDS, 'key')),
      )
      assert.equal(answers.filter(Boolean).length, 1)
    })

    test('a timestamp passes at the edge of the window and not beyond it', async () => {
      const cluster = open(newClock())
      assert.equal(await cluster.claimNonce(START_SECONDS - NONCE_WINDOW_SECONDS, 'key'), true)
      assert.equal(await cluster.claimNonce(START_SECONDS + NONCE_WINDOW_SECONDS, 'key'), true)
      assert.equal(await cluster.claimNonce(START_SECONDS - NONCE_WINDOW_SECONDS - 1, 'key'), false)
      assert.equal(await cluster.claimNonce(START_SECONDS + NONCE_WINDOW_SECONDS + 1, 'key'), false)
      assert.equal(await cluster.claimNonce(Number.NaN, 'key'), false)
      assert.equal(await cluster.claimNonce(Number.POSITIVE_INFINITY, 'key'), false)
    })

    test('the nonce window is the one asked for', async () => {
      const cluster = open(newClock(), 10)
      assert.equal(await cluster.claimNonce(START_SECONDS - 10, 'key'), true)
      assert.equal(await cluster.claimNonce(START_SECONDS - 11, 'key'), false)
    })

    test('a nonce from ahead of the clock is rejected until its timestamp leaves the window', async () => {
      const clock = newClock()
      const cluster = open(clock)
      const timestamp = START_SECONDS + NONCE_WINDOW_SECONDS
      assert.equal(await cluster.claimNonce(timestamp, 'key'), true)
      for (let passed = 0; passed < 2 * NONCE_WINDOW_SECONDS + 120; passed += 30) {
        assert.equal(await cluster.claimNonce(timestamp, 'key'), false, `after ${passed} s`)
        clock.advance(30_000)
      }
    })

    test('calls pass up to the limit and no further', async () => {
      const cluster = open(newClock())
      const reset = START_SECONDS + 900
      assert.deepEqual(await cluster.count('b', 3, 900), { allowed: true, remaining: 2, resetSeconds: reset })
      assert.deepEqual(await cluster.count('b', 3, 900), { allowed: true, remaining: 1, resetSeconds: reset })
      assert.deepEqual(await cluster.count('b', 3, 900), { allowed: true, remaining: 0, resetSeconds: reset })
      assert.deepEqual(await cluster.count('b', 3, 900), {
        allowed: false,
        remaining: 0,
        resetSeconds: reset,
      })
      assert.deepEqual(await cluster.count('c', 3, 900), { allowed: true, remaining: 2, resetSeconds: reset })
    })

    test('a window opens with the first call and rejected calls do not move its end', async () => {
      const clock = newClock()
      const cluster = open(clock)
      const reset = START_SECONDS + 900
      await cluster.count('b', 1, 900)
      for (let passed = 0; passed < 8; passed++) {
        clock.advance(100_000)
        assert.deepEqual(await cluster.count('b', 1, 900), {
          allowed: false,
          remaining: 0,
          resetSeconds: reset,
        })
      }
      clock.moveTo(reset * 1000 - 1)
      assert.equal((await cluster.count('b', 1, 900)).allowed, false)
      clock.moveTo(reset * 1000)
      assert.deepEqual(await cluster.count('b', 1, 900), {
        allowed: true,
        remaining: 0,
        resetSeconds: reset + 900,
      })
    })

    test('the end of a window is rounded up to a whole second', async () => {
      const clock = newClock()
      const cluster = open(clock)
      clock.advance(1)
      assert.equal((await cluster.count('b', 1, 60)).resetSeconds, START_SECONDS + 61)
    })

    test('a limit lowered within a window leaves nothing, not less than nothing', async () => {
      const cluster = open(newClock())
      await cluster.count('b', 5, 60)
      await cluster.count('b', 5, 60)
      assert.deepEqual(await cluster.count('b', 1, 60), {
        allowed: false,
        remaining: 0,
        resetSeconds: START_SECONDS + 60,
      })
      assert.deepEqual(await cluster.count('b', 5, 60), {
        allowed: true,
        remaining: 2,
        resetSeconds: START_SECONDS + 60,
      })
    })

    test('a limit of 0 lets nothing pass', async () => {
      const cluster = open(newClock())
      assert.deepEqual(await cluster.count('b', 0, 60), {
        allowed: false,
        remaining: 0,
        resetSeconds: START_SECONDS + 60,
      })
    })

    test('an open window keeps its length', async () => {
      const cluster = open(newClock())
      await cluster.count('b', 5, 60)
      assert.equal((await cluster.count('b', 5, 3600)).resetSeconds, START_SECONDS + 60)
    })

    test('a window opens again however far the clock moves', async () => {
      const clock = newClock()
      const cluster = open(clock)
      for (let year = 0; year < 20; year++) {
        assert.equal((await cluster.count('b', 1, 86_400)).allowed, true)
        assert.equal((await cluster.count('b', 1, 86_400)).allowed, false)
        clock.advance(365 * 86_400_000)
      }
    })

    test('as many of simultaneous calls pass as the limit says', async () => {
      const cluster = open(newClock())
      const answers = await Promise.all(Array.from({ length: 60 }, async () => cluster.count('b', 20, 60)))
      assert.equal(answers.filter((answer) => answer.allowed).length, 20)
      assert.equal(Math.min(...answers.map((answer) => answer.remaining)), 0)
    })

    test('a call is taken back in its window, and only there', async () => {
      const cluster = open(newClock())
      const first = await cluster.count('taken back', 2, 60)
      await cluster.count('taken back', 2, 60)
      assert.equal((await cluster.count('taken back', 2, 60)).allowed, false)
      await cluster.uncount('taken back', first.resetSeconds)
      assert.deepEqual(await cluster.count('taken back', 2, 60), { ...first, remaining: 0 })
      await cluster.uncount('taken back', first.resetSeconds - 1)
      assert.equal((await cluster.count('taken back', 2, 60)).allowed, false, 'another window')
      for (let n = 0; n < 5; n++) await cluster.uncount('taken back', first.resetSeconds)
      assert.equal((await cluster.count('taken back', 2, 60)).remaining, 1, 'never less than none')
      await cluster.uncount('never counted', first.resetSeconds)
    })

    test('after closing every call fails as unavailable', async () => {
      const cluster = open(newClock())
      await cluster.claimNonce(START_SECONDS, 'key')
      await cluster.close()
      await assert.rejects(async () => cluster.claimNonce(START_SECONDS, 'other'), ClusterUnavailable)
      await assert.rejects(async () => cluster.count('b', 1, 60), ClusterUnavailable)
    })
  })
}

contract('shared state in memory', false, (clock, nonceWindowSeconds) => {
  return new MemoryCluster({ clock, ...(nonceWindowSeconds === undefined ? {} : { nonceWindowSeconds }) })
})
contract('shared state in Redis', noRedis, (clock, nonceWindowSeconds) => {
  return openRedis(clock, { ...(nonceWindowSeconds === undefined ? {} : { nonceWindowSeconds }) })
})
describe('a Redis that loses its keys', { skip: noOwnRedis }, () => {
  let server: OwnServer
  const opened: RedisCluster[] = []
  before(async () => {
    server = await ownRedis()
  })
  after(async () => {
    await Promise.all(opened.map((cluster) => cluster.close()))
    await server?.remove()
  })

  /** A node on a store that has existed before, unless stated otherwise. */
  async function open(clock: ManualClock, isNew = false) {
    const lost: string[] = []
    const cluster = openRedis(clock, {
      url: server.url,
      isNew,
      onError: (error) => error.name === 'LostKeys' && lost.push(error.message),
    })
    opened.push(cluster)
    await cluster.ready()
    return { cluster, lost }
  }

  /**
   * Claims 50 nonces, loses them, and claims them again. Resolves to the number that were accepted
   * twice.
   */
  async function replays(cluster: RedisCluster, clock: ManualClock, lose: () => Promise<unknown>) {
    const claim = () =>
      Promise.all(Array.from({ length: 50 }, (_, n) => cluster.claimNonce(START_SECONDS + 100, `key ${n}`)))
    clock.moveTo((START_SECONDS + 100) * 1000)
    assert.equal((await claim()).filter(Boolean).length, 50)
    clock.advance(5_000)
    await lose()
    await until('an answer of Redis', () =>
      cluster.count('b', 1, 60).then(
        () => true,
        () => undefined,
      ),
    )
    return (await claim()).filter(Boolean).length
  }

  const losses: [string, () => Promise<unknown>][] = [
    ['is restarted without its data', () => server.stop().then(() => server.start())],
    ['is emptied', () => inRedis(server.url, (client) => client.flushAll())],
    [
      'is restarted with a part of its data',
      async () => {
        // Like a snapshot that is older than the last nonces: it contains the marker, but not them.
        const marker = await inRedis(server.url, async (client) => {
          const [key = ''] = await client.keys('*nonces-since')
          return { key, value: (await client.get(key)) ?? '' }
        })
        await server.stop()
        await server.start()
        await inRedis(server.url, (client) => client.set(marker.key, marker.value))
      },
    ],
  ]
  for (const [what, lose] of losses)
    test(`accepts nothing again that was signed before it ${what}, and new requests at once`, async () => {
      const clock = newClock()
      const { cluster, lost } = await open(clock, true)
      assert.equal(await replays(cluster, clock, lose), 0)
      assert.equal(await cluster.claimNonce(START_SECONDS + 105, 'signed in that second'), false)
      assert.equal(await cluster.claimNonce(START_SECONDS + 106, 'signed since'), true)
      assert.equal(await cluster.claimNonce(START_SECONDS + 106, 'signed since'), false)
      assert.deepEqual(lost, [
        'Redis is new, was restarted or has lost its keys: requests signed up to 2020-09-13T12:28:25.000Z are rejected',
      ])
      await cluster.close()
    })

  test('rejects what was signed before a Redis was added to a store', async () => {
    const { cluster } = await open(newClock())
    assert.equal(cluster.nonceFloorSeconds, START_SECONDS)
    assert.equal(await cluster.claimNonce(START_SECONDS, 'key'), false)
    assert.equal(await cluster.claimNonce(START_SECONDS + 1, 'key'), true)
    await cluster.close()
  })

  test('a second node, and a node that starts again, reject nothing more', async () => {
    const clock = newClock()
    const options = { url: server.url, keyPrefix: newPrefix() }
    const first = openRedis(clock, { ...options, isNew: true })
    await first.ready()
    const second = openRedis(clock, { ...options, isNew: false })
    await second.ready()
    assert.equal(await second.claimNonce(START_SECONDS - 100, 'key'), true)
    assert.equal(await first.claimNonce(START_SECONDS - 100, 'key'), false)
    await Promise.all([first.close(), second.close()])
  })

  test('reports that Redis may evict keys', async () => {
    const cluster = openRedis(newClock(), { url: server.url })
    assert.deepEqual(await cluster.ready(), [])
    await inRedis(server.url, async (client) => {
      await client.configSet({ maxmemory: '100mb', 'maxmemory-policy': 'allkeys-lru' })
    })
    assert.deepEqual(await cluster.ready(), [
      'Redis may evict used nonces when its memory is full (maxmemory-policy is allkeys-lru), and then accepts old requests again: set maxmemory-policy to noeviction.',
    ])
    await cluster.close()
  })
})

describe('one node on a store that was there before', () => {
  test('rejects what was signed before it began to remember nonces', async () => {
    const cluster = new MemoryCluster({ clock: newClock(), isNew: false })
    assert.equal(await cluster.claimNonce(START_SECONDS, 'key'), false)
    assert.equal(await cluster.claimNonce(START_SECONDS + 1, 'key'), true)
    await cluster.close()
  })
})

async function inRedis<T>(url: string, work: (client: ReturnType<typeof createClient>) => Promise<T>) {
  const client = createClient({ url })
  await client.connect()
  try {
    return await work(client as ReturnType<typeof createClient>)
  } finally {
    await client.close()
  }
}

describe('Redis between nodes, and out of reach', { skip: noRedis }, () => {
  test('exactly one claim passes on two nodes', async () => {
    const clock = newClock()
    const keyPrefix = newPrefix()
    const nodes = [openRedis(clock, { keyPrefix }), openRedis(clock, { keyPrefix })]
    for (let nonce = 0; nonce < 20; nonce++) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => nodes[n % 2]?.claimNonce(START_SECONDS, `key ${nonce}`)),
      )
      assert.equal(answers.filter(Boolean).length, 1)
    }
    await Promise.all(nodes.map((node) => node.close()))
  })

  test('a window is counted together by two nodes', async () => {
    const clock = newClock()
    const keyPrefix = newPrefix()
    const nodes = [openRedis(clock, { keyPrefix }), openRedis(clock, { keyPrefix })]
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => nodes[n % 2]?.count('b', 25, 60)))
    assert.equal(answers.filter((answer) => answer?.allowed).length, 25)
    await Promise.all(nodes.map((node) => node.close()))
  })

  test('every key begins with the prefix, and will expire but for the marker', async () => {
    const keyPrefix = newPrefix()
    const cluster = openRedis(newClock(), { keyPrefix })
    await cluster.claimNonce(START_SECONDS, 'key')
    await cluster.count('b', 5, 60)
    const client = createClient({ url: REDIS_URL })
    await client.connect()
    const keys = await client.keys(`${keyPrefix}*`)
    assert.equal(keys.length, 3)
    assert.equal(await client.pTTL(`${keyPrefix}nonces-since`), -1)
    for (const key of keys.filter((key) => key !== `${keyPrefix}nonces-since`)) {
      const life = await client.pTTL(key)
      assert.ok(life > 60_000 && life <= 660_000, `${key}: ${life} ms`)
    }
    await client.close()
    await cluster.close()
  })

  test('counting continues to work after Redis has forgotten the script', async () => {
    const cluster = openRedis(newClock())
    await cluster.count('b', 5, 60)
    const client = createClient({ url: REDIS_URL })
    await client.connect()
    await client.scriptFlush()
    await client.close()
    assert.equal((await cluster.count('b', 5, 60)).remaining, 3)
    await cluster.close()
  })

  test('calls made before the connection is established wait for it', async () => {
    const cluster = openRedis(newClock())
    const answers = await Promise.all([
      cluster.claimNonce(START_SECONDS, 'key'),
      cluster.claimNonce(START_SECONDS, 'key'),
    ])
    assert.deepEqual(answers, [true, false])
    await cluster.ready()
    await cluster.close()
  })

  test('a lost Redis fails calls in bounded time, lets no nonce pass twice and is found again', async (t) => {
    const proxy = await openProxy()
    const errors: Error[] = []
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const cluster = openRedis(newClock(), { url: proxy.url, onError: (error) => errors.push(error) })
    assert.equal(await cluster.claimNonce(START_SECONDS, 'key'), true)
    await proxy.cut()
    await overdue(t, cluster.claimNonce(START_SECONDS, 'key'))
    await overdue(t, cluster.count('b', 1, 60))
    await proxy.mend()
    await asTimePasses(t, cluster.ready())
    assert.equal(await cluster.claimNonce(START_SECONDS, 'key'), false)
    assert.equal(await cluster.claimNonce(START_SECONDS, 'other'), true)
    assert.ok(errors.length > 0)
    await cluster.close()
    await proxy.cut()
  })

  test('a connection that has fallen silent fails calls in bounded time and is replaced', async (t) => {
    const proxy = await openProxy()
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const cluster = openRedis(newClock(), { url: proxy.url })
    assert.equal(await cluster.claimNonce(START_SECONDS, 'key'), true)
    // Only established connections become unresponsive, as when a network path fails.
    proxy.silence()
    await overdue(t, cluster.claimNonce(START_SECONDS, 'key'))
    await asTimePasses(t, cluster.ready())
    assert.equal(await cluster.claimNonce(START_SECONDS, 'key'), false)
    await cluster.close()
    await proxy.cut()
  })

  test('calls beyond the queue limit fail at once', async (t) => {
    const proxy = await openProxy()
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const cluster = openRedis(newClock(), { url: proxy.url, queueLimit: 5 })
    await cluster.ready()
    proxy.silence()
    const held = Array.from({ length: 5 }, (_, n) => assert.rejects(cluster.count(`b${n}`, 1, 60)))
    // No time passes: the call does not wait.
    await assert.rejects(cluster.count('b', 1, 60), ClusterUnavailable)
    t.mock.timers.tick(TIMEOUT_MS)
    await Promise.all(held)
    await cluster.close()
    await proxy.cut()
  })

  test('a Redis that refuses to say for a while which process it is loses no keys', async (t) => {
    const clock = newClock()
    const keyPrefix = newPrefix()
    const errors: string[] = []
    const onError = ({ message }: Error) => errors.push(message)
    const first = openRedis(clock, { keyPrefix })
    assert.equal(await first.claimNonce(START_SECONDS - 10, 'key'), true)
    const proxy = await openProxy()
    t.after(() => Promise.all([first.close(), second.close(), proxy.cut()]))
    proxy.refuseInfo('-LOADING Redis is loading the dataset in memory\r\n', 2)
    const second = openRedis(clock, { url: proxy.url, keyPrefix, isNew: false, onError })
    assert.deepEqual(await second.ready(), [])
    assert.equal(await second.claimNonce(START_SECONDS - 10, 'key'), false)
    assert.equal(await second.claimNonce(START_SECONDS - 10, 'other'), true)
    assert.equal(await first.claimNonce(START_SECONDS - 10, 'another'), true)
    assert.deepEqual(errors, Array(2).fill('LOADING Redis is loading the dataset in memory'))
  })

  test('a Redis that never says which process it is may be used, with a warning', async (t) => {
    const proxy = await openProxy()
    proxy.refuseInfo("-NOPERM User plaza has no permissions to run the 'info' command\r\n", 1_000)
    const cluster = openRedis(newClock(), { url: proxy.url })
    t.after(() => Promise.all([cluster.close(), proxy.cut()]))
    assert.deepEqual(await cluster.ready(), [
      'Redis does not say which process it is (INFO server), so after a restart with an older snapshot it may accept old requests again: let its user run INFO.',
    ])
    assert.equal(await cluster.claimNonce(START_SECONDS, 'key'), true)
    assert.equal(await cluster.claimNonce(START_SECONDS, 'key'), false)
  })

  after(async () => {
    const client = createClient({ url: REDIS_URL })
    await client.connect()
    for await (const keys of client.scanIterator({ MATCH: `${runPrefix}*`, COUNT: 1000 })) {
      if (keys.length > 0) await client.del(keys)
    }
    await client.close()
  })
})

test('a Redis that was never there fails calls in bounded time', async () => {
  const server = createServer()
  const port = await listen(server, 0)
  await new Promise((resolve) => server.close(resolve))
  const errors: Error[] = []
  const cluster = new RedisCluster({
    clock: newClock(),
    url: `redis://127.0.0.1:${port}`,
    timeoutMs: 200,
    onError: (error) => errors.push(error),
  })
  await assert.rejects(cluster.claimNonce(START_SECONDS, 'key'), ClusterUnavailable)
  assert.ok(errors.length > 0)
  await cluster.close()
})

test('the state in memory returns values, not promises', async () => {
  const cluster = new MemoryCluster({ clock: newClock() })
  assert.equal(cluster.claimNonce(START_SECONDS, 'key'), true)
  assert.equal(cluster.count('b', 1, 60).allowed, true)
  await cluster.close()
})

function newPrefix(): string {
  return `${runPrefix}${prefixes++}:`
}

function openRedis(
  clock: ManualClock,
  options: Partial<ConstructorParameters<typeof RedisCluster>[0]> = {},
): RedisCluster {
  return new RedisCluster({
    clock,
    url: REDIS_URL,
    keyPrefix: newPrefix(),
    isNew: true,
    onError: () => {},
    timeoutMs: TIMEOUT_MS,
    ...options,
  })
}

/** Lets the timeout of a call pass, so that it fails. */
async function overdue(t: TestContext, call: unknown): Promise<void> {
  const rejected = assert.rejects(call as Promise<unknown>, ClusterUnavailable)
  t.mock.timers.tick(TIMEOUT_MS)
  await rejected
}

/**
 * Advances the mocked time by one millisecond per turn of the event loop, until something is done.
 */
async function asTimePasses<T>(t: TestContext, work: Promise<T>): Promise<T> {
  let over = false
  const end = () => {
    over = true
  }
  work.then(end, end)
  while (!over) {
    t.mock.timers.tick(1)
    await nextTurn()
  }
  return work
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
}

/** A proxy between a client and Redis that fails on request. */
async function openProxy() {
  const target = new URL(REDIS_URL)
  const pairs = new Set<[Socket, Socket]>()
  let refusal = { reply: '', times: 0 }
  const accept = (near: Socket) => {
    const far = connectSocket(Number(target.port || 6379), target.hostname)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
        pairs.delete(pair)
      })
    }
    near.on('data', (data) => {
      if (refusal.times === 0 || !data.includes('INFO')) return far.write(data)
      refusal.times--
      return near.write(refusal.reply)
    })
    far.pipe(near)
  }
  let server = createServer(accept)
  const port = await listen(server, 0)
  return {
    url: Object.assign(new URL(REDIS_URL), { host: `127.0.0.1:${port}` }).href,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const [near] of pairs) near.destroy()
      await closed
    },
    async mend() {
      server = createServer(accept)
      await listen(server, port)
    },
    /** Answers a number of INFO commands itself. */
    refuseInfo(reply: string, times: number) {
      refusal = { reply, times }
    },
    silence() {
      for (const [near, far] of pairs) {
        near.removeAllListeners('data')
        far.unpipe()
      }
    },
  }
}
