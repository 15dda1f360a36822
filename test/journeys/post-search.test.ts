import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import { postPublished } from '../../src/domain/posts/events.ts'
import type { PostRow } from '../../src/domain/posts/tables.ts'
import { locations, locationsReady } from '../../src/domain/reference-data/locations.ts'
import { searchRebuildRequested } from '../../src/domain/search/events.ts'
import { tooManyToCount } from '../../src/domain/search/index/search-index.ts'
import { setSuspended } from '../../src/identity/apps/suspension.ts'
import { idAt } from '../../src/platform/common/ids.ts'
import { emit } from '../../src/platform/events/log.ts'
import { Client, demoKeys } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

const remove = query<{ id: string }>('removeFoundPost', (db, at) =>
  db.updateTable('posts').set({ deleted: 1, visibility: 4 }).where('id', '=', at.id),
)
const like = query<{ id: string; likes: number }>('likeFoundPost', (db, at) =>
  db.updateTable('posts').set({ like_count: at.likes }).where('id', '=', at.id),
)

/** With it, posts of this moment are found too. */
const LAST_ID = '9223372036854775807'
const DAY_MS = 86_400_000

interface Body {
  data?: { id: string; text: string; start: string; end: string; post_count: number }[]
  meta: {
    result_count: number
    newest_id?: string
    oldest_id?: string
    next_token?: string
    total_post_count?: number
  }
  includes?: { users: { id: string }[] }
}

