import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import type { LoggedAttempt } from '../../src/delivery/webhooks/attempt.ts'
import { resendDelivery } from '../../src/delivery/webhooks/resend.ts'
import type { DeliveryRow } from '../../src/delivery/webhooks/tables.ts'
import { setEnrolled } from '../../src/identity/apps/apps.ts'
import { Client, demoKeys, type Keys, type Reply } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { makePost } from '../support/posts.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

const DAY_MS = 86_400_000

const allDeliveries = query<object, DeliveryRow>('usageDeliveries', (db) =>
  db.selectFrom('deliveries').selectAll().where('seq', '>', 0).orderBy('seq'),
)
const setValid = query<{ id: string; valid: number; now: number }>('usageValidWebhook', (db, at) =>
  db.updateTable('webhooks').set({ valid: at.valid, last_success_at: at.now }).where('id', '=', at.id),
)
const setSuspended = query<{ key: string; suspended: number }>('usageSuspendedApp', (db, at) =>
  db.updateTable('apps').set({ suspended: at.suspended }).where('consumer_key', '=', at.key),
)

for (const stage of stages) {
  describe(`usage of webhooks of the filtered stream on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let keys: Required<Keys>
    let authorization: string
    let ada: Person
    const receivers: Receiver[] = []
    const webhooks: string[] = []

    before(async () => {
      const settings = { rateLimits: 'off', usageDailyPerApp: 2, shutdownSeconds: 1 } as const
      opened = await stage.open(settings, { backgroundDeliveries: true })
      client = new Client(opened.plaza)
      keys = demoKeys(opened.plaza)
      authorization = `Bearer ${await client.bearer(keys)}`
      ada = await Person.join(opened.plaza, client)
      isDone(
        await asApp('POST', '/2/posts/search/stream/rules', { add: [{ value: `from:${ada.screenName}` }] }),
      )
      for (let n = 0; n < 2; n++) {
        const receiver = await startReceiver(keys.consumerSecret)
        receivers.push(receiver)
        const reply = await client.signed('POST', '/2/webhooks', keys, { json: { url: receiver.url } })
        const { id } = (reply.json as { data: { id: string } }).data
        isDone(await asApp('POST', `/2/posts/search/webhooks/${id}`))
        webhooks.push(id)
      }
    })
    after(async () => {
      await client.close()
      await opened.close()
      await Promise.all(receivers.map((one) => one.close()))
    })

    const asApp = (method: string, path: string, json?: object) =>
      client.send(method, path, { headers: { authorization }, ...(json && { json }) })
    const isDone = ({ status, text }: Reply) => assert.ok(status < 300, text)
    const post = async (text: string): Promise<string> => {
      const reply = await ada.core('POST', '/2/posts', { text })
      assert.equal(reply.status, 201, reply.text)
      return (reply.json as { data: { id: string } }).data.id
    }
    const used = async () => {
      const reply = await asApp('GET', '/2/usage/posts?days=1&usage.fields=project_usage')
      isDone(reply)
      return (reply.json as { data: { project_usage: number } }).data.project_usage
    }
    /** What became of a post for each of the webhooks, once it is no longer on its way. */
    const ended = (id: string) =>
      until('the post has ended at both webhooks', async () => {
        const rows = await opened.plaza.context.store.all(allDeliveries, {})
        const own = rows.filter(({ event_id, ended_at }) => event_id === id && ended_at !== null)
        return own.length === 2 && own
      })
    const statesOf = async (id: string) => (await ended(id)).map(({ state }) => state)

    test('a post counts once for its app, wherever else it is shown; beyond the cap the log records what is missing', async () => {
      const first = await post('One')
      assert.deepEqual(await statesOf(first), ['delivered', 'delivered'])
      assert.equal(await used(), 1)
      isDone(await asApp('GET', `/2/posts/${first}`))
      const second = await post('Two')
      assert.deepEqual(await statesOf(second), ['delivered', 'delivered'])
      assert.equal(await used(), 2)

      const third = await post('Three')
      const capped = await ended(third)
      assert.deepEqual(
        capped.map(({ state, body, log }) => [
          state,
          body,
          (JSON.parse(log) as LoggedAttempt[]).map((one) => one.error),
        ]),
        Array(2).fill(['capped', '', ['not sent: daily usage of app capped']]),
      )
      assert.equal(await used(), 2)
      assert.equal((await asApp('GET', `/2/posts/${third}`)).status, 429)
      const { store } = opened.plaza.context
      assert.equal(await resendDelivery(store, { seq: capped[0]?.seq ?? 0 }), 'capped')
      assert.deepEqual(
        receivers.map(({ deliveries }) => deliveries.length),
        [2, 2],
      )
    })

    test('the next day begins with nothing; a suspended app uses nothing', async () => {
      opened.plaza.clock.advance(DAY_MS)
      const first = await post('Another day')
      assert.deepEqual(await statesOf(first), ['delivered', 'delivered'])
      assert.equal(await used(), 3)
      const { store } = opened.plaza.context
      const suspend = (suspended: number) =>
        store.write((tx) => tx.run(setSuspended, { key: keys.consumerKey, suspended }))
      await suspend(1)
      const { id } = await makePost(opened.plaza.context, { authorId: ada.id })
      assert.deepEqual(await statesOf(id), ['skipped', 'skipped'])
      await suspend(0)
      assert.equal(await used(), 3)
    })

    test('what no webhook may receive uses nothing; with one that may, it counts once', async () => {
      opened.plaza.clock.advance(DAY_MS)
      const { store } = opened.plaza.context
      const before = await used()
      const set = (rows: { id: string; valid: number }[]) =>
        store.write(async (tx) => {
          for (const row of rows) await tx.run(setValid, { ...row, now: tx.now })
        })
      const [one = '', other = ''] = webhooks
      await set([one, other].map((id) => ({ id, valid: 0 })))
      const missed = await ended(await post('Nobody'))
      assert.deepEqual(
        missed.map(({ state, body }) => [state, body.includes('Nobody')]),
        Array(2).fill(['skipped', true]),
      )
      assert.equal(await used(), before)
      await set([{ id: one, valid: 1 }])
      const half = await post('One of two')
      assert.deepEqual((await statesOf(half)).sort(), ['delivered', 'skipped'])
      assert.equal(await used(), before + 1)
      await set([{ id: other, valid: 1 }])
      const app = opened.plaza.seeded?.apps[0]?.id ?? ''
      await store.write((tx) => setEnrolled(tx, { id: app, enrolled: false }))
      const { id } = await makePost(opened.plaza.context, { authorId: ada.id })
      assert.deepEqual(await statesOf(id), ['skipped', 'skipped'])
      await store.write((tx) => setEnrolled(tx, { id: app, enrolled: true }))
      assert.equal(await used(), before + 1)
    })
  })
}
