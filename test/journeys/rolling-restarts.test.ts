import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ReadyFile, readFacts } from '../../src/app/cli/files.ts'
import type { Plaza } from '../../src/app/server.ts'
import { systemClock } from '../../src/platform/common/clock.ts'
import { randomText, systemRandom } from '../../src/platform/common/random.ts'
import { type Balancer, openBalancer } from '../support/balancer.ts'
import { Client, type Keys, type Reply } from '../support/client.ts'
import { dropSchema, forgetKeys, noPostgres, noRedis, POSTGRES_URL, REDIS_URL } from '../support/services.ts'
import { until as untilSeen } from '../support/until.ts'
import { FREE_PORTS, type Running, spawnPlaza, stopCli, temporaryFolder, until } from './cli.fixture.ts'

const ORIGIN = 'https://api.plaza.test'
const CALLERS = 4
const BETWEEN_MS = 50

/** Two nodes of one database that can be started again one by one. */
class Nodes {
  readonly #t: TestContext
  readonly #folder: string
  readonly #args: string[]
  readonly #masterKey = systemRandom.bytes(32).toString('hex')
  readonly #running = new Map<number, Running>()

  constructor(t: TestContext) {
    const mark = randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')
    const [schema, prefix] = [`plaza_test_${mark}`, `plaza-test-${mark}:`]
    this.#t = t
    this.#folder = temporaryFolder(t)
    this.#args = [
      ...FREE_PORTS,
      ...['--database-url', POSTGRES_URL, '--database-schema', schema],
      ...['--redis-url', REDIS_URL, '--redis-prefix', prefix],
      ...['--media', join(this.#folder, 'media'), '--seed', 'demo', '--seed-population', '0'],
      ...['--behind-proxy', '--core-url', ORIGIN, '--rate-limits', 'off'],
      // The test ends this time when the balancer has seen that the node is not ready.
      ...['--drain-seconds', '600'],
    ]
    // The processes have ended by then, with the folder.
    t.after(() => Promise.all([dropSchema(schema), forgetKeys(prefix)]))
  }

  async start(node: number): Promise<ReadyFile> {
    const path = join(this.#folder, `ready ${node}.json`)
    rmSync(path, { force: true })
    const own = ['--node', String(node), '--data', join(this.#folder, `data ${node}`), '--ready-file', path]
    const running = spawnPlaza(this.#t, ['start', ...own, ...this.#args], {
      env: { PLAZA_MASTER_KEY: this.#masterKey },
    })
    this.#running.set(node, running)
    return until(running, 'the ready file', () => (existsSync(path) ? readFacts<ReadyFile>(path) : undefined))
  }

  /** Asks a node to end, and has it end once `isOut`. */
  async stop(node: number, isOut: () => boolean): Promise<void> {
    const running = this.#running.get(node) ?? assert.fail(`node ${node} does not run`)
    running.stop('SIGTERM')
    await untilSeen('no more requests to the node', isOut)
    const { code, stderr } = await stopCli(running, 'SIGINT')
    assert.equal(code, 0, stderr)
  }
}

/** Callers that read and post until they are stopped, and the replies that were not successful. */
function callThrough(balancer: Balancer, keys: Keys) {
  const client = new Client({
    urls: { core: balancer.url },
    context: { clock: systemClock, machineClock: systemClock },
  } as unknown as Plaza)
  const failed: string[] = []
  let done = 0
  let isRunning = true
  const signed = (method: string, path: string, json?: object): Promise<Reply> =>
    client.send(method, path, {
      headers: { authorization: client.sign(method, ORIGIN + path, keys) },
      ...(json && { json }),
    })
  const call = async (caller: number) => {
    for (let n = 0; isRunning; n++) {
      const reply =
        (n + caller) % 4 === 0
          ? signed('POST', '/2/posts', { text: `Post ${n} of ${caller}` })
          : signed('GET', '/2/users/me')
      await reply.then(
        ({ status, text }) => (status < 300 ? done++ : failed.push(`${status} ${text}`)),
        (error: Error) => failed.push(String(error.cause ?? error)),
      )
      await sleep(BETWEEN_MS)
    }
  }
  const callers = Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)))
  return {
    failed,
    done: () => done,
    async stop() {
      if (!isRunning) return
      isRunning = false
      await callers
      await client.close()
    },
  }
}

test('no request fails while two nodes behind a load balancer are restarted in turn', {
  skip: noPostgres || noRedis,
}, async (t) => {
  const nodes = new Nodes(t)
  const balancer = await openBalancer(ORIGIN)
  t.after(() => balancer.close())
  const put = (node: number, { core_port, console_port }: ReadyFile) => {
    const at = (port: number) => `http://127.0.0.1:${port}`
    balancer.put(`node ${node}`, { core: at(core_port), console: at(console_port) })
  }
  const first = await nodes.start(0)
  put(0, first)
  put(1, await nodes.start(1))
  const both = () => balancer.ready().length === 2
  await untilSeen('two ready nodes', both)
  const { app, user } = first
  assert.ok(app && user?.access_token && user.access_token_secret)
  const calls = callThrough(balancer, {
    consumerKey: app.consumer_key,
    consumerSecret: app.consumer_secret,
    token: user.access_token,
    tokenSecret: user.access_token_secret,
  })
  t.after(() => calls.stop())
  for (const node of [0, 1, 0, 1]) {
    const name = `node ${node}`
    await untilSeen('requests to the node', () => (balancer.passed()[name] ?? 0) > CALLERS)
    const before = calls.done()
    await nodes.stop(node, () => !balancer.ready().includes(name))
    await untilSeen('requests to the other node', () => calls.done() > before + CALLERS)
    put(node, await nodes.start(node))
    await untilSeen('two ready nodes', both)
  }
  await calls.stop()
  assert.deepEqual(calls.failed, [])
})