for (const stage of stages) {
  describe(`searches of posts on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let headers: { authorization: string }
    let author: { id: string }
    let other: { id: string }

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
      headers = { authorization: `Bearer ${await client.bearer(demoKeys(opened.plaza))}` }
      const [first, second] = opened.plaza.seeded?.users ?? []
      assert.ok(first && second)
      author = first
      other = second
    })
    after(async () => {
      await client.close()
      await opened.close()
    })

    const ask = async (path: string, parameters: Record<string, string>): Promise<Body> => {
      const sent = await client.send('GET', `/2/posts/${path}?${new URLSearchParams(parameters)}`, {
        headers,
      })
      assert.equal(sent.status, 200, sent.text)
      return sent.json as Body
    }
    const search = (words: string, more: Record<string, string> = { until_id: LAST_ID }, reach = 'recent') =>
      ask(`search/${reach}`, { query: words, ...more })
    const idsOf = ({ data = [] }: Body) => data.map(({ id }) => id)
    const publish = (text: string, more: Partial<Parameters<typeof makePost>[1]> = {}) =>
      makePost(opened.plaza.context, { authorId: author.id, text, ...more })
    const found = (words: string, ...ids: string[]) =>
      until(`${words} finds ${ids.length} posts`, async () => {
        const body = await search(words, { until_id: LAST_ID, max_results: '100' })
        return idsOf(body).join() === ids.join() && body
      })
    /** Tells that a post is another now, as every change of a post does. */
    const changed = async ({ id: post_id, author_id, environment }: PostRow, change: typeof remove) => {
      await opened.plaza.context.store.write(async (tx) => {
        await tx.run(change, { id: post_id })
        await emit(tx, postPublished, { post_id, author_id, environment, nullcast: false })
      })
    }

    test('a post is found by its words, its author and its tags, whatever their case and accents', async () => {
      const post = await publish('Crème brûlée, the #Dessert of @demo in https://example.com/menu')
      await found('creme', post.id)
      for (const words of [
        'CRÈME brulee',
        '"creme brulee"',
        `from:${author.id} creme`,
        '#dessert',
        'url:"example.com/menu"',
        '(creme OR tiramisu) has:links has:hashtags -is:reply',
      ])
        assert.deepEqual(idsOf(await search(words)), [post.id], words)
      assert.deepEqual(idsOf(await search('creme', { until_id: LAST_ID }, 'all')), [post.id])
      for (const words of [
        '"brulee creme"',
        'creme -dessert -#dessert',
        'creme is:reply',
        `from:${other.id} creme`,
      ])
        assert.deepEqual(await search(words), { meta: { result_count: 0 } }, words)
    })

    test('a post that begins with the name of a user is addressed to that user', async () => {
      const [, to] = opened.plaza.seeded?.users ?? []
      const name = to?.screenName ?? ''
      const others = [
        await publish(`To @${name}: a zinnia`),
        await publish(`.@${name} a zinnia`),
        await publish('@nobody_of_them a zinnia'),
      ]
      const post = await publish(`@${name.toUpperCase()} a zinnia`)
      await found('zinnia', post.id, ...others.map(({ id }) => id).reverse())
      for (const words of [`zinnia to:${name}`, `zinnia to:${other.id}`])
        assert.deepEqual(idsOf(await search(words)), [post.id], words)
      assert.deepEqual(await search('zinnia is:reply'), { meta: { result_count: 0 } })
      const { json } = await client.send(
        'GET',
        `/2/posts/${post.id}?post.fields=edit_controls,in_reply_to_user_id,referenced_posts&expansions=in_reply_to_user_id`,
        { headers },
      )
      const { data, includes } = json as { data: Record<string, unknown>; includes: Body['includes'] }
      assert.deepEqual(
        [data.in_reply_to_user_id, data.referenced_posts, includes?.users.map(({ id }) => id)],
        [other.id, undefined, [other.id]],
      )
      assert.equal((data.edit_controls as { is_edit_eligible: boolean }).is_edit_eligible, true)
    })

    test('without an end, posts of the last 30 seconds are left out', async () => {
      const post = await publish('An azalea')
      await found('azalea', post.id)
      assert.deepEqual(await search('azalea', {}), { meta: { result_count: 0 } })
      opened.plaza.clock.advance(31_000)
      assert.deepEqual(await search('azalea', {}), {
        data: [{ id: post.id, text: 'An azalea', edit_history_post_ids: [post.id] }],
        meta: { newest_id: post.id, oldest_id: post.id, result_count: 1 },
      })
    })

    test('a window has its start and not its end, and neither of its ids', async () => {
      const { clock } = opened.plaza
      clock.moveTo(Math.ceil(clock.now() / 1000) * 1000)
      const at = new Date(clock.now()).toISOString()
      const next = new Date(clock.now() + 1000).toISOString()
      const first = await publish('A narcissus')
      clock.advance(999)
      const last = await publish('One more narcissus')
      clock.advance(1)
      const later = await publish('A later narcissus')
      await found('narcissus', later.id, last.id, first.id)
      clock.advance(40_000)
      for (const reach of ['recent', 'all']) {
        const ids = async (bounds: Record<string, string>) =>
          idsOf(await search('narcissus', bounds, reach)).join()
        assert.equal(await ids({ start_time: at, end_time: next }), `${last.id},${first.id}`)
        assert.equal(await ids({ start_time: next }), later.id)
        assert.equal(await ids({ since_id: first.id, until_id: later.id }), last.id)
        assert.equal(await ids({ since_id: first.id, end_time: next }), last.id)
        assert.equal(await ids({ start_time: at, until_id: last.id }), first.id)
        assert.equal(await ids({ since_id: later.id, until_id: first.id }), '')
      }
      clock.advance(31 * DAY_MS)
      assert.deepEqual(idsOf(await search('narcissus', {}, 'all')), [])
      // Thirty days before the end.
      const end_time = new Date(Date.parse(next) + 30 * DAY_MS).toISOString()
      assert.deepEqual(idsOf(await search('narcissus', { end_time }, 'all')), [later.id])
    })

    test('expansions add what posts refer to', async () => {
      const post = await publish('A begonia')
      await found('begonia', post.id)
      const { includes } = await search('begonia', { until_id: LAST_ID, expansions: 'author_id' })
      assert.deepEqual(
        includes?.users.map(({ id }) => id),
        [author.id],
      )
    })

    test('pages follow each other, and the same token is the same page, whatever is published meanwhile', async () => {
      const posts: PostRow[] = []
      for (let n = 0; n < 25; n++) posts.unshift(await publish(`Camellia ${n}`))
      const ids = posts.map(({ id }) => id)
      await found('camellia', ...ids)
      const first = await search('camellia')
      assert.deepEqual(idsOf(first), ids.slice(0, 10))
      assert.equal(first.meta.newest_id, ids[0])
      assert.equal(first.meta.oldest_id, ids[9])
      const next = { until_id: LAST_ID, next_token: String(first.meta.next_token) }
      assert.match(next.next_token, /^[0-9a-z]+$/)
      const second = await search('camellia', next)
      assert.deepEqual(idsOf(second), ids.slice(10, 20))
      const late = await publish('Camellia, late')
      await found('camellia', late.id, ...ids)
      assert.deepEqual(await search('camellia', next), second)
      const third = await search('camellia', {
        until_id: LAST_ID,
        pagination_token: String(second.meta.next_token),
      })
      assert.deepEqual(idsOf(third), ids.slice(20))
      assert.equal(third.meta.next_token, undefined)
    })

    test('a token may come with other bounds: `since_id` starts a new search, and the others narrow its page', async () => {
      const posts: PostRow[] = []
      for (let n = 0; n < 25; n++) posts.unshift(await publish(`Gladiolus ${n}`))
      const ids = posts.map(({ id }) => id)
      await found('gladiolus', ...ids)
      const start_time = new Date(opened.plaza.clock.now() - DAY_MS).toISOString()
      const first = await search('gladiolus', { until_id: LAST_ID, start_time })
      const next_token = String(first.meta.next_token)
      const next = (more: Record<string, string>) => search('gladiolus', { next_token, ...more })
      const second = await next({ until_id: LAST_ID, start_time })
      assert.deepEqual(idsOf(second), ids.slice(10, 20))
      assert.deepEqual(await next({}), second)
      const moved = new Date(opened.plaza.clock.now() - DAY_MS + 60_000).toISOString()
      assert.deepEqual(idsOf(await next({ start_time: moved })), ids.slice(10, 20))
      // The page before the second one, as clients ask for it.
      const newest_id = String(second.meta.newest_id)
      const previous = await next({ until_id: LAST_ID, start_time, since_id: newest_id })
      assert.deepEqual(previous.data, first.data)
      const rest = await next({ until_id: String(second.meta.oldest_id) })
      assert.deepEqual(idsOf(rest), ids.slice(20))
      const later = await next({ until_id: LAST_ID, since_id: ids[0] as string })
      assert.deepEqual(later, { meta: { result_count: 0 } })
      const ranked = await search('gladiolus', { until_id: LAST_ID, sort_order: 'relevancy' })
      const narrow = await search('gladiolus', {
        sort_order: 'relevancy',
        next_token: String(ranked.meta.next_token),
        until_id: ids[12] as string,
      })
      assert.deepEqual(idsOf(narrow), ids.slice(13, 23))
    })

    const refused = async (path: string, parameters: Record<string, string>) => {
      const { status, json, text } = await client.send(
        'GET',
        `/2/posts/${path}?${new URLSearchParams(parameters)}`,
        { headers },
      )
      assert.equal(status, 400, text)
      return (json as { errors: { message: string }[] }).errors[0]?.message
    }

    test('a token continues a call that names what is the default, and one that does not', async () => {
      const posts: PostRow[] = []
      for (let n = 0; n < 11; n++) posts.unshift(await publish(`Iris ${n}`))
      await found('iris', ...posts.map(({ id }) => id))
      const silent = { until_id: LAST_ID }
      const named = { until_id: LAST_ID, sort_order: 'recency' }
      for (const [first, second] of [
        [silent, named],
        [named, silent],
      ] as const) {
        const { meta } = await search('iris', first)
        const page = await search('iris', { ...second, next_token: String(meta.next_token) })
        assert.deepEqual(idsOf(page), [posts[10]?.id])
      }
      const start_time = new Date(opened.plaza.clock.now() - 40 * DAY_MS).toISOString()
      const { meta } = await ask('counts/all', { query: 'iris', start_time })
      const next_token = String(meta.next_token)
      const page = await ask('counts/all', { query: 'iris', next_token, granularity: 'hour' })
      assert.equal(page.meta.total_post_count, 0)
      assert.equal(
        await refused('counts/all', { query: 'iris', next_token, granularity: 'day' }),
        `The \`next_token\` query parameter value [${next_token}] is not valid`,
      )
    })

    test('bounds that come with a token are checked like those of the first page, except how old they are', async () => {
      const posts: PostRow[] = []
      for (let n = 0; n < 11; n++) posts.unshift(await publish(`Jasmine ${n}`))
      await found('jasmine', ...posts.map(({ id }) => id))
      const { meta } = await search('jasmine')
      const next = { query: 'jasmine', next_token: String(meta.next_token) }
      assert.equal(
        await refused('search/recent', { ...next, end_time: '2026-02-27T00:00:00Z', until_id: LAST_ID }),
        `Invalid 'until_id':'${LAST_ID}'. 'until_id' can not be used with 'end_time'.`,
      )
      assert.equal(
        await refused('search/recent', { ...next, end_time: '2999-01-01T00:00:00Z' }),
        "Invalid 'end_time':'2999-01-01T00:00Z'. 'end_time' must be a minimum of 10 seconds prior to the request time.",
      )
      const old = await search('jasmine', { ...next, until_id: LAST_ID, start_time: '2020-01-01T00:00:00Z' })
      assert.deepEqual(idsOf(old), [posts[10]?.id])
    })

    test('a token that was not made here, or for another search, is rejected', async () => {
      const posts: PostRow[] = []
      for (let n = 0; n < 11; n++) posts.unshift(await publish(`Kalmia ${n}`))
      await found('kalmia', ...posts.map(({ id }) => id))
      const wrong = async (next_token: string, parameters: Record<string, string> = {}) =>
        assert.equal(
          await refused('search/recent', { query: 'kalmia', ...parameters, next_token }),
          `The \`next_token\` query parameter value [${next_token}] is not valid`,
        )
      const digits = (value: bigint) => value.toString(36).padStart(13, '0')
      const digest = (...said: unknown[]) =>
        digits(createHash('sha256').update(JSON.stringify(said)).digest().readBigUInt64BE())
      const ever = digits(0n) + digits(BigInt(LAST_ID))
      for (const said of [
        [ever, 'kalmia', null, null],
        [ever, 'search/recent', 'kalmia', 'recency'],
      ])
        await wrong(ever + digest(...said))
      const mine = String((await search('kalmia')).meta.next_token)
      assert.ok(mine.length <= 72, mine)
      await wrong(`${mine}0`)
      await wrong(mine.toUpperCase())
      await wrong(mine, { query: 'camellia' })
      await wrong(mine, { sort_order: 'relevancy' })
      const ofAll = await search('kalmia', { until_id: LAST_ID, start_time: '2006-03-21T00:00:00Z' }, 'all')
      await wrong(String(ofAll.meta.next_token))
    })

    test('the order of relevance puts posts with reactions first, and its pages hold each post once', async () => {
      const posts: PostRow[] = []
      for (let n = 0; n < 12; n++) posts.unshift(await publish(`Dahlia ${n}`))
      const best = posts[7]
      assert.ok(best)
      const { id: post_id, author_id, environment } = best
      await opened.plaza.context.store.write(async (tx) => {
        await tx.run(like, { id: post_id, likes: 50 })
        await emit(tx, postPublished, { post_id, author_id, environment, nullcast: false })
      })
      await found('dahlia min_likes:50', best.id)
      const first = await search('dahlia', { until_id: LAST_ID, sort_order: 'relevancy' })
      assert.equal(idsOf(first)[0], best.id)
      const second = await search('dahlia', {
        until_id: LAST_ID,
        sort_order: 'relevancy',
        next_token: String(first.meta.next_token),
      })
      assert.deepEqual([...idsOf(first), ...idsOf(second)].sort(), posts.map(({ id }) => id).sort())
    })

    test('deleted posts, posts of suspended authors and posts of the sandbox are not found', async () => {
      const kept = await publish('Edelweiss one')
      const deleted = await publish('Edelweiss two')
      const theirs = await publish('Edelweiss three', { authorId: other.id })
      await publish('Edelweiss four', { environment: 'sandbox' })
      await found('edelweiss', theirs.id, deleted.id, kept.id)
      await changed(deleted, remove)
      await found('edelweiss', theirs.id, kept.id)
      const { store } = opened.plaza.context
      await store.write((tx) => setSuspended(tx, { kind: 'user', id: other.id, suspended: true }))
      await found('edelweiss', kept.id)
      await store.write((tx) => setSuspended(tx, { kind: 'user', id: other.id, suspended: false }))
      await found('edelweiss', theirs.id, kept.id)
    })

    test('an index that lost everything is built again when it is asked for', async () => {
      const post = await publish('A foxglove')
      await found('foxglove', post.id)
      const { store, searchIndex } = opened.plaza.context
      await searchIndex.apply([{ kind: 'remove', id: post.id }])
      assert.deepEqual(idsOf(await search('foxglove')), [])
      await store.write((tx) => emit(tx, searchRebuildRequested, { index: 'posts' }))
      await found('foxglove', post.id)
    })

    test('counts have a span for each hour, cut at both ends, with zeros', async () => {
      const start = opened.plaza.clock.now()
      const one = await publish('Gentian')
      opened.plaza.clock.advance(3 * 3_600_000)
      const two = await publish('Gentian again')
      opened.plaza.clock.advance(60_000)
      await found('gentian', two.id, one.id)
      const startText = new Date(start).toISOString()
      const end = new Date(opened.plaza.clock.now() - 30_000).toISOString()
      const { data = [], meta } = await ask('counts/recent', { query: 'gentian', start_time: startText })
      assert.equal(data[0]?.start, `${startText.slice(0, 19)}.000Z`)
      assert.equal(data.at(-1)?.end, `${end.slice(0, 19)}.000Z`)
      assert.deepEqual(
        data.map(({ post_count }) => post_count),
        [1, 0, 0, 1],
      )
      assert.deepEqual(meta, { total_post_count: 2 })
      const days = await ask('counts/all', { query: 'gentian', granularity: 'day' })
      assert.equal(days.meta.total_post_count, 2)
      assert.equal(days.data?.length, 31)
    })

    test('counts begin and end with whole seconds, whenever they are asked for', async () => {
      const { clock } = opened.plaza
      clock.advance(1_437 - (clock.now() % 1_000))
      const post = await publish('Hawthorn')
      clock.advance(60_000)
      await found('hawthorn', post.id)
      for (const [reach, more] of [
        ['recent', {}],
        ['all', {}],
        ['recent', { since_id: String(BigInt(post.id) - 1n) }],
        ['all', { until_id: String(BigInt(post.id) + 1n) }],
      ] as const) {
        const { data = [], meta } = await ask(`counts/${reach}`, { query: 'hawthorn', ...more })
        assert.equal(meta.total_post_count, 1, `${reach} ${JSON.stringify(more)}`)
        for (const one of [data[0]?.start, data.at(-1)?.end])
          assert.match(String(one), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)
        for (const { start } of data.slice(1)) assert.match(start, /:00:00\.000Z$/)
      }
    })

    test('a post is found by where its place lies', async () => {
      await locationsReady()
      const placed = (start: string) => {
        const place = locations().find(({ name, type }) => name.startsWith(start) && type !== 'REGIONS')
        assert.ok(place, start)
        return publish(`Larkspur of ${start}`, { placeId: place.id })
      }
      const munich = await placed('Munich, ')
      const berlin = await placed('Berlin, ')
      const country = await placed('Germany')
      await found('larkspur', country.id, berlin.id, munich.id)
      await found('larkspur point_radius:[11.575 48.137 24mi]', munich.id)
      await found('bounding_box:[11.4 48.03 11.72 48.25]', munich.id)
      await found('geo_bounding_box:[11.57 48.13 11.58 48.14]')
      await found('larkspur -point_radius:[11.575 48.137 39km]', country.id, berlin.id)
      const { meta } = await ask('counts/recent', {
        query: 'point_radius:[11.575 48.137 24mi]',
        until_id: LAST_ID,
      })
      assert.equal(meta.total_post_count, 1)
    })

    test('a post is found by where exactly it was written, whatever place it names', async () => {
      await locationsReady()
      const berlin = locations().find(({ name, type }) => name.startsWith('Berlin, ') && type === 'CITIES')
      const bare = await publish('Monkshood', { coordinates: [11.575, 48.137] })
      const both = await publish('Monkshood too', {
        coordinates: [11.58, 48.14],
        placeId: String(berlin?.id),
      })
      await publish('Monkshood nowhere')
      await found('monkshood has:geo', both.id, bare.id)
      await found('monkshood point_radius:[11.575 48.137 0.1mi]', bare.id)
      await found('monkshood point_radius:[11.575 48.137 1km]', both.id, bare.id)
      await found('monkshood bounding_box:[11.579 48.13 11.6 48.15]', both.id)
      await found(`monkshood place:${String(berlin?.id)}`, both.id)
      // Its place lies there, the post does not.
      await found('monkshood bounding_box:[13.2 52.4 13.5 52.65]')
    })

    test('an id ahead of the clock ends counts now', async () => {
      const { data } = (await ask('counts/recent', {
        query: 'creme',
        granularity: 'day',
        until_id: LAST_ID,
      })) as unknown as { data: { end: string }[] }
      assert.equal(data.length, 8)
      const last = Date.parse(data.at(-1)?.end ?? '') - opened.plaza.clock.now()
      assert.ok(last < 61_000, `the last span ends ${last} ms from now`)
    })

    test('counts of all time have pages of 31 days, the newest first', async () => {
      const { clock } = opened.plaza
      const start_time = new Date(clock.now() - 40 * DAY_MS).toISOString()
      const asked = { query: 'gentian', granularity: 'day', start_time }
      const newest = await ask('counts/all', asked)
      assert.equal(newest.data?.length, 31)
      const oldest = await ask('counts/all', { ...asked, next_token: String(newest.meta.next_token) })
      assert.equal(oldest.data?.at(-1)?.end, newest.data?.[0]?.start)
      assert.equal(oldest.data?.length, 10)
      assert.equal(oldest.meta.next_token, undefined)
      assert.equal(oldest.meta.total_post_count, 0)
    })

    test('counts of the last seven days are one reply of all hours', async () => {
      const { data = [], meta } = await ask('counts/recent', { query: 'gentian' })
      assert.equal(data.length, 169)
      assert.equal(meta.next_token, undefined)
    })
  })
}

