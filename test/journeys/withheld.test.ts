import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { countryLocationId } from '../../src/domain/reference-data/locations.ts'
import { Admin } from '../support/admin.ts'
import { Client, demoKeys, type Keys } from '../support/client.ts'
import { importLines } from '../support/posts.ts'
import { seededApp } from '../support/seeded-app.ts'
import { type Opened, stages } from '../support/stages.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { until } from '../support/until.ts'

// Posts and users that the operator withholds, drops, or whose places are removed: what the APIs
// show of them, and what compliance streams tell.

type Data = Record<string, unknown>

const PLACE = countryLocationId('DE')

for (const stage of stages) {
  describe(`withheld posts and users on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let admin: Admin
    let keys: Keys
    let bearer: string
    let ids: Record<string, string>
    const readers: StreamReader[] = []

    before(async () => {
      opened = await stage.open(
        {
          rateLimits: 'off',
          seed: {
            users: [
              { screen_name: 'ann', name: 'Ann' },
              { screen_name: 'bob', name: 'Bob', withheld_in: ['FR'] },
            ],
            apps: [seededApp('ann', { enterprise: true })],
            posts: [
              {
                ...{ author: 'bob', text: 'Seeded', created_at: '-2h', lang: 'en' },
                withheld: { country_codes: ['DE'], copyright: true },
              },
              { author: 'bob', text: 'Dropped at first', created_at: '-1h', lang: 'en', dropped: true },
            ],
          },
        },
        { usesOwnClock: true, backgroundTasks: true },
      )
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
      keys = demoKeys(opened.plaza)
      bearer = await client.bearer(keys)
      ids = Object.fromEntries(
        (await admin.all<Data>('/users')).map(({ screen_name, id }) => [screen_name, String(id)]),
      )
      postLines = await linesOf('/2/posts/compliance/stream')
      userLines = await linesOf('/2/users/compliance/stream')
      labels = await linesOf('/2/posts/label/stream', [''])
    })
    after(async () => {
      for (const reader of readers) reader.close()
      await client?.close()
      await opened?.close()
    })

    const FIELDS = 'post.fields=withheld,geo&user.fields=withheld'
    const get = async (path: string, as: Keys | 'app' = keys) => {
      const reply =
        as === 'app'
          ? await client.send('GET', path, { headers: { authorization: `Bearer ${bearer}` } })
          : await client.signed('GET', path, as)
      assert.equal(reply.status, 200, reply.text)
      return reply.json as { data?: Data; errors?: Data[] }
    }
    const post = async (id: unknown) => (await get(`/2/posts/${id}?${FIELDS}`)).data as Data
    const write = (author: string, text: string, more: object = {}) =>
      admin.call('POST', '/posts', { author, text, ...more })
    /** Resolves to the new lines of all partitions of a stream, once there are as many. */
    const linesOf = async (
      path: string,
      queries = ['?partition=1', '?partition=2', '?partition=3', '?partition=4'],
    ) => {
      const all = await Promise.all(
        queries.map((query) => StreamReader.open(opened.plaza, bearer, query, path)),
      )
      readers.push(...all)
      for (const { status } of all) assert.equal(status, 200)
      const seen = new Set<unknown>()
      return async (count: number) => {
        const found = await until(`${count} lines of ${path}`, () => {
          const lines = all.flatMap(({ items }) => items.map(({ data }) => data as unknown as Data))
          const unseen = lines.filter((line) => !seen.has(line))
          return unseen.length >= count && unseen
        })
        for (const line of found) seen.add(line)
        return found
      }
    }
    type NewLines = Awaited<ReturnType<typeof linesOf>>
    let postLines: NewLines
    let userLines: NewLines
    let labels: NewLines
    const kindsOf = (found: Data[]) => found.map((line) => Object.keys(line)[0]).toSorted()

    test('posts and users show where they are withheld, and nothing is hidden for it', async () => {
      const posts = await admin.all<Data>('/users/bob/posts')
      const seeded = posts.find(({ text }) => text === 'Seeded')
      assert.deepEqual((await post(seeded?.id)).withheld, {
        ...{ copyright: true, country_codes: ['DE'], scope: 'post' },
      })
      const other = await write('bob', 'By a withheld user')
      assert.deepEqual((await post(other.id)).withheld, {
        ...{ copyright: false, country_codes: ['FR'], scope: 'user' },
      })
      const found = await get(`/2/users/${ids.bob}?${FIELDS}`)
      assert.deepEqual(found.data?.withheld, { country_codes: ['FR'], scope: 'user' })

      const own = await write('ann', 'Withhold me')
      const quote = await write('bob', 'See', { quote_post_id: own.id })
      const withheld = { country_codes: ['IN', 'US'], copyright: false }
      assert.deepEqual((await admin.call('PUT', `/posts/${own.id}`, { withheld })).withheld_in, ['IN', 'US'])
      await admin.call('PUT', `/posts/${own.id}`, { withheld })
      assert.deepEqual((await post(own.id)).withheld, { ...withheld, scope: 'post' })
      const told = await postLines(2)
      const about = { post: { id: own.id, author_id: ids.ann }, withheld_in_countries: ['IN', 'US'] }
      assert.deepEqual(
        told.map(({ withheld: line }) => ({ ...(line as Data), event_at: undefined })),
        [
          { ...about, event_at: undefined },
          { ...about, quote_post_id: quote.id, event_at: undefined },
        ],
      )
      await admin.call('PUT', `/posts/${own.id}`, { withheld: null })
      assert.equal((await post(own.id)).withheld, undefined)

      assert.deepEqual((await admin.call('PUT', '/users/ann', { withheld_in: ['BR'] })).withheld_in, ['BR'])
      assert.deepEqual((await post(own.id)).withheld, {
        ...{ copyright: false, country_codes: ['BR'], scope: 'user' },
      })
      await admin.call('PUT', '/users/ann', { withheld_in: ['BR'] })
      await admin.call('PUT', '/users/ann', { withheld_in: [] })
      assert.equal((await post(own.id)).withheld, undefined)
      const [line] = (await userLines(1)) as { user_withheld: Data }[]
      assert.deepEqual(
        { ...line?.user_withheld, event_at: undefined },
        {
          ...{ user: { id: ids.ann }, withheld_in_countries: ['BR'], event_at: undefined },
        },
      )
      for (const body of [{ withheld: { country_codes: [] } }, { withheld: { country_codes: ['de'] } }]) {
        const [status, says] = await admin.wrong('PUT', `/posts/${own.id}`, body)
        assert.deepEqual([status, says.includes('country_codes')], [400, true], says)
      }
      assert.equal((await admin.wrong('PUT', '/posts/17', { dropped: true }))[0], 404)
    })

    test('a dropped post is seen by its author alone, everywhere, until it is brought back', async () => {
      const own = await write('ann', 'Droppable quokka', { created_at: '-1h' })
      const { repost_id } = await admin.call('PUT', `/users/bob/posts/${own.id}/reposts`)
      const search = async () =>
        ((await get('/2/posts/search/recent?query=quokka', 'app')).data as unknown as Data[] | undefined)
          ?.length ?? 0
      await until('a search finds it', async () => (await search()) > 0)
      assert.equal((await admin.call('PUT', `/posts/${own.id}`, { dropped: true })).dropped, true)
      assert.equal((await get(`/2/posts/${own.id}`, 'app')).data, undefined)
      assert.equal((await get(`/2/posts/${repost_id}`, 'app')).data, undefined)
      assert.equal((await get(`/2/posts/${own.id}`)).data?.id, own.id, 'its author sees it')
      const timeline = (await get(`/2/users/${ids.ann}/posts`, 'app')).data as unknown as Data[] | undefined
      assert.ok(!timeline?.some(({ id }) => id === own.id))
      await until('no search finds it', async () => (await search()) === 0)
      await admin.call('PUT', `/posts/${own.id}`, { dropped: false })
      assert.equal((await get(`/2/posts/${repost_id}`, 'app')).data?.id, repost_id)
      await until('a search finds it again', async () => (await search()) > 0)
      assert.deepEqual(kindsOf(await postLines(2)), ['drop', 'undrop'])
      const shown = (await labels(2)).map(({ public_post_unviewable: label }) => (label as Data).application)
      assert.deepEqual(shown, ['apply', 'remove'])
      const dropped = (await admin.all<Data>('/users/bob/posts')).find(
        ({ text }) => text === 'Dropped at first',
      )
      assert.equal((await get(`/2/posts/${dropped?.id}`, 'app')).data, undefined)
    })

    test('places are removed from the posts of a user up to one of them', async () => {
      const first = await write('ann', 'In a place', { place_id: PLACE })
      const second = await write('ann', 'There again', { place_id: PLACE })
      assert.deepEqual((await post(first.id)).geo, { place_id: PLACE })
      assert.deepEqual(await admin.call('POST', '/users/ann/remove_places', { up_to_post_id: first.id }), {
        posts: 1,
      })
      assert.deepEqual(
        [(await post(first.id)).geo, (await post(second.id)).geo],
        [undefined, { place_id: PLACE }],
      )
      const [line] = (await userLines(1)) as { scrub_geo: Data }[]
      assert.deepEqual(
        { ...line?.scrub_geo, event_at: undefined },
        {
          ...{ user: { id: ids.ann }, up_to_post_id: first.id, event_at: undefined },
        },
      )
      assert.deepEqual(await admin.call('POST', '/users/ann/remove_places', {}), { posts: 1 })
      assert.equal((await post(second.id)).geo, undefined)
    })

    test('imports and exports keep where posts and users are withheld', async () => {
      const line = { username: 'bob', created_at: '2026-01-01T00:00:00Z' }
      const withheld = { copyright: false, country_codes: ['TR'], scope: 'post' }
      const reasons = await importLines(opened.plaza.context, [
        { ...line, text: 'Imported', withheld },
        { ...line, text: 'Wrong', withheld: { country_codes: ['Turkey'] } },
      ])
      assert.deepEqual([reasons.length, /withheld/.test(reasons[0] ?? '')], [1, true])
      const seed = await admin.call<{ posts: Data[]; users: Data[] }>('GET', '/seed')
      const exported = (text: string) => seed.posts.find((one) => one.text === text)
      assert.deepEqual(exported('Imported')?.withheld, withheld)
      assert.deepEqual(exported('Seeded')?.withheld, { country_codes: ['DE'], copyright: true })
      assert.equal(exported('Dropped at first')?.dropped, true)
      assert.deepEqual(seed.users.find(({ screen_name }) => screen_name === 'bob')?.withheld_in, ['FR'])
    })
  })
}
