import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { adHocQuery } from '../../src/app/tables.ts'
import { searchRebuildRequested } from '../../src/domain/search/events.ts'
import { setSuspended } from '../../src/identity/apps/suspension.ts'
import { emit } from '../../src/platform/events/log.ts'
import { newPerson, type Person } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const GERMANY = '6389d58d4f7fc8c0'

const live = adHocQuery<{ id: string; location: string }>('moveOfTest', (db, at) =>
  db.updateTable('users').set({ location: at.location }).where('id', '=', at.id),
)
const subscribe = adHocQuery<{ id: string }>('subscribeOfTest', (db, at) =>
  db.updateTable('users').set({ subscription_type: 'Premium' }).where('id', '=', at.id),
)

interface Data {
  post_volume: number[]
  related_keywords: string[]
}

for (const stage of stages) {
  describe(`keyword insights on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let clients: Client[]
    /** Of the node that is asked. */
    let adsUrl: string
    let ann: Person
    let ben: Person
    let cleo: Person
    let dan: Person

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      const nodes = [opened.plaza, ...(stage.shared ? [await opened.second()] : [])]
      clients = nodes.map((node) => new Client(node))
      adsUrl = nodes.at(-1)?.urls.ads ?? ''
      ann = await newPerson(opened.plaza)
      ben = await newPerson(opened.plaza)
      cleo = await newPerson(opened.plaza)
      dan = await newPerson(opened.plaza)
    })
    after(async () => {
      for (const client of clients) await client.close()
      await opened.close()
    })

    const iso = (timeMs: number) => `${new Date(timeMs).toISOString().slice(0, 19)}Z`
    const search = async (parameters: Record<string, string>): Promise<Data> => {
      const client = clients.at(-1) as Client
      const query = new URLSearchParams({ granularity: 'HOUR', ...parameters })
      const reply = await client.signed('GET', `${adsUrl}/12/insights/keywords/search?${query}`, ann.keys)
      assert.equal(reply.status, 200, reply.text)
      return (reply.json as { data: Data }).data
    }
    const now = () => opened.plaza.clock.now()
    /** How many posts of the last day there are. */
    const volume = async (keywords: string, more: Record<string, string> = {}) => {
      const { post_volume } = await search({ keywords, start_time: iso(now() - DAY_MS), ...more })
      return post_volume.reduce((sum, one) => sum + one, 0)
    }
    const count = (keywords: string, posts: number, more: Record<string, string> = {}) =>
      until(`${posts} posts with ${keywords}`, async () => (await volume(keywords, more)) === posts)
    /** Calls count what was posted before their second. */
    const publish = async (text: string, more: Partial<Parameters<typeof makePost>[1]> = {}) => {
      const post = await makePost(opened.plaza.context, { authorId: ann.id, text, ...more })
      opened.plaza.clock.advance(1_000)
      return post
    }

    test('a post counts once for all keywords that it has, and not at all for a negative one', async () => {
      await publish('Café and #Quokka, a "quokka"')
      await publish('CAFE au lait')
      await publish('Quokkas like quokka')
      await count('cafe', 2)
      await count('Café,quokka', 3)
      await count('#quokka', 1)
      await count('quokka', 1, { negative_keywords: 'cafe' })
      await count('cafe', 1, { negative_keywords: '#quokka,nothing' })
      await count('lait cafe', 1)
      await count('lait cafe,quokkas', 2)
      assert.equal(await volume('caf'), 0)
    })

    test('counts begin with the start, whatever the minute, and end with the end', async () => {
      const { clock } = opened.plaza
      clock.moveTo(Math.ceil(now() / HOUR_MS) * HOUR_MS + 1_800_000)
      const start = now()
      await publish('An alpaca')
      clock.moveTo(start + HOUR_MS - 1_000)
      await publish('Another alpaca')
      clock.moveTo(start + HOUR_MS)
      await publish('Alpacas and an alpaca')
      clock.moveTo(start + 3 * HOUR_MS)
      await publish('The last alpaca')
      await count('alpaca', 4)
      const at = (parameters: Record<string, string>) =>
        search({ keywords: 'alpaca', start_time: iso(start), ...parameters })
      assert.deepEqual((await at({})).post_volume, [2, 1, 0, 1])
      assert.deepEqual((await at({ end_time: iso(start + 3 * HOUR_MS) })).post_volume, [2, 1, 0])
      assert.deepEqual((await at({ end_time: iso(start + 3 * HOUR_MS + 1_000) })).post_volume, [2, 1, 0, 1])
      assert.deepEqual((await at({ granularity: 'DAY' })).post_volume, [4])
      const later = { start_time: iso(start + 1_000), end_time: iso(start + HOUR_MS) }
      assert.deepEqual((await at(later)).post_volume, [1])
    })

    test('without an end, counts end with the second of the call', async () => {
      const { clock } = opened.plaza
      clock.moveTo(Math.ceil(now() / 1_000) * 1_000 + 400)
      const at = async (ms: number) => {
        const { post_volume } = await search({ keywords: 'dromedary', start_time: iso(now() - ms) })
        return post_volume.length
      }
      assert.equal(await at(HOUR_MS), 1)
      assert.equal(await at(7 * DAY_MS), 168)
      const early = new URLSearchParams({
        granularity: 'HOUR',
        keywords: 'dromedary',
        start_time: iso(now()),
      })
      const path = `${adsUrl}/12/insights/keywords/search?${early}`
      const reply = await (clients.at(-1) as Client).signed('GET', path, ann.keys)
      assert.deepEqual((reply.json as { errors: unknown }).errors, [
        {
          code: 'INVALID_TIME_WINDOW',
          message: `Expected a time in the past, got "${String(early.get('start_time')).replace(/\.\d+Z$/, 'Z')}" for start_time`,
          parameter: 'start_time',
        },
      ])
    })

    test('a post counts in the country of its place, or of its author', async () => {
      const { store } = opened.plaza.context
      await publish('A capybara somewhere')
      await store.write((tx) => tx.run(live, { id: ben.id, location: 'Berlin, Germany' }))
      await publish('A capybara in Berlin', { authorId: ben.id })
      await publish('A capybara on the road', { authorId: ben.id, placeId: '3b77caf94bfc81fe' })
      await count('capybara', 2)
      await count('capybara', 1, { location: GERMANY })
      assert.equal(await volume('capybara', { location: '96683cc9126741d1' }), 2)
    })

    test('deleted, replaced and withheld posts do not count', async () => {
      const { store } = opened.plaza.context
      const first = await publish('A narwhal')
      const edited = await publish('A narwal')
      await publish('A narwhal of Ben', { authorId: ben.id, placeId: '3b77caf94bfc81fe' })
      await publish('A narwhal to buy', { nullcast: true })
      await publish('A narwhal for subscribers', { superFollowersOnly: true })
      await publish('A narwhal of a community', { communityId: '42' })
      await count('narwhal', 2)
      await store.write((tx) => tx.run(subscribe, { id: ann.id }))
      const edit = { text: 'A narwhal, at last', edit_options: { previous_post_id: edited.id } }
      const replaced = await clients[0]?.signed('POST', '/2/posts', ann.keys, { json: edit })
      assert.equal(replaced?.status, 201, replaced?.text)
      opened.plaza.clock.advance(1_000)
      await count('narwal', 0)
      await count('narwhal', 3)
      const gone = await clients[0]?.signed('DELETE', `/2/posts/${first.id}`, ann.keys)
      assert.equal(gone?.status, 200)
      await count('narwhal', 2)
      await store.write((tx) => setSuspended(tx, { kind: 'user', id: ben.id, suspended: true }))
      await count('narwhal', 1)
      await store.write((tx) => setSuspended(tx, { kind: 'user', id: ben.id, suspended: false }))
      await count('narwhal', 2)
    })

    test('related keywords occur more often with the keywords than elsewhere', async () => {
      for (const [n, { id: authorId }] of [ann, cleo, dan].entries()) {
        await publish(`The wombat digs a burrow, number ${n} #Marsupial`, { authorId })
        await publish(`The weather is fine, number ${n}`, { authorId })
      }
      await publish('Wombats: the wombat and its pouch')
      await publish('The pouch of the wombat', { authorId: dan.id })
      await publish('The wombat and the weather')
      await count('wombat', 6)
      const { related_keywords } = await search({ keywords: 'wombat', start_time: iso(now() - HOUR_MS) })
      assert.deepEqual(related_keywords.slice(0, 4), ['#marsupial', 'burrow', 'digs', 'marsupial'])
      assert.ok(!related_keywords.includes('wombat'))
      assert.ok(!related_keywords.includes('pouch'), 'two users are not enough')
      assert.deepEqual(await search({ keywords: 'wombat', start_time: iso(now() - HOUR_MS) }), {
        post_volume: [6],
        related_keywords,
      })
      assert.deepEqual(await search({ keywords: 'nobody', start_time: iso(now() - HOUR_MS) }), {
        post_volume: [0],
        related_keywords: [],
      })
    })

    test('an index that is built again gives the same replies', async () => {
      const { store } = opened.plaza.context
      const window = { start_time: iso(now() - DAY_MS), end_time: iso(now()) }
      const asked = { keywords: 'alpaca,narwhal,wombat', ...window }
      const before = await search(asked)
      await publish('An ocelot')
      await count('ocelot', 1)
      await store.write((tx) => emit(tx, searchRebuildRequested, { index: 'posts' }))
      await publish('A second ocelot')
      await count('ocelot', 2)
      assert.deepEqual(await search(asked), before)
    })

    test('posts count however old they are', async () => {
      const day = { start_time: iso(now() - HOUR_MS), end_time: iso(now()) }
      const before = await search({ keywords: 'wombat', ...day })
      assert.deepEqual(before.post_volume, [6])
      opened.plaza.clock.advance(400 * DAY_MS)
      await publish('A tapir')
      await count('tapir', 1)
      assert.deepEqual(await search({ keywords: 'wombat', ...day }), before)
    })
  })
}