test('a search that compares many posts continues with its next token', async () => {
  const plaza = await startPlaza({ rateLimits: 'off' })
  const client = new Client(plaza)
  try {
    const { context, clock, seeded } = plaza
    const authorId = String(seeded?.users[0]?.id)
    const { id } = await makePost(context, { authorId, text: 'A liatris' })
    await context.store.write((tx) => tx.run(like, { id, likes: 9 }))
    await context.store.write((tx) =>
      emit(tx, postPublished, {
        post_id: id,
        author_id: authorId,
        environment: 'production',
        nullcast: false,
      }),
    )
    const headers = { authorization: `Bearer ${await client.bearer(demoKeys(plaza))}` }
    const ask = async (path: string, parameters: Record<string, string>) => {
      const target = `/2/posts/${path}?${new URLSearchParams({ until_id: LAST_ID, ...parameters })}`
      const { status, json } = await client.send('GET', target, { headers })
      return { status, body: json as Body & { errors?: { message: string }[] } }
    }
    await until('the post is found', async () => {
      const { body } = await ask('search/recent', { query: 'liatris min_likes:9' })
      return body.meta?.result_count === 1
    })
    // Newer than the post: more than a page of candidates that do not match.
    const others = Array.from({ length: 60_000 }, (_, n) => idAt(clock.now() + 1_000, n >> 12, n & 4095))
    await context.searchIndex.apply(
      others.map((other) => ({
        kind: 'put',
        document: {
          ...{ id: other, words: ['allium'], links: [], terms: [] },
          numbers: { likes: 0, replies: 0, reposts: 0 },
        },
      })),
    )
    clock.advance(60_000)
    for (const query of ['min_likes:9', 'min_likes:9 (allium OR liatris)', 'point_radius:[2 48 1km]'])
      for (const sort_order of ['recency', 'relevancy']) {
        const first = await ask('search/recent', { query, sort_order })
        const { next_token = '' } = first.body.meta
        assert.deepEqual(first.body, { meta: { result_count: 0, next_token } })
        assert.notEqual(next_token, '')
        const second = await ask('search/recent', { query, sort_order, next_token })
        assert.deepEqual(
          second.body.data?.map((one) => one.id),
          query.startsWith('point') ? undefined : [id],
          query,
        )
        assert.equal(second.body.meta.next_token, undefined)
      }
    const { body } = await ask('counts/recent', { query: 'min_likes:9' })
    assert.equal(body.meta.total_post_count, 1)
  } finally {
    await client.close()
    await plaza.close()
  }
})

