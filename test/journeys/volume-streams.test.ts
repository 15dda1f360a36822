import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Plaza } from '../../src/app/server.ts'
import { like } from '../../src/domain/posts/engagement.ts'
import { updateProfile } from '../../src/identity/users/profile.ts'
import { createUser } from '../../src/identity/users/users.ts'
import { changeApp, theApp } from '../../src/workbench/create/apps.ts'
import { Client, demoKeys } from '../support/client.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { until } from '../support/until.ts'

const SAMPLE = '/2/posts/sample/stream'
const SAMPLE10 = '/2/posts/sample10/stream'
const FIREHOSE = '/2/posts/firehose/stream'
const LIKES = '/2/likes/firehose/stream'
const LIKES10 = '/2/likes/sample10/stream'
const MINUTE_MS = 60_000

for (const stage of stages) {
  describe(`streams of all posts and likes on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let nodes: Plaza[]
    let client: Client
    let bearer: string
    let author: string
    const readers: StreamReader[] = []

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      nodes = [opened.plaza, ...(stage.shared ? [await opened.second()] : [])]
      client = new Client(opened.plaza)
      bearer = await client.bearer(demoKeys(opened.plaza))
      author = await newUser('someone')
    })
    afterEach(async () => {
      for (const reader of readers.splice(0)) reader.close()
      await until('no connection is left', () =>
        nodes.every(({ context }) => context.connections.count === 0),
      )
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const newUser = (screen_name: string) => {
      const { context, clock } = opened.plaza
      return context.store.write(async (tx) => {
        const id = context.ids.next()
        const names = { screen_name, screen_name_key: screen_name.toLowerCase(), name: screen_name }
        await createUser(tx, { id, ...names, password_hash: 'none', suspended: 0, created_at: clock.now() })
        return id
      })
    }
    const open = async (path: string, query = '', at = 0) => {
      const reader = await StreamReader.open(nodes[at % nodes.length] as Plaza, bearer, query, path)
      readers.push(reader)
      return reader
    }
    const post = async (text: string, more: object = {}) =>
      (await makePost(opened.plaza.context, { authorId: author, text, ...more })).id
    /** Posts at a millisecond of the next second. */
    const postAt = async (ms: number, text: string) => {
      const { clock } = opened.plaza
      clock.moveTo((Math.floor(clock.now() / 1000) + 1) * 1000 + ms)
      return post(text)
    }
    const problemAt = async (path: string, authorization = `Bearer ${bearer}`) => {
      const { status, json } = await client.send('GET', path, { headers: { authorization } })
      return { status, json: json as { type: string; detail?: string; errors?: { message: string }[] } }
    }
    const textsOf = (reader: StreamReader) => reader.items.map(({ data }) => data?.text)

    test('each post is in one partition of the firehose, with those of the languages beside it', async () => {
      const partitions = await Promise.all(
        Array.from({ length: 20 }, (_, n) => open(FIREHOSE, `?partition=${n + 1}&post.fields=lang`, n)),
      )
      assert.deepEqual(
        partitions.map(({ status }) => status),
        partitions.map(() => 200),
      )
      const ids: string[] = []
      for (let n = 0; n < 300; n++) ids.push(await post(`number ${n} of all`))
      await until(
        'every post has arrived',
        () => partitions.reduce((sum, { items }) => sum + items.length, 0) >= ids.length,
      )
      const seen = partitions.flatMap(({ items }) => items.map(({ data }) => String(data?.id)))
      assert.deepEqual(seen.toSorted(), ids.toSorted())
      // Spread, and each in the form that its connection asked for, without rules.
      assert.ok(partitions.every(({ items }) => items.length >= 3 && items.length <= 40))
      assert.deepEqual(Object.keys(partitions[0]?.items[0] ?? {}), ['data'])
      assert.deepEqual(Object.keys(partitions[0]?.items[0]?.data ?? {}).sort(), [
        'edit_history_post_ids',
        'id',
        'lang',
        'text',
      ])
    })

    test('only public posts are sent, reposts and quotes among them', async () => {
      const readers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => open(FIREHOSE, `?partition=${n + 1}`, n)),
      )
      const hidden = await newUser('hidden_one')
      await opened.plaza.context.store.write((tx) => updateProfile(tx, hidden, { protected: 1 }))
      await post('of a protected author', { authorId: hidden })
      await post('only for advertisements', { nullcast: true })
      await post('in the sandbox', { environment: 'sandbox' })
      const original = await post('an original')
      await post('a quote', { quotedPostId: original })
      await until('both have arrived', () => readers.flatMap(textsOf).length >= 2)
      assert.deepEqual(readers.flatMap(textsOf).toSorted(), ['a quote', 'an original'])
    })

    test('the streams of a language have its posts', async () => {
      const english = await Promise.all(
        Array.from({ length: 8 }, (_, n) => open(`${FIREHOSE}/lang/en`, `?partition=${n + 1}`, n)),
      )
      const others = await Promise.all(
        ['ja', 'ko', 'pt'].flatMap((lang) =>
          [1, 2].map((n) => open(`${FIREHOSE}/lang/${lang}`, `?partition=${n}`, n)),
        ),
      )
      await post('この町の図書館は日曜日も開いています')
      await post('이 도시의 도서관은 일요일에도 문을 엽니다')
      await post('A biblioteca desta cidade também abre aos domingos')
      await post('The library of this town is open on Sundays, too')
      await until('all have arrived', () => [...english, ...others].flatMap(textsOf).length >= 4)
      assert.deepEqual(english.flatMap(textsOf), ['The library of this town is open on Sundays, too'])
      assert.deepEqual(
        others
          .map(textsOf)
          .map((texts) => texts.length)
          .reduce((sum, n) => sum + n),
        3,
      )
      for (const [at, text] of [
        [0, 'この町の図書館は日曜日も開いています'],
        [2, '이 도시의 도서관은 일요일에도 문을 엽니다'],
        [4, 'A biblioteca desta cidade também abre aos domingos'],
      ] as const)
        assert.deepEqual(others.slice(at, at + 2).flatMap(textsOf), [text])
    })

    test('the samples have the posts of certain milliseconds, the larger one those of the smaller', async () => {
      const small = await open(SAMPLE, '', 1)
      const large = [await open(SAMPLE10, '?partition=1'), await open(SAMPLE10, '?partition=2', 1)]
      for (const ms of [656, 657, 666, 667, 756, 757]) await postAt(ms, `at ${ms}`)
      await until('the larger sample has arrived', () => large.flatMap(textsOf).length >= 4)
      assert.deepEqual(large.flatMap(textsOf).toSorted(), ['at 657', 'at 666', 'at 667', 'at 756'])
      await small.has('at 666')
      assert.deepEqual(textsOf(small), ['at 657', 'at 666'])
    })

    test('a past period of a partition is sent, and the stream ends; a backfill goes on', async () => {
      const { clock } = opened.plaza
      clock.moveTo(clock.now() + 20 * MINUTE_MS)
      const fromMs = Math.floor(clock.now() / 1000) * 1000
      const past = await post('of the past')
      clock.moveTo(clock.now() + 2 * MINUTE_MS)
      const toMs = Math.floor(clock.now() / 1000) * 1000
      await post('of the time after it')
      clock.moveTo(clock.now() + 2000)
      const at = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
      const span = `start_time=${at(fromMs)}&end_time=${at(toMs)}`
      const spans = await Promise.all(
        Array.from({ length: 2 }, (_, n) => open(`${FIREHOSE}/lang/en`, `?partition=${n + 1}&${span}`, n)),
      )
      await until('both have ended', () => spans.every(({ end }) => end === 'whole'))
      const all: StreamReader[] = []
      for (let n = 1; n <= 20; n++) {
        const reader = await open(FIREHOSE, `?partition=${n}&${span}`)
        await until('it has ended', () => reader.end === 'whole')
        all.push(reader)
      }
      assert.deepEqual(
        all.flatMap(({ items }) => items.map(({ data }) => data?.id)),
        [past],
      )
      const backfills = await Promise.all(
        Array.from({ length: 20 }, (_, n) => open(FIREHOSE, `?partition=${n + 1}&backfill_minutes=1`, n)),
      )
      await post('of the present')
      await until('both have arrived', () => backfills.flatMap(textsOf).length >= 2)
      assert.deepEqual(backfills.flatMap(textsOf).toSorted(), ['of the present', 'of the time after it'])
    })

    test('public likes are sent, with the author and the user who likes in the expansion', async () => {
      const fan = await newUser('fan_of_all')
      const hidden = await newUser('hidden_fan')
      const { context } = opened.plaza
      await context.store.write((tx) => updateProfile(tx, hidden, { protected: 1 }))
      const query = '&expansions=liked_post_author_id,liked_post_id&like_with_post_author.fields=timestamp_ms'
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, n) => open(LIKES, `?partition=${n + 1}`, n)),
      )
      const samples = await Promise.all(
        [1, 2].map((partition) => open(LIKES10, `?partition=${partition}${query}`, partition)),
      )
      const liked = await makePost(context, { authorId: author, text: 'a likeable post' })
      const { clock } = opened.plaza
      const likeAt = async (userId: string, ms: number, post = liked) => {
        clock.moveTo((Math.floor(clock.now() / 1000) + 1) * 1000 + ms)
        await context.store.write((tx) => like({ tx, userId, post }))
        return clock.now()
      }
      const outside = await likeAt(author, 100)
      await likeAt(hidden, 700)
      const inside = await likeAt(fan, 700)
      await until('two likes have arrived', () => all.flatMap(({ items }) => items).length >= 2)
      const times = (readers: StreamReader[]) =>
        readers.flatMap(({ items }) => items.map(({ data }) => data?.timestamp_ms)).toSorted()
      assert.deepEqual(times(all), [String(outside), String(inside)].toSorted())
      await until('one like is in the sample', () => times(samples).length === 1)
      const [item] = samples.flatMap(({ items }) => items)
      assert.ok(item?.data)
      const { id, ...data } = item.data
      assert.match(id, /^[0-9a-f]{32}$/)
      assert.deepEqual(data, {
        // Objects show whole seconds.
        created_at: `${new Date(inside).toISOString().slice(0, 19)}.000Z`,
        timestamp_ms: String(inside),
        liked_post_id: liked.id,
        liked_post_author_id: author,
      })
      const { users = [], posts = [] } = item?.includes ?? {}
      assert.deepEqual(users.map((one) => one.id).toSorted(), [fan, author].toSorted())
      assert.deepEqual(
        posts.map((one) => one.id),
        [liked.id],
      )
      const at = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
      clock.moveTo(clock.now() + 5_000)
      const past: StreamReader[] = []
      for (const partition of [1, 2]) {
        const span = `&start_time=${at(outside)}&end_time=${at(clock.now())}`
        const reader = await open(LIKES10, `?partition=${partition}${span}`)
        await until('it has ended', () => reader.end === 'whole')
        past.push(reader)
      }
      assert.deepEqual(times(past), [String(inside)])
    })

    test('a recovery of likes has each once, page after page, also those of one millisecond', async () => {
      const { clock, context } = opened.plaza
      clock.moveTo(clock.now() + 20 * MINUTE_MS)
      const fromMs = Math.floor(clock.now() / 1000) * 1000
      const post = await makePost(context, { authorId: author, text: 'liked by many' })
      const fans: string[] = []
      for (let n = 0; n < 130; n++) fans.push(await newUser(`many_${n}`))
      for (const [n, userId] of fans.entries()) {
        if (n % 65 === 0) clock.moveTo(clock.now() + 1000)
        await context.store.write((tx) => like({ tx, userId, post }))
      }
      clock.moveTo(clock.now() + 5_000)
      const at = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
      const span = `&start_time=${at(fromMs)}&end_time=${at(clock.now())}`
      const ids: unknown[] = []
      for (let partition = 1; partition <= 20; partition++) {
        const reader = await open(LIKES, `?partition=${partition}${span}&like_with_post_author.fields=id`)
        await until('it has ended', () => reader.end === 'whole')
        ids.push(...reader.items.map(({ data }) => data?.id))
      }
      assert.deepEqual([ids.length, new Set(ids).size], [130, 130])
    })

    test('a partition is open once at a time; others can be opened', async () => {
      await open(FIREHOSE, '?partition=3')
      const second = await problemAt(`${FIREHOSE}?partition=3`)
      assert.equal(second.status, 429)
      assert.match(second.json.type, /\/streaming-connection$/)
      assert.equal((await open(FIREHOSE, '?partition=4')).status, 200)
    })

    test('a wrong partition is named, and so is what a stream does not have', async () => {
      const messageOf = async (path: string) => {
        const { status, json } = await problemAt(path)
        assert.equal(status, 400, path)
        return json.errors?.[0]?.message ?? ''
      }
      assert.match(await messageOf(FIREHOSE), /partition/)
      assert.match(await messageOf(`${FIREHOSE}?partition=21`), /partition.*21/)
      assert.match(await messageOf(`${SAMPLE10}?partition=0`), /partition.*0/)
      assert.match(await messageOf(`${FIREHOSE}/lang/ja?partition=3`), /partition.*3/)
      assert.match(await messageOf(`${SAMPLE}?start_time=2026-01-01T00:00:00Z`), /start_time/)
      assert.match(await messageOf(`${SAMPLE}?backfill_minutes=6`), /backfill_minutes.*6/)
    })

    test('an app without an enterprise plan opens the small sample alone, and streams end with the plan', async () => {
      const { context } = opened.plaza
      const [app] = opened.plaza.seeded?.apps ?? []
      assert.ok(app)
      const plan = (enterprise: boolean) =>
        context.store.write(async (tx) => changeApp(tx, await theApp(tx, app.id), { enterprise }, context))
      const streams = [await open(FIREHOSE, '?partition=1', 1), await open(SAMPLE, '', 1)]
      await plan(false)
      await until('the firehose has ended', () => streams[0]?.end !== undefined)
      assert.equal(streams[0]?.items.at(-1)?.errors?.[0]?.title, 'operational-disconnect')
      assert.equal(streams[1]?.end, undefined)
      const { status, json } = await problemAt(`${FIREHOSE}?partition=1`)
      assert.deepEqual(
        [status, json],
        [
          403,
          {
            title: 'Client Forbidden',
            detail: 'The app must have an enterprise plan to use this endpoint.',
            type: `${context.naming.problemBase}/2/problems/client-forbidden`,
            reason: 'client-not-enrolled',
            client_id: app.id,
          },
        ],
      )
      await plan(true)
      assert.equal((await open(FIREHOSE, '?partition=1')).status, 200)
    })
  })
}

test('an operator makes the samples larger', async () => {
  const [memory] = stages
  assert.ok(memory)
  const opened = await memory.open({ rateLimits: 'off', streamSamplePercent: 100 })
  const client = new Client(opened.plaza)
  const reader = await StreamReader.open(
    opened.plaza,
    await client.bearer(demoKeys(opened.plaza)),
    '',
    SAMPLE,
  )
  try {
    const { seeded, context } = opened.plaza
    const authorId = String(seeded?.apps[0]?.grants[0]?.userId)
    for (let n = 0; n < 5; n++) await makePost(context, { authorId, text: `at any time ${n}` })
    await until('all have arrived', () => reader.items.length === 5)
  } finally {
    reader.close()
    await client.close()
    await opened.close()
  }
})
