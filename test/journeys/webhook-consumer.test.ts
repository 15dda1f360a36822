import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { fetch } from 'undici'
import { query } from '../../src/app/tables.ts'
import type { LoggedAttempt } from '../../src/delivery/webhooks/attempt.ts'
import type { DeliveryRow } from '../../src/delivery/webhooks/tables.ts'
import { rotateApp } from '../../src/identity/apps/apps.ts'
import { Client, demoKeys, type Keys } from '../support/client.ts'
import { freePort } from '../support/own-servers.ts'
import { Person } from '../support/person.ts'
import { consumerOf, README } from '../support/readme.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'
import { type Running, spawnShell, temporaryFolder, until as untilOf } from './cli.fixture.ts'

// The consumer of the guides, as it is there, in a process of its own.

const NODE_MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
const MINUTE_MS = 60_000
/** Enough that the circuit opens while it is away. */
const POSTS_WHILE_AWAY = 15

const logsOf = query<{ webhook: string }, Pick<DeliveryRow, 'body' | 'log'>>('testLogsOfConsumer', (db, at) =>
  db.selectFrom('deliveries').select(['body', 'log']).where('webhook_id', '=', at.webhook),
)
const deliveriesOf = query<{ webhook: string }, Pick<DeliveryRow, 'event_id' | 'state' | 'attempts'>>(
  'testDeliveriesOfConsumer',
  (db, at) =>
    db
      .selectFrom('deliveries')
      .select(['event_id', 'state', 'attempts'])
      .where('webhook_id', '=', at.webhook)
      .where('notice', '=', 0)
      .orderBy('seq'),
)

/** The consumer, which can be killed and started again at the same address. */
class Consumer {
  readonly #t: TestContext
  readonly #folder: string
  #env: Record<string, string>
  readonly url: string
  #running: Running | undefined
  /** What each process printed that has ended. */
  #earlier = ''