test('a count among too many posts is an error of its query', async () => {
  const plaza = await startPlaza({ rateLimits: 'off' })
  const client = new Client(plaza)
  try {
    // As the index of a million posts says it.
    plaza.context.searchIndex.count = async () => {
      throw tooManyToCount(1_000_000)
    }
    await until('the index is built', async () => (await plaza.context.searchIndex.state()) === 'built')
    const headers = { authorization: `Bearer ${await client.bearer(demoKeys(plaza))}` }
    const { status, json } = await client.send('GET', '/2/posts/counts/all?query=cat', { headers })
    assert.equal(status, 400)
    assert.deepEqual((json as { errors: unknown[] }).errors, [
      {
        parameters: { query: ['cat'] },
        message:
          'There were errors processing your request: The query counts among more than 1000000 posts. Choose a shorter time window, or add words or operators that fewer posts match.',
      },
    ])
  } finally {
    await client.close()
    await plaza.close()
  }
})

test('the plan decides how long queries of searches and counts may be', async () => {
  const lengths = {
    'self-serve': { 'search/recent': 512, 'search/all': 1024, 'counts/recent': 1024, 'counts/all': 1024 },
    enterprise: { 'search/recent': 4096, 'search/all': 4096, 'counts/recent': 4096, 'counts/all': 4096 },
  }
  for (const ruleAccess of ['self-serve', 'enterprise'] as const) {
    const plaza = await startPlaza({ ruleAccess, rateLimits: 'off' })
    const client = new Client(plaza)
    try {
      const authorization = `Bearer ${await client.bearer(demoKeys(plaza))}`
      for (const [path, length] of Object.entries(lengths[ruleAccess])) {
        const ask = (text: string) =>
          client.send('GET', `/2/posts/${path}?query=${text}`, { headers: { authorization } })
        const { status, text } = await ask('a'.repeat(length))
        assert.equal(status, 200, text)
        const longer = await ask('a'.repeat(length + 1))
        assert.equal(longer.status, 400)
        if (length < 4096)
          assert.equal(
            (longer.json as { errors: { message: string }[] }).errors[0]?.message,
            `There were errors processing your request: Query is too long. Must be no more than ${length} characters`,
          )
      }
    } finally {
      await client.close()
      await plaza.close()
    }
  }
})

