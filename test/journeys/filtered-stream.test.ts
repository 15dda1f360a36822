import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Plaza } from '../../src/app/server.ts'
import { adHocQuery } from '../../src/app/tables.ts'
import { locations, locationsReady } from '../../src/domain/reference-data/locations.ts'
import { updateProfile } from '../../src/identity/users/profile.ts'
import { createUser } from '../../src/identity/users/users.ts'
import { Client, demoKeys } from '../support/client.ts'
import { importLines, makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { until } from '../support/until.ts'

const RULES = '/2/posts/search/stream/rules'
const MINUTE_MS = 60_000

const setUser = adHocQuery<{ id: string; protected: number; subscription: string }>('setUser', (db, at) =>
  db
    .updateTable('users')
    .set({ protected: at.protected, subscription_type: at.subscription })
    .where('id', '=', at.id),
)

for (const stage of stages) {
  describe(`the filtered stream on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let nodes: Plaza[]
    let clients: Client[]
    let bearer: string
    const readers: StreamReader[] = []

    before(async () => {
      opened = await stage.open({ rateLimits: 'off', streamConnectionsPerApp: 2, streamBufferKilobytes: 64 })
      nodes = [opened.plaza, ...(stage.shared ? [await opened.second()] : [])]
      clients = nodes.map((node) => new Client(node))
      bearer = await client().bearer(demoKeys(opened.plaza))
    })
    afterEach(async () => {
      for (const reader of readers.splice(0)) reader.close()
      await until('no connection is left', () =>
        nodes.every(({ context }) => context.connections.count === 0),
      )
    })
    after(async () => {
      for (const one of clients ?? []) await one.close()
      await opened?.close()
    })

    const client = (at = 0) => clients[at % clients.length] as Client
    const authorization = () => `Bearer ${bearer}`
    const keys = () => demoKeys(opened.plaza)
    const change = async (body: object, at = 0) => {
      const headers = { authorization: authorization() }
      const { json } = await client(at).send('POST', RULES, { headers, json: body })
      return json as { data: { id: string; value: string; tag?: string }[] }
    }
    const clear = () =>
      client().send('POST', `${RULES}?delete_all=true`, {
        headers: { authorization: authorization() },
        json: {},
      })
    const rules = async (...add: { value: string; tag?: string }[]) => {
      await clear()
      return (await change({ add })).data
    }
    const open = async (query = '', at = 0) => {
      const reader = await StreamReader.open(nodes[at % nodes.length] as Plaza, bearer, query)
      readers.push(reader)
      return reader
    }
    const post = async (
      text: string,
      { at = 0, ...more }: Record<string, unknown> & { at?: number } = {},
    ) => {
      const { status, json } = await client(at).signed('POST', '/2/posts', keys(), {
        json: { text, ...more },
      })
      assert.equal(status, 201, JSON.stringify(json))
      return (json as { data: { id: string } }).data.id
    }

    test('a post that matches comes once, with all rules that it matches, whichever node it was written on', async () => {
      const [cats, dogs] = await rules({ value: 'cat', tag: 'cats' }, { value: 'cat dog' }, { value: 'emu' })
      const reader = await open('', 1)
      assert.equal(reader.status, 200)
      assert.equal(reader.reply.headers['content-type'], 'application/json; charset=utf-8')
      await post('nothing of the kind')
      const id = await post('a cat and a dog')
      await reader.has('a cat and a dog')
      const { matching_rules: matching = [], ...item } = reader.items[0] ?? {}
      assert.deepEqual(item, { data: { id, text: 'a cat and a dog', edit_history_post_ids: [id] } })
      assert.deepEqual(
        matching.sort((one, other) => (one.id < other.id ? -1 : 1)),
        [{ id: cats?.id, tag: 'cats' }, { id: dogs?.id }],
      )
      assert.equal(reader.items.length, 1)
    })

    test('each connection has its own fields and expansions', async () => {
      await rules({ value: 'owl' })
      const plain = await open()
      const rich = await open('?post.fields=lang&expansions=author_id&user.fields=verified', 1)
      await post('an owl')
      await plain.has('an owl')
      await rich.has('an owl')
      assert.deepEqual(Object.keys(plain.items[0]?.data ?? {}), ['id', 'text', 'edit_history_post_ids'])
      assert.deepEqual(Object.keys(rich.items[0]?.data ?? {}).sort(), [
        'author_id',
        'edit_history_post_ids',
        'id',
        'lang',
        'text',
      ])
      const [author] = rich.items[0]?.includes?.users ?? []
      assert.deepEqual(Object.keys(author ?? {}).sort(), ['id', 'name', 'username', 'verified'])
      assert.equal(author?.id, rich.items[0]?.data?.author_id)
    })

    test('rules match where the place of a post lies', async () => {
      await locationsReady()
      const idOf = (start: string) =>
        locations().find(({ name, type }) => name.startsWith(start) && type === 'CITIES')?.id
      const [box] = await rules(
        { value: 'bounding_box:[11.4 48.03 11.72 48.25]' },
        { value: 'heron point_radius:[11.575 48.137 1km]' },
      )
      const reader = await open('?expansions=geo.place_id&place.fields=geo', 1)
      await post('a heron without a place')
      await post('a heron of Berlin', { geo: { place_id: idOf('Berlin, ') } })
      await post('a heron of Munich', { geo: { place_id: idOf('Munich, ') } })
      await reader.has('a heron of Munich')
      assert.equal(reader.items.length, 1)
      const [item] = reader.items
      assert.deepEqual(item?.matching_rules, [{ id: box?.id }])
      const [place] =
        (item?.includes as { places?: { geo?: { type: string; bbox: number[] } }[] })?.places ?? []
      assert.equal(place?.geo?.type, 'Feature')
      const [west = 0, south = 0, east = 0, north = 0] = place?.geo?.bbox ?? []
      assert.ok(west > 11.4 && east < 11.72 && south > 48.03 && north < 48.25)
      assert.ok(west < 11.575 && east > 11.575 && south < 48.137 && north > 48.137)
    })

    const newUser = (screen_name: string) =>
      opened.plaza.context.store.write(async (tx) => {
        const id = opened.plaza.context.ids.next()
        const names = { screen_name, screen_name_key: screen_name.toLowerCase(), name: screen_name }
        const rest = { password_hash: 'none', suspended: 0, created_at: opened.plaza.clock.now() }
        await createUser(tx, { id, ...names, ...rest })
        return id
      })

    test('rules match posts of users who are affiliated with an account, and replies to them', async () => {
      const account = await newUser('Grebe_Inc')
      const member = await newUser('grebe_member')
      const stranger = await newUser('grebe_stranger')
      const affiliate = (affiliation: string | null) =>
        opened.plaza.context.store.write((tx) => updateProfile(tx, member, { affiliation }))
      await affiliate(account)
      const [from, to] = await rules(
        { value: 'from_affiliate_of:grebe_inc' },
        { value: `to_affiliate_of:${account}` },
        { value: 'to_affiliate_of:grebe_member' },
      )
      const reader = await open('', 1)
      const { id: theirs } = await makePost(opened.plaza.context, { authorId: member, text: 'a grebe' })
      const { id: other } = await makePost(opened.plaza.context, { authorId: stranger, text: 'no grebe' })
      await makePost(opened.plaza.context, { authorId: account, text: 'the account of grebes' })
      await post('an answer to a stranger', { reply: { in_reply_to_post_id: other } })
      await post('an answer to a grebe', { reply: { in_reply_to_post_id: theirs } })
      await reader.has('an answer to a grebe')
      await affiliate(null)
      await makePost(opened.plaza.context, { authorId: member, text: 'a grebe that left' })
      await rules({ value: 'plover' })
      await post('a plover')
      await reader.has('a plover')
      assert.deepEqual(
        reader.items.slice(0, -1).map(({ data, matching_rules }) => [data?.text, matching_rules]),
        [
          ['a grebe', [{ id: from?.id }]],
          ['an answer to a grebe', [{ id: to?.id }]],
        ],
      )
    })

    test('rules match posts that begin with the name of a user', async () => {
      const id = await newUser('dunlin')
      const [by, ofId] = await rules({ value: 'to:dunlin' }, { value: `to:${id}` }, { value: 'is:reply' })
      const reader = await open('', 1)
      await post('for @dunlin, not to them')
      await post('.@dunlin neither')
      await post('@Dunlin how are you?')
      await reader.has('@Dunlin how are you?')
      assert.deepEqual(
        reader.items.map(({ data, matching_rules = [] }) => [
          data?.text,
          matching_rules.map((rule) => rule.id).sort(),
        ]),
        [['@Dunlin how are you?', [by?.id, ofId?.id].sort()]],
      )
    })

    test('rules match where exactly a post was written', async () => {
      const [near, geo] = await rules(
        { value: 'egret point_radius:[11.575 48.137 1km]' },
        { value: 'egret has:geo' },
      )
      const reader = await open('?post.fields=geo', 1)
      const authorId = await newUser('egret')
      await makePost(opened.plaza.context, { authorId, text: 'an egret nowhere' })
      await makePost(opened.plaza.context, { authorId, text: 'an egret away', coordinates: [11.7, 48.137] })
      await makePost(opened.plaza.context, { authorId, text: 'an egret here', coordinates: [11.576, 48.138] })
      await reader.has('an egret here')
      const shown = reader.items.map(({ data, matching_rules }) => [
        data?.text,
        (data as { geo?: object }).geo,
        matching_rules?.map(({ id }) => id).sort(),
      ])
      const point = (coordinates: number[]) => ({ coordinates: { type: 'Point', coordinates } })
      assert.deepEqual(shown, [
        ['an egret away', point([11.7, 48.137]), [geo?.id]],
        ['an egret here', point([11.576, 48.138]), [near?.id, geo?.id].sort()],
      ])
    })

    test('a repost mentions the author of its original, as in searches', async () => {
      const [one, other] = opened.plaza.seeded?.users ?? []
      assert.ok(one && other)
      await rules(
        ...['@advertiser is:repost', 'wombat has:mentions', 'wombat -@advertiser'].map((value) => ({
          value,
        })),
      )
      const original = await makePost(opened.plaza.context, { authorId: other.id, text: 'A wombat' })
      const reader = await open()
      const { status, json } = await client().signed('POST', `/2/users/${one.id}/reposts`, keys(), {
        json: { post_id: original.id },
      })
      assert.equal(status, 200)
      await reader.has('RP @advertiser: A wombat')
      const { data, matching_rules } = reader.items.at(-1) ?? {}
      assert.equal(data?.id, (json as { data: { id: string } }).data.id)
      assert.equal(matching_rules?.length, 2)
      await until('a search finds it', async () => {
        const found = await client().send(
          'GET',
          '/2/posts/search/recent?query=%40advertiser%20is%3Arepost&until_id=9223372036854775807',
          { headers: { authorization: authorization() } },
        )
        return (found.json as { data?: { id: string }[] }).data?.some(({ id }) => id === data?.id)
      })
    })

    test('rules that are added and deleted take effect on an open stream', async () => {
      const [fox] = await rules({ value: 'fox' })
      const reader = await open('', 1)
      await change({ add: [{ value: 'hen', tag: 'hens' }] })
      await post('a hen')
      await reader.has('a hen')
      await change({ delete: { ids: [fox?.id] } })
      await post('a fox')
      await post('a second hen')
      await reader.has('a second hen')
      assert.deepEqual(reader.texts, ['a hen', 'a second hen'])
      await clear()
      await post('a third hen')
      await change({ add: [{ value: 'newt' }] })
      await post('a newt')
      await reader.has('a newt')
      assert.equal(reader.texts.includes('a third hen'), false)
    })

    test('an edit is a post of its own; posts of others that are protected do not come', async () => {
      await rules({ value: 'elk' })
      const reader = await open()
      const { store } = opened.plaza.context
      const userId = opened.plaza.seeded?.users[0]?.id ?? ''
      await store.write((tx) => tx.run(setUser, { id: userId, protected: 0, subscription: 'Premium' }))
      const first = await post('an elk with a tpyo')
      const second = await post('an elk without a typo', { edit_options: { previous_post_id: first } })
      await reader.has('an elk with a tpyo', 'an elk without a typo')
      assert.deepEqual(reader.items.at(-1)?.data?.edit_history_post_ids, [first, second])
      const { context } = opened.plaza
      const id = context.ids.next()
      const name = `shy_${id.slice(-8)}`
      await store.write((tx) =>
        createUser(tx, {
          id,
          screen_name: name,
          screen_name_key: name,
          name: 'Shy',
          password_hash: 'none',
          suspended: 0,
          created_at: context.clock.now(),
        }),
      )
      await store.write((tx) => tx.run(setUser, { id, protected: 1, subscription: 'None' }))
      await makePost(context, { authorId: id, text: 'an elk for followers' })
      await post('an elk for everyone')
      await reader.has('an elk for everyone')
      assert.equal(reader.texts.includes('an elk for followers'), false)
    })

    test('without rules, and beyond the limit of connections, a stream does not open', async () => {
      await clear()
      const none = await open()
      assert.equal(none.status, 409)
      await rules({ value: 'ram' })
      const first = await open()
      const second = await open('', 1)
      const third = await open('', 1)
      assert.deepEqual([first.status, second.status, third.status], [200, 200, 429])
      first.close()
      await until('a place is free', async () => (await open('', 1)).status === 200)
    })

    test('backfill sends the posts of the last minutes, and those that come meanwhile', async () => {
      await rules({ value: 'yak' })
      const { clock } = opened.plaza
      await post('an old yak')
      clock.advance(4 * MINUTE_MS)
      await post('a young yak')
      clock.advance(MINUTE_MS + 1)
      const reader = await open('?backfill_minutes=2', 1)
      await post('a newborn yak')
      await reader.has('a young yak', 'a newborn yak')
      assert.equal(reader.texts.includes('an old yak'), false)
    })

    test('a recovery sends the posts of a period and ends; two may run at a time, in addition to live streams', async () => {
      await rules({ value: 'bat' })
      const { clock } = opened.plaza
      const at = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
      const start = clock.now() + 1_000
      clock.advance(2_000)
      await post('a first bat')
      await post('a second bat')
      clock.advance(2_000)
      const end = clock.now()
      await post('a third bat')
      clock.advance(2_000)
      const reader = await open(`?start_time=${at(start)}&end_time=${at(end)}`)
      assert.deepEqual(await reader.ended(), { end: 'whole', disconnect: undefined })
      assert.deepEqual(reader.texts, ['a first bat', 'a second bat'])
      const open_ended = await open(`?start_time=${at(start)}`, 1)
      await open_ended.ended()
      assert.deepEqual(open_ended.texts, ['a first bat', 'a second bat', 'a third bat'])
    })

    test('neither backfill nor a recovery sends imported posts of its span', async () => {
      await rules({ value: 'gecko' })
      const { clock, context } = opened.plaza
      const start = clock.now() + 1_000
      clock.advance(2_000)
      await post('a gecko that was published')
      const line = (text: string) => ({
        username: 'gecko_friend',
        text,
        created_at: new Date(clock.now()).toISOString(),
      })
      const rejected = await importLines(context, [line('a gecko of the past'), line('another gecko')])
      assert.deepEqual(rejected, [])
      await post('a gecko that was published later')
      clock.advance(2_000)
      const published = ['a gecko that was published', 'a gecko that was published later']
      const at = `${new Date(start).toISOString().slice(0, 19)}Z`
      const recovery = await open(`?start_time=${at}`)
      assert.deepEqual(await recovery.ended(), { end: 'whole', disconnect: undefined })
      assert.deepEqual(recovery.texts, published)
      const backfill = await open('?backfill_minutes=1', 1)
      await post('a newborn gecko')
      await backfill.has(...published, 'a newborn gecko')
      assert.equal(backfill.items.length, 3)
    })

    test('a quiet stream gets an empty line within 20 seconds', async () => {
      await rules({ value: 'auk' })
      const reader = await open()
      const { clock } = opened.plaza
      for (let seconds = 0; seconds < 20; seconds += 5) {
        await until('the next look', () => clock.awaited.some((time) => time > clock.now()))
        clock.advance(5_000)
      }
      await until('an empty line', () => reader.blanks > 0)
      assert.deepEqual(reader.items, [])
    })

    test('connections are listed page by page, and ended from any node', async () => {
      await rules({ value: 'gnu' })
      const first = await open()
      const second = await open('', 1)
      const page = async (query: string) => {
        const { json } = await client().send('GET', `/2/connections?${query}`, {
          headers: { authorization: authorization() },
        })
        return json as { data: { id: string }[]; meta: { result_count: number; next_token?: string } }
      }
      const all = (await page('endpoints=filtered_stream')).data.map(({ id }) => id)
      assert.equal(all.length, 2)
      // They began at the same time: a page by the time alone would skip one.
      const one = await page('max_results=1')
      const other = await page(`max_results=1&pagination_token=${one.meta.next_token}`)
      assert.deepEqual(
        [...one.data, ...other.data].map(({ id }) => id),
        all,
      )
      assert.equal(other.meta.next_token, undefined)
      const end = async (path: string, body?: object) => {
        const { json } = await client().send('DELETE', `/2/connections${path}`, {
          headers: { authorization: authorization() },
          ...(body && { json: body }),
        })
        return (json as { data: { successful_kills: number; results: { uuid: string; success: boolean }[] } })
          .data
      }
      const killed = await end('', { uuids: [...all, all[0]] })
      assert.deepEqual(
        killed.results,
        all.map((uuid) => ({ uuid, success: true })),
      )
      for (const reader of [first, second])
        assert.deepEqual(await reader.ended(), { end: 'whole', disconnect: 'OperationalDisconnect' })
      assert.deepEqual((await page('status=active')).data, [])
      const ended = (await page('status=inactive&max_results=100')).data.map(({ id }) => id)
      assert.deepEqual(
        all.filter((id) => !ended.includes(id)),
        [],
      )
      const again = [await open('', 1), await open()]
      assert.equal((await end('/filtered_stream')).successful_kills, 2)
      for (const reader of again) assert.equal((await reader.ended()).disconnect, 'OperationalDisconnect')
      const last = await open('', 1)
      assert.equal((await end('/all')).successful_kills, 1)
      assert.equal((await last.ended()).disconnect, 'OperationalDisconnect')
    })

    test('a reader that stops reading is disconnected, holds up no other, and reads why at the end', async () => {
      await rules({ value: 'sloth' })
      const stalled = await open('?post.fields=note_post')
      stalled.reply.pause()
      const healthy = await open('', 1)
      const { context } = opened.plaza
      const authorId = opened.plaza.seeded?.users[0]?.id ?? ''
      const text = (n: number) => `sloth ${n} ${'slow '.repeat(4_000)}`
      let count = 0
      await until('the stalled reader is disconnected', async () => {
        for (let n = 0; n < 20; n++) await makePost(context, { authorId, text: text(count++) })
        return context.connections.count === (stage.shared ? 0 : 1)
      })
      await until('the other has read everything', () => healthy.items.length === count)
      stalled.reply.resume()
      assert.deepEqual(await stalled.ended(), { end: 'whole', disconnect: 'SlowReader' })
      assert.equal(stalled.rest, '')
      // Posts in their order without a gap, and the Problem behind them.
      const sent = stalled.texts.map((one) => Number(one.split(' ')[1]))
      assert.deepEqual(
        sent,
        sent.map((_, n) => n),
      )
      assert.equal(stalled.items.length, sent.length + 1)
      assert.ok(sent.length > 0 && sent.length < count)
      assert.deepEqual(stalled.items.at(-1)?.errors, [
        {
          title: 'operational-disconnect',
          disconnect_type: 'SlowReader',
          detail: 'This stream has been disconnected because its reader is too slow.',
          type: `${context.naming.problemBase}/2/problems/operational-disconnect`,
        },
      ])
      const { json } = await client().send(
        'GET',
        '/2/connections?status=inactive&max_results=100&connection.fields=disconnect_reason',
        { headers: { authorization: authorization() } },
      )
      const { data } = json as { data: { disconnect_reason: string }[] }
      assert.ok(data.some(({ disconnect_reason }) => disconnect_reason === 'slow_reader'))
    })

    test('a stream ends with its token', async () => {
      await rules({ value: 'cow' })
      const reader = await open('', 1)
      const { consumerKey, consumerSecret } = keys()
      const basic = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`
      const { status } = await client().send('POST', '/oauth2/invalidate_token', {
        headers: { authorization: basic },
        form: { access_token: bearer },
      })
      assert.equal(status, 200)
      assert.deepEqual(await reader.ended(), { end: 'whole', disconnect: 'ForceDisconnect' })
      bearer = await client().bearer(keys())
    })
  })
}