  private constructor(t: TestContext, { secret, port }: { secret: string; port: number }) {
    this.#t = t
    this.#folder = temporaryFolder(t)
    this.#env = { SECRET: secret, PORT: String(port) }
    this.url = `http://127.0.0.1:${port}/webhook`
    symlinkSync(NODE_MODULES, join(this.#folder, 'node_modules'))
    writeFileSync(join(this.#folder, 'consumer.mjs'), consumerOf(README))
  }

  static async start(t: TestContext, secret: string): Promise<Consumer> {
    const consumer = new Consumer(t, { secret, port: await freePort() })
    await consumer.start()
    return consumer
  }

  /** With another secret from now on, when one is given. */
  async start(secret = this.#env.SECRET ?? ''): Promise<void> {
    this.#env = { ...this.#env, SECRET: secret }
    const line = `"${process.execPath}" consumer.mjs`
    const running = spawnShell(this.#t, line, { cwd: this.#folder, env: this.#env })
    this.#running = running
    await untilOf(running, 'that it listens', () => running.stdout().includes('Listening'))
  }

  async kill(): Promise<void> {
    this.#running?.stop('SIGKILL')
    this.#earlier += (await this.#running?.ended)?.stdout ?? ''
    this.#running = undefined
  }

  /**
   * The ids of events that it printed, in their order. It forgets with each process what it has
   * seen.
   */
  get events(): string[] {
    const printed = this.#earlier + (this.#running?.stdout() ?? '')
    return [...printed.matchAll(/^post\.create ([0-9]+)$/gm)].map(([, id = '']) => id)
  }

  /** The ids of replays that it printed as complete. */
  get replays(): string[] {
    const printed = this.#running?.stdout() ?? ''
    return [...printed.matchAll(/^replay Complete ([0-9]+)$/gm)].map(([, id = '']) => id)
  }
}

const minute = (ms: number) =>
  new Date(ms)
    .toISOString()
    .replace(/[^0-9]/g, '')
    .slice(0, 12)

for (const stage of stages) {
  describe(`the consumer of the guides on ${stage.name}`, { skip: stage.skip }, () => {
    /** Everything until a consumer is registered and receives the posts of a user. */
    async function begin(t: TestContext) {
      const settings = { rateLimits: 'off', shutdownSeconds: 1 } as const
      const opened = await stage.open(settings, { backgroundDeliveries: true })
      const client = new Client(opened.plaza)
      t.after(async () => {
        await client.close()
        await opened.close()
      })
      const keys = demoKeys(opened.plaza)
      const consumer = await Consumer.start(t, keys.consumerSecret)
      const reply = await client.signed('POST', '/2/webhooks', keys, { json: { url: consumer.url } })
      assert.equal(reply.status, 200, reply.text)
      const webhook = (reply.json as { data: { id: string } }).data.id
      const person = await Person.join(opened.plaza, client)
      const as = await asApp(client, keys)
      const filter = { user_id: person.id }
      const json = { event_type: 'post.create', filter, webhook_id: webhook }
      const subscribed = await as('/2/activity/subscriptions', json)
      assert.equal(subscribed.status, 200, subscribed.text)
      return { opened, consumer, webhook, person, as, keys }
    }
    const asApp = async (client: Client, keys: Keys) => {
      const headers = { authorization: `Bearer ${await client.bearer(keys)}` }
      return (path: string, json: object) => client.send('POST', path, { headers, json })
    }
    const publish = async (person: Person, text: string) => {
      const reply = await person.core('POST', '/2/posts', { text })
      assert.equal(reply.status, 201, reply.text)
    }
    const rowsOf = ({ plaza }: Opened, webhook: string) => plaza.context.store.all(deliveriesOf, { webhook })

    test('it answers the check, receives what happens, and rejects what is not signed', async (t) => {
      const { opened, consumer, webhook, person, keys } = await begin(t)
      await publish(person, 'Hello, webhook')
      await until('the event arrives', () => consumer.events.length === 1)
      const rows = await until('it is recorded', async () => {
        const found = await rowsOf(opened, webhook)
        return found[0]?.state === 'delivered' && found
      })
      assert.deepEqual(rows, [{ event_id: consumer.events[0], state: 'delivered', attempts: 1 }])
      const post = async (body: string, signature?: string) => {
        const headers = { ...(signature && { 'x-svc-webhooks-signature': signature }) }
        return (await fetch(consumer.url, { method: 'POST', body, headers })).status
      }
      const body = '{"data":{"event_type":"post.create","event_uuid":"42"}}'
      const mac = (secret: string, text = body) =>
        `sha256=${createHmac('sha256', secret).update(text).digest('base64')}`
      assert.equal(await post(body), 401)
      assert.equal(await post(body, mac('another secret')), 401)
      assert.equal(await post(`${body} `, mac(keys.consumerSecret)), 401)
      assert.equal(await post('', mac('another secret', '')), 401)
      assert.equal((await fetch(consumer.url)).status, 400)
      assert.equal(consumer.events.length, 1)
      // The same event twice: answered, and seen once.
      for (const _ of ['first', 'second']) assert.equal(await post(body, mac(keys.consumerSecret)), 200)
      await until('it is printed', () => consumer.events.length === 2)
      assert.equal(consumer.events[1], '42')
    })

    test('a retry after a rotation of the secret is signed with the new secret, and the log keeps both signatures', async (t) => {
      const { opened, consumer, webhook, person, keys } = await begin(t)
      const { clock, seeded, context } = opened.plaza
      await consumer.kill()
      await publish(person, 'While it is away')
      const attempts = async () => {
        const [row] = await context.store.all(logsOf, { webhook })
        return { body: row?.body ?? '', log: JSON.parse(row?.log ?? '[]') as LoggedAttempt[] }
      }
      await until('the first attempt', async () => (await attempts()).log.length === 1)
      clock.advance(4_000)
      await until('the second attempt', async () => (await attempts()).log.length === 2)

      const appId = seeded?.apps[0]?.id ?? ''
      const rotated = await context.store.write((tx) => rotateApp(tx, appId, context))
      assert.ok(rotated)
      await consumer.start(rotated.consumerSecret)
      clock.advance(30_000)
      await until('the event arrives', () => consumer.events.length === 1)
      await until('it is recorded', async () => (await rowsOf(opened, webhook))[0]?.state === 'delivered')
      const { body, log } = await attempts()
      const mac = (secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`
      const [before, after] = [mac(keys.consumerSecret), mac(rotated.consumerSecret)]
      assert.deepEqual(
        log.map(({ signature, status }) => [signature, status]),
        [
          [before, undefined],
          [before, undefined],
          [after, 200],
        ],
      )
    })

    test('killed and away for an hour, it misses nothing after a replay; duplicates have equal ids', async (t) => {
      const { opened, consumer, webhook, person, as } = await begin(t)
      const { clock } = opened.plaza
      const since = clock.now()
      await publish(person, 'Before')
      await until(
        'the event is delivered',
        async () => (await rowsOf(opened, webhook))[0]?.state === 'delivered',
      )
      await consumer.kill()
      const [before] = consumer.events
      for (let n = 0; n < POSTS_WHILE_AWAY; n++) await publish(person, `Away ${n}`)
      await until('each event is a delivery', async () => {
        const rows = await rowsOf(opened, webhook)
        return rows.length === POSTS_WHILE_AWAY + 1 && rows.filter(({ attempts }) => attempts > 0).length > 1
      })
      clock.advance(60 * MINUTE_MS)
      await consumer.start()
      await until('they are given up', async () =>
        (await rowsOf(opened, webhook)).every(({ state }) => state === 'delivered' || state === 'failed'),
      )
      const dates = { from_date: minute(since), to_date: minute(clock.now() - 11 * MINUTE_MS) }
      const reply = await as('/2/webhooks/replay', { webhook_id: webhook, ...dates })
      assert.equal(reply.status, 200, reply.text)
      const { job_id } = (reply.json as { data: { job_id: string } }).data
      await until('the replay is complete', async () => {
        await opened.plaza.tasks.runDue('replay deliveries')
        clock.advance(100)
        return consumer.replays.includes(job_id)
      })
      const rows = await rowsOf(opened, webhook)
      assert.equal(new Set(rows.map(({ event_id }) => event_id)).size, POSTS_WHILE_AWAY + 1)
      assert.deepEqual([...new Set(consumer.events)].sort(), rows.map(({ event_id }) => event_id).sort())
      // What it had received before it was killed arrives again, with the id that it had.
      assert.equal(consumer.events.filter((id) => id === before).length, 2)
      assert.equal(consumer.events.length, POSTS_WHILE_AWAY + 2)
    })
  })
}