describe('the file of the search index', () => {
  test('after a restart, a damaged index is rebuilt from the store, and an intact one is kept', async () => {
    const data = await mkdtemp(join(tmpdir(), 'plaza-search-'))
    const found = async () => {
      const plaza = await startPlaza({ data, rateLimits: 'off' })
      const client = new Client(plaza)
      try {
        const authorization = `Bearer ${await client.bearer(demoKeys(plaza))}`
        const target = `/2/posts/search/recent?query=hyacinth&until_id=${LAST_ID}`
        const body = await until('a hyacinth is found', async () => {
          const { status, json } = await client.send('GET', target, { headers: { authorization } })
          return status === 200 && (json as Body).meta.result_count > 0 && (json as Body)
        })
        return body.data?.map(({ id }) => id)
      } finally {
        await client.close()
        await plaza.close()
      }
    }
    try {
      const plaza = await startPlaza({ data, rateLimits: 'off' })
      const [author] = plaza.seeded?.users ?? []
      assert.ok(author)
      const { id } = await makePost(plaza.context, { authorId: author.id, text: 'A hyacinth' })
      await plaza.close()
      assert.deepEqual(await found(), [id])
      await writeFile(join(data, 'search.db'), Buffer.alloc(8192, 'no database'))
      assert.deepEqual(await found(), [id])
    } finally {
      await rm(data, { recursive: true, force: true })
    }
  })
})
