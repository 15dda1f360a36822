import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Plaza } from '../../src/app/server.ts'
import { query } from '../../src/app/tables.ts'
import { enroll } from '../../src/domain/notes/writers.ts'
import { consumerLags } from '../../src/platform/events/lag.ts'
import { newPerson, type Person } from '../support/ads-desk.ts'
import { Client, demoKeys } from '../support/client.ts'
import { allEventsHandled } from '../support/events.ts'
import { startPlaza } from '../support/plaza.ts'
import { importLines, makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

const HOUR_MS = 3_600_000
const LAST_ID = '9223372036854775807'
const CONSUMERS = ['news posts', 'note candidates', 'search index']
const POSTS = [
  'Harbor Bridge is closed after the flood #RivertonFlood',
  'The flood closed Harbor Bridge again #RivertonFlood',
  'Harbor Bridge stays closed until the flood is over #RivertonFlood',
]

/** As if another node held every consumer, and had handled nothing yet. */
const holdBack = query<{ until: number }>('holdConsumersBack', (db, at) =>
  db
    .updateTable('event_consumers')
    .set({ position: 0, holder: 'node 9', lease_until: at.until })
    .where('name', 'in', CONSUMERS),
)

interface Ready {
  status: string
  reason?: string
  waiting?: { consumer: string; events: number; building: boolean }[]
}

for (const stage of stages.filter(({ name }) => name !== 'SQLite in memory')) {
  describe(`a node that starts behind on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    /** The node that starts behind. */
    let plaza: Plaza
    let client: Client
    let writer: Person
    let bearer: { authorization: string }
    let isRestarted = false

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      writer = await newPerson(opened.plaza)
      const { store } = opened.plaza.context
      await store.write((tx) => enroll(tx, writer.id, 'top'))
      for (const text of POSTS) {
        const { id } = await newPerson(opened.plaza)
        await makePost(opened.plaza.context, { authorId: id, text })
      }
      const lines = Array.from({ length: 1_200 }, (_, n) => ({
        ...{ text: `A wombat, number ${n}`, username: 'importer' },
        created_at: new Date(opened.plaza.clock.now() - n * 1_000).toISOString(),
      }))
      assert.deepEqual(await importLines(opened.plaza.context, lines), [])
      await allEventsHandled(store)
      const { clock } = opened.plaza
      await store.write((tx) => tx.run(holdBack, { until: clock.now() + HOUR_MS }))
      clock.advance(60_000)
      const bearerClient = new Client(opened.plaza)
      bearer = { authorization: `Bearer ${await bearerClient.bearer(demoKeys(opened.plaza))}` }
      await bearerClient.close()
      if (stage.shared) plaza = await opened.second()
      else {
        await opened.plaza.close()
        isRestarted = true
        plaza = await startPlaza({ rateLimits: 'off', data: opened.folder ?? '' }, { clock })
      }
      client = new Client(plaza)
    })
    after(async () => {
      await client.close()
      if (isRestarted) await plaza.close()
      await opened.close()
    })

    const ready = async (of: Plaza = plaza) => {
      const reply = await client.send('GET', `${of.urls.console}/ready`)
      return { status: reply.status, body: reply.json as Ready }
    }
    const get = (path: string) => client.send('GET', path, { headers: bearer })
    const iso = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
    const calls = () => {
      const now = opened.plaza.clock.now()
      const insights = new URLSearchParams({
        granularity: 'DAY',
        keywords: 'wombat',
        start_time: iso(now - HOUR_MS),
      })
      const feed = 'test_mode=false&max_results=100&post_selection=feed_size%3A%20xxl%2C%20feed_lang%3A%20all'
      return {
        search: () => get(`/2/posts/search/recent?query=wombat&max_results=100&until_id=${LAST_ID}`),
        counts: () => get(`/2/posts/counts/recent?query=wombat&until_id=${LAST_ID}`),
        news: () => get('/2/news/search?query=harbor'),
        notes: () =>
          client.signed(
            'GET',
            `${plaza.urls.core}/2/notes/search/posts_eligible_for_notes?${feed}`,
            writer.keys,
          ),
        insights: () =>
          client.signed('GET', `${plaza.urls.ads}/12/insights/keywords/search?${insights}`, writer.keys),
      }
    }

    test('is not ready, says which consumer has how much to do, and answers 503 where that matters', async () => {
      const { status, body } = await ready()
      assert.equal(status, 503)
      assert.equal(body.status, 'not ready')
      assert.deepEqual(body.waiting?.map(({ consumer }) => consumer).sort(), CONSUMERS)
      for (const { events, building } of body.waiting ?? []) {
        // The posts of the import are 1,200, in few events.
        assert.ok(events > 1_203, `${events} events`)
        assert.equal(building, false)
      }
      assert.match(body.reason ?? '', /^indexes are catching up: .*search index \(\d+ events left\)/)
      const replies = await Promise.all(Object.values(calls()).map((call) => call()))
      assert.deepEqual(
        replies.map((reply) => [reply.status, reply.headers['retry-after'] !== undefined]),
        replies.map(() => [503, true]),
      )
      const [search, , , , insights] = replies
      assert.match(search?.headers['content-type'] ?? '', /application\/problem\+json|application\/json/)
      assert.match(search?.text ?? '', /"title":"Service Unavailable"/)
      assert.match(insights?.text ?? '', /"code":"SERVICE_UNAVAILABLE"/)
      assert.equal((await get('/2/users/by/username/demo')).status, 200)
    })

    test('the lag counts every post of an import', async () => {
      const lags = await consumerLags(plaza.context.store, plaza.context.clock)
      for (const name of CONSUMERS)
        assert.ok((lags.find(({ consumer }) => consumer === name)?.events ?? 0) > 1_203, name)
    })

    test('is ready once all of it was handled, and then answers from all of it', async () => {
      opened.plaza.clock.advance(HOUR_MS)
      await until('it is ready', async () => (await ready()).status === 200)
      assert.equal(await plaza.caughtUp, true)
      const { search, counts, news, notes, insights } = calls()
      assert.equal(((await search()).json as { data: unknown[] }).data.length, 100)
      assert.equal(
        ((await counts()).json as { meta: { total_post_count: number } }).meta.total_post_count,
        1_200,
      )
      assert.equal(((await news()).json as { data: unknown[] }).data.length, 1)
      assert.equal(((await notes()).json as { data: unknown[] }).data.length, 100)
      assert.equal((await insights()).status, 200)
    })

    test('stays ready when a consumer falls behind later', async () => {
      const { store, clock } = plaza.context
      await store.write((tx) => tx.run(holdBack, { until: clock.now() + HOUR_MS }))
      await makePost(plaza.context, { authorId: writer.id, text: 'One more wombat' })
      assert.deepEqual(await ready(), { status: 200, body: { status: 'ready' } })
      for (const [name, call] of Object.entries(calls())) assert.equal((await call()).status, 200, name)
      if (stage.shared) assert.equal((await ready(opened.plaza)).status, 200)
    })
  })
}
