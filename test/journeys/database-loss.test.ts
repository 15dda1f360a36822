import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Advertiser } from '../support/advertiser.ts'
import { Client, demoKeys, type Keys, type Reply } from '../support/client.ts'
import { inDatabase, noOwnPostgres, type OwnServer, ownPostgres } from '../support/own-servers.ts'
import { startPlaza } from '../support/plaza.ts'
import { until } from '../support/until.ts'

// The promise: when PostgreSQL closes connections, whatever they are used for, requests in progress
// return 503, later ones work again, and acknowledged writes are stored.

const WRITERS = 16
const READERS = 4
const UPLOADERS = 2
const ROUNDS = 6
const POOLS = ['plaza audiences read', 'plaza audiences write', 'plaza read', 'plaza write']
const BETWEEN_MS = 150

const hashed = (text: string) => createHash('sha256').update(text).digest('hex')
type Json = Record<string, unknown>
const dataOf = (reply: Reply) => (reply.json as { data: Json }).data

/** Callers that continue until they are stopped, and their replies. */
class Load {
  readonly created: string[] = []
  readonly statuses = new Map<number, number>()
  members = 0
  /** Bodies of statuses that must not come. */
  readonly wrong: string[] = []
  #running = true
  #callers: Promise<unknown>[] = []

  constructor(send: (method: string, path: string, sent?: object) => Promise<Reply>, audience: string) {
    const forever = async (step: (n: number) => Promise<Reply>, done?: (reply: Reply) => void) => {
      for (let n = 0; this.#running; n++) {
        const reply = await step(n)
        this.statuses.set(reply.status, (this.statuses.get(reply.status) ?? 0) + 1)
        if (reply.status < 300) done?.(reply)
        else if (reply.status !== 503) this.wrong.push(`${reply.status} ${reply.text}`)
        // Otherwise, immediately rejected requests would be most of those sent.
        else await sleep(5)
      }
    }
    const times = (count: number, start: (caller: number) => Promise<void>) =>
      Array.from({ length: count }, (_, caller) => start(caller))
    this.#callers = [
      ...times(WRITERS, (writer) =>
        forever(
          (n) => send('POST', '/custom_audiences', { form: { name: `${audience} ${writer} ${n}` } }),
          (reply) => this.created.push(String(dataOf(reply).id)),
        ),
      ),
      ...times(READERS, () => forever(() => send('GET', '/custom_audiences?count=10'))),
      ...times(UPLOADERS, (uploader) =>
        forever(
          (n) => {
            const users = Array.from({ length: 50 }, (_, at) => ({
              email: [hashed(`${uploader} ${n} ${at}`)],
            }))
            const json = [{ operation_type: 'Update', params: { users } }]
            return send('POST', `/custom_audiences/${audience}/users`, { json })
          },
          () => (this.members += 50),
        ),
      ),
    ]
  }

  async stop(): Promise<void> {
    this.#running = false
    await Promise.all(this.#callers)
  }
}

describe('a database that ends connections', { skip: noOwnPostgres }, () => {
  let server: OwnServer
  let data: string
  let plaza: Awaited<ReturnType<typeof startPlaza>>
  let client: Client
  let base: string
  let keys: Keys
  // The command line ends the process at the first of them.
  const uncaught: unknown[] = []
  const onUncaught = (error: unknown) => uncaught.push(error)
  const send = (method: string, path: string, sent: object = {}) =>
    client.signed(method, base + path, keys, sent)

  before(async () => {
    process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught)
    server = await ownPostgres()
    data = mkdtempSync(join(tmpdir(), 'plaza-loss-'))
    // On a slow machine, few members are uploaded: the size of a small audience is shown, too.
    plaza = await startPlaza({ databaseUrl: server.url, data, rateLimits: 'off', audienceMinimum: 0 })
    client = new Client(plaza)
    keys = demoKeys(plaza)
    const advertiser = await Advertiser.open(plaza.context, plaza.seeded?.apps[0]?.grants[0]?.userId ?? '')
    base = `${plaza.urls.ads}/12/accounts/${advertiser.account.id}`
  })
  after(async () => {
    await client?.close()
    await plaza?.close()
    await server?.remove()
    process.off('uncaughtException', onUncaught).off('unhandledRejection', onUncaught)
    rmSync(data, { recursive: true, force: true })
  })

  const newAudience = async (name: string) =>
    String(dataOf(await send('POST', '/custom_audiences', { form: { name } })).id)

  /** Waits until a write is answered like any other, and everything that was uploaded is merged. */
  async function recovered(): Promise<void> {
    await until('a write', async () => {
      const { status } = await send('POST', '/custom_audiences', { form: { name: `Again ${Date.now()}` } })
      if (status !== 201) assert.equal(status, 503)
      return status === 201
    })
    await plaza.context.membership.drain()
  }

  /** Everything that was acknowledged is there; statuses were success or 503 and nothing else. */
  async function check(load: Load, audience: string): Promise<void> {
    assert.deepEqual(uncaught, [])
    assert.deepEqual(load.wrong, [])
    assert.ok(load.created.length > 0)
    for (const id of load.created) assert.equal((await send('GET', `/custom_audiences/${id}`)).status, 200)
    // An upload that was answered 503 may have been committed: its answer was lost with the
    // connection. A merge that failed is retried when its pause has passed; the clock of the test
    // does not move, so only a drain looks for it.
    await until('every acknowledged member counts', async () => {
      await plaza.context.membership.drain()
      const { audience_size: size } = dataOf(await send('GET', `/custom_audiences/${audience}`))
      return Number(size) >= load.members
    })
  }

  test('answers 503 and recovers when connections of every pool are terminated', async () => {
    const audience = await newAudience('Terminated')
    const load = new Load(send, audience)
    const ended = new Map<string, number>()
    // The thread that merges members opens its connections when there is something to merge.
    for (let round = 0; round < ROUNDS || ended.size < POOLS.length; round++) {
      await sleep(BETWEEN_MS)
      const terminated = await inDatabase(
        server.url,
        `SELECT application_name AS name, pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name LIKE 'plaza%'`,
      )
      for (const { name } of terminated) ended.set(String(name), (ended.get(String(name)) ?? 0) + 1)
    }
    await load.stop()
    await recovered()
    assert.deepEqual([...ended.keys()].sort(), POOLS)
    assert.ok((load.statuses.get(503) ?? 0) > 0, 'nothing was under way')
    await check(load, audience)
  })

  test('answers 503 and recovers when the server is restarted', async () => {
    const audience = await newAudience('Restarted')
    const load = new Load(send, audience)
    for (let round = 0; round < 2; round++) {
      await sleep(BETWEEN_MS)
      await server.stop()
      assert.equal((await send('POST', '/custom_audiences', { form: { name: `Now ${round}` } })).status, 503)
      await server.start()
    }
    await load.stop()
    await recovered()
    assert.ok((load.statuses.get(503) ?? 0) > 0, 'nothing was under way')
    await check(load, audience)
  })
})
