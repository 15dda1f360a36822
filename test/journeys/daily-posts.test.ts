import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { grantAccess } from '../../src/api/ads/accounts/open.ts'
import type { Role } from '../../src/api/ads/scope.ts'
import { Desk, dataOf, errorOf, newPerson, type Person } from '../support/ads-desk.ts'
import { Client, type Reply } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'

const HOUR_MS = 3_600_000

/** The limit of an author's day, what is left of it, and when it ends, in seconds. */
const dayOf = ({ headers }: Reply) =>
  ['limit', 'remaining', 'reset'].map((part) => headers[`x-user-limit-24hour-${part}`])

for (const stage of stages) {
  describe(`posts in a day on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk
    let texts = 0

    before(async () => {
      opened = await stage.open({ rateLimits: { createPost: { 'user-24hour': '2/24h' } } })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })
    /** Every test has an author of its own. */
    beforeEach(async () => {
      ann = await Desk.open(opened.plaza, client)
    })

    const now = () => opened.plaza.clock.now()
    const text = () => `Text number ${++texts}`
    /** A post by the advertising API in the name of the author. */
    const advertise = (by: Person = ann.person) =>
      ann.post('/post', { as_user_id: ann.person.id, text: text() }, by.keys)
    /** A post by the core API. */
    const say = (by: Person, json: object = { text: text() }) =>
      client.signed('POST', `${opened.plaza.urls.core}/2/posts`, by.keys, { json })
    const employ = async (roles: readonly Role[]) => {
      const person = await newPerson(opened.plaza)
      const at = { accountId: ann.accountId, userId: person.id, roles, now: now() }
      await opened.plaza.context.store.write((tx) => grantAccess(tx, at))
      return person
    }
    const schedule = async (inMs: number) => {
      const scheduled_at = new Date(now() + inMs).toISOString()
      const reply = await ann.post('/scheduled_posts', { text: text(), scheduled_at })
      assert.equal(reply.status, 201, reply.text)
      return dataOf(reply).id
    }
    const publish = () => opened.plaza.tasks.runDue('publish scheduled post')
    const statusOf = async (id: string) => {
      const { scheduled_status, post_id } = dataOf(await ann.get(`/scheduled_posts/${id}`))
      return [scheduled_status, post_id !== null]
    }

    test("count for their author, no matter who writes in the author's name", async () => {
      const composer = await employ(['CREATIVE_MANAGER', 'POST_COMPOSER'])
      const reset = String(Math.floor(now() / 1000) + 86_400)
      const first = await advertise(composer)
      assert.equal(first.status, 201, first.text)
      assert.deepEqual(dayOf(first), ['2', '1', reset])
      assert.deepEqual(dayOf(await advertise()), ['2', '0', reset])
      for (const by of [composer, ann.person]) {
        const rejected = await advertise(by)
        assert.deepEqual(errorOf(rejected), [429, 'POST_RATE_LIMIT_EXCEEDED undefined'])
        assert.deepEqual(dayOf(rejected), ['2', '0', reset])
      }
      // The composer has said nothing yet.
      const own = await say(composer)
      assert.equal(own.status, 201, own.text)
      assert.deepEqual(dayOf(own), ['2', '1', reset])
    })

    test('count together in both APIs', async () => {
      assert.deepEqual([(await say(ann.person)).status, (await advertise()).status], [201, 201])
      const rejected = await say(ann.person)
      assert.equal(rejected.status, 429, rejected.text)
      assert.deepEqual(rejected.json, {
        title: 'Too Many Requests',
        type: 'about:blank',
        status: 429,
        detail: 'Too Many Requests',
      })
      assert.deepEqual(dayOf(rejected).slice(0, 2), ['2', '0'])
      opened.plaza.clock.advance(24 * HOUR_MS)
      assert.deepEqual(dayOf(await say(ann.person)).slice(0, 2), ['2', '1'])
    })

    test('that are not published count for no one', async () => {
      const manager = await employ(['AD_MANAGER'])
      assert.deepEqual(errorOf(await advertise(manager)), [403, 'ACTION_NOT_ALLOWED as_user_id'])
      assert.equal((await say(ann.person, { text: '' })).status, 400)
      const said = { text: text() }
      assert.deepEqual(dayOf(await say(ann.person, said)).slice(0, 2), ['2', '1'])
      assert.equal((await say(ann.person, said)).status, 403)
      const again = await ann.post('/post', { as_user_id: ann.person.id, ...said })
      assert.deepEqual(errorOf(again), [400, 'DUPLICATE_POST text'])
      assert.deepEqual(dayOf(await say(ann.person)).slice(0, 2), ['2', '0'])
    })

    test('count at their time when they were scheduled, and fail beyond the limit', async () => {
      const [first, second, third] = [
        await schedule(HOUR_MS),
        await schedule(2 * HOUR_MS),
        await schedule(3 * HOUR_MS),
      ]
      const tomorrow = await schedule(26 * HOUR_MS)
      // Scheduling is no publication.
      assert.deepEqual(dayOf(await say(ann.person)).slice(0, 2), ['2', '1'])
      opened.plaza.clock.advance(3 * HOUR_MS)
      await publish()
      const states = []
      for (const id of [first, second, third]) states.push(await statusOf(id))
      assert.deepEqual(states, [
        ['SUCCESS', true],
        ['FAILED', false],
        ['FAILED', false],
      ])
      assert.equal((await say(ann.person)).status, 429)
      opened.plaza.clock.advance(23 * HOUR_MS)
      await publish()
      assert.deepEqual(await statusOf(tomorrow), ['SUCCESS', true])
    })
  })
}

for (const stage of stages.slice(0, 1)) {
  test(`posts of an app in a day are those of all authors, on ${stage.name}`, async () => {
    const opened = await stage.open({ rateLimits: { createPost: { 'app-24hour': '1/24h' } } })
    const client = new Client(opened.plaza)
    try {
      const desk = await Desk.open(opened.plaza, client)
      const bob = await newPerson(opened.plaza)
      const post = { as_user_id: desk.person.id, text: 'Hello' }
      assert.equal((await desk.post('/post', post)).status, 201)
      const path = `${opened.plaza.urls.core}/2/posts`
      const rejected = await client.signed('POST', path, bob.keys, { json: { text: 'Hello' } })
      assert.equal(rejected.status, 429, rejected.text)
      assert.deepEqual(
        [rejected.headers['x-app-limit-24hour-limit'], rejected.headers['x-app-limit-24hour-remaining']],
        ['1', '0'],
      )
    } finally {
      await client.close()
      await opened.close()
    }
  })
}
