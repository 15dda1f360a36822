import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import { buyTicket, endSpace, MAX_CURRENT, shareInSpace, startSpace } from '../../src/domain/spaces/spaces.ts'
import { readEvents } from '../../src/platform/events/log.ts'
import { pagesOf } from '../support/actions.ts'
import { Client } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { makePost } from '../support/posts.ts'
import { makeSpace } from '../support/spaces.ts'
import { type Opened, stages } from '../support/stages.ts'
import { runPlaza, smallSeedFlag, startCli } from './cli.fixture.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const suspend = query<{ id: string }>('suspendCreator', (db, at) =>
  db.updateTable('users').set({ suspended: 1 }).where('id', '=', at.id),
)

interface Body {
  data?: Record<string, unknown>[]
  includes?: Record<string, Record<string, unknown>[]>
  errors?: Record<string, unknown>[]
  meta?: { result_count: number; next_token?: string; previous_token?: string }
}

for (const stage of stages) {
  describe(`spaces on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Person
    let bob: Person

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client.close()
      await opened.close()
    })
    beforeEach(async () => {
      opened.plaza.clock.advance(1000)
      ;[ann, bob] = [await Person.join(opened.plaza, client), await Person.join(opened.plaza, client)]
    })

    const now = () => opened.plaza.clock.now()
    const at = (ms: number) => new Date(ms).toISOString()
    const make = (space: Parameters<typeof makeSpace>[1]) => makeSpace(opened.plaza.context, space)
    const read = async (target: string): Promise<Body> => {
      const reply = await bob.core('GET', target)
      assert.equal(reply.status, 200, reply.text)
      return reply.json as Body
    }
    const one = async (id: string, fields = 'started_at,ended_at') =>
      (await read(`/2/spaces/${id}?space.fields=${fields}`)).data as unknown as Record<string, unknown>
    const ids = async (target: string) => ((await read(target)).data ?? []).map((space) => space.id)
    const logged = async (id: string) => {
      const events = await readEvents(opened.plaza.context.store, { after: 0, limit: 10_000 })
      return events.filter(({ subject }) => subject === id).map(({ kind, data }) => [kind, data])
    }

    test('tickets: who bought them is for the creator alone', async () => {
      const { context } = opened.plaza
      const [open, sold] = [
        await make({ creatorId: ann.id }),
        await make({ creatorId: ann.id, isTicketed: true }),
      ]
      const cat = await Person.join(opened.plaza, client)
      const buy = (id: string, { id: userId }: Person) =>
        context.store.write((tx) => buyTicket(tx, { id, userId }, context))
      for (const buyer of [bob, cat, bob]) await buy(sold.id, buyer)
      await assert.rejects(buy(open.id, bob), { message: `The space ${open.id} sells no tickets.` })
      const path = `/2/spaces/${sold.id}/buyers`
      assert.deepEqual(await pagesOf(ann, `${path}?max_results=1`), [[cat.id], [bob.id]])
      assert.deepEqual(await pagesOf(ann, `/2/spaces/${open.id}/buyers`), [[]])
      assert.deepEqual((await one(sold.id, 'is_ticketed')).is_ticketed, true)
      assert.deepEqual((await one(open.id, 'is_ticketed')).is_ticketed, false)
      const refused = await bob.core('GET', path)
      assert.deepEqual(
        [refused.status, (refused.json as { detail: string }).detail],
        [403, 'Only the creator of a space may see who bought its tickets.'],
      )
      await context.store.write((tx) => tx.run(suspend, { id: cat.id }))
      assert.deepEqual(await pagesOf(ann, path), [[bob.id]])
    })

    test('a scheduled space goes live and ends by the clock, with one event each', async () => {
      const start = now() + HOUR_MS
      const { id } = await make({ creatorId: ann.id, startsAt: start, lastsMs: 30 * MINUTE_MS })
      const said = { space_id: id, creator_id: ann.id }
      assert.deepEqual(await one(id), { id, state: 'scheduled' })
      await opened.plaza.tasks.runDue('announce space')
      assert.deepEqual(await logged(id), [])
      opened.plaza.clock.advance(HOUR_MS)
      assert.deepEqual(await one(id), { id, state: 'live', started_at: at(start) })
      await opened.plaza.tasks.runDue('announce space')
      await opened.plaza.tasks.runDue('announce space')
      assert.deepEqual(await logged(id), [['space.started', said]])
      opened.plaza.clock.advance(30 * MINUTE_MS)
      assert.deepEqual(await one(id), {
        id,
        state: 'ended',
        started_at: at(start),
        ended_at: at(start + 30 * MINUTE_MS),
      })
      await opened.plaza.tasks.runDue('announce space')
      assert.deepEqual(await logged(id), [
        ['space.started', said],
        ['space.ended', said],
      ])
    })

    test('a start is moved forward, an end is at once, and a scheduled space can be removed', async () => {
      const { store } = opened.plaza.context
      const first = await make({ creatorId: ann.id, startsAt: now() + HOUR_MS, lastsMs: HOUR_MS })
      const scheduled = at(first.starts_at)
      await store.write((tx) => startSpace(tx, first.id))
      assert.deepEqual(await one(first.id, 'started_at,scheduled_start,updated_at'), {
        id: first.id,
        state: 'live',
        scheduled_start: scheduled,
        started_at: at(now()),
        updated_at: at(now()),
      })
      opened.plaza.clock.advance(MINUTE_MS)
      await store.write((tx) => endSpace(tx, first.id))
      assert.equal((await one(first.id)).ended_at, at(now()))
      opened.plaza.clock.advance(2 * HOUR_MS)
      await opened.plaza.tasks.runDue('announce space')
      assert.deepEqual(
        (await logged(first.id)).map(([kind]) => kind),
        ['space.started', 'space.ended'],
      )
      await assert.rejects(
        store.write((tx) => endSpace(tx, first.id)),
        /has ended already/,
      )
      await assert.rejects(
        store.write((tx) => startSpace(tx, first.id)),
        /only a scheduled one can be started/,
      )
      const second = await make({ creatorId: ann.id, startsAt: now() + HOUR_MS })
      await store.write((tx) => endSpace(tx, second.id))
      opened.plaza.clock.advance(HOUR_MS)
      await opened.plaza.tasks.runDue('announce space')
      assert.deepEqual(await logged(second.id), [])
      const { errors } = await read(`/2/spaces?ids=${second.id}`)
      assert.deepEqual(
        errors?.map((error) => [error.resource_type, error.detail]),
        [['space', `Could not find space with ids: [${second.id}].`]],
      )
    })

    test('fields and expansions name who takes part', async () => {
      const { id } = await make({
        creatorId: ann.id,
        title: 'Cats & dogs',
        lang: 'en',
        cohostIds: [bob.id],
        invitedIds: [bob.id],
      })
      const fields =
        'created_at,creator_id,ended_at,host_ids,id,invited_user_ids,is_ticketed,lang,participant_count,scheduled_start,speaker_ids,started_at,state,subscriber_count,title,topic_ids,updated_at'
      const { data, includes } = await read(
        `/2/spaces/${id}?space.fields=${fields}&expansions=creator_id,host_ids,topic_ids`,
      )
      assert.deepEqual(data, {
        id,
        state: 'live',
        created_at: at(now()),
        creator_id: ann.id,
        host_ids: [ann.id, bob.id],
        invited_user_ids: [bob.id],
        is_ticketed: false,
        lang: 'en',
        participant_count: 2,
        started_at: at(now()),
        subscriber_count: 0,
        title: 'Cats & dogs',
        updated_at: at(now()),
      })
      assert.deepEqual(includes?.users?.map((user) => user.id).sort(), [ann.id, bob.id].sort())
    })

    test('searches find live and scheduled spaces by all words of the query, in any case', async () => {
      const mark = `w${ann.id.slice(-6)}`
      const live = await make({ creatorId: ann.id, title: `Ärger mit ${mark} Katzen` })
      const later = await make({ creatorId: ann.id, title: `${mark} Hunde`, startsAt: now() + HOUR_MS })
      const search = (words: string, more = '') =>
        ids(`/2/spaces/search?query=${encodeURIComponent(words)}${more}`)
      assert.deepEqual(await search(mark.toUpperCase()), [later.id, live.id])
      assert.deepEqual(await search(mark, '&max_results=1'), [later.id])
      assert.deepEqual(await search(`KATZEN, ${mark} ärger!`), [live.id])
      assert.deepEqual(await search(`${mark} Hamster`), [])
      assert.deepEqual(await search(mark, '&state=live'), [live.id])
      assert.deepEqual(await search(mark, '&state=scheduled'), [later.id])
      assert.deepEqual(await ids(`/2/spaces/by/creator_ids?user_ids=${ann.id},${bob.id}`), [
        later.id,
        live.id,
      ])
      await opened.plaza.context.store.write((tx) => endSpace(tx, live.id))
      assert.deepEqual(await search(mark), [later.id])
      assert.deepEqual(await ids(`/2/spaces/by/creator_ids?user_ids=${ann.id}`), [later.id])
      assert.deepEqual(await read('/2/spaces/search?query=nothinglikethis'), { meta: { result_count: 0 } })
    })

    test('posts that were shared in a space are listed as far as the caller sees them', async () => {
      const { context } = opened.plaza
      const { id } = await make({ creatorId: ann.id })
      const posts = [
        await makePost(context, { authorId: ann.id }),
        await makePost(context, { authorId: ann.id }),
      ]
      for (const post of [...posts, posts[0]])
        await context.store.write((tx) => shareInSpace(tx, id, post?.id ?? ''))
      assert.deepEqual(await ids(`/2/spaces/${id}/posts`), [posts[1]?.id, posts[0]?.id])
      const page = (token = '') => read(`/2/spaces/${id}/posts?max_results=1${token}`)
      const first = await page()
      const second = await page(`&pagination_token=${first.meta?.next_token}`)
      const back = await page(`&pagination_token=${second.meta?.previous_token}`)
      assert.deepEqual(
        [first, second, back].map(({ data }) => data?.map((one) => one.id)),
        [[posts[1]?.id], [posts[0]?.id], [posts[1]?.id]],
      )
      assert.deepEqual([first.meta?.previous_token, second.meta?.next_token], [undefined, undefined])
      await ann.core('DELETE', `/2/posts/${posts[1]?.id}`)
      assert.deepEqual((await read(`/2/spaces/${id}/posts`)).meta, { result_count: 1 })
      await assert.rejects(
        context.store.write((tx) => shareInSpace(tx, id, '456')),
        /There is no post 456/,
      )
      assert.equal((await read('/2/spaces/none/posts')).errors?.length, 1)
    })

    test('a user has up to 10 current spaces; no one sees those of a suspended user', async () => {
      const { id } = await make({ creatorId: ann.id })
      for (let count = 1; count < MAX_CURRENT; count++) await make({ creatorId: ann.id })
      await assert.rejects(make({ creatorId: ann.id }), /has 10 live and scheduled spaces already/)
      await opened.plaza.context.store.write((tx) => tx.run(suspend, { id: ann.id }))
      const { data, errors } = await read(`/2/spaces?ids=${id}`)
      assert.deepEqual([data, errors?.map((error) => error.title)], [undefined, ['Authorization Error']])
      assert.deepEqual(await ids(`/2/spaces/by/creator_ids?user_ids=${ann.id}`), [])
    })
  })
}

test('an operator schedules, starts, ends and lists spaces, and decides who sends messages', async (t) => {
  const { data } = await startCli(t, { args: [smallSeedFlag(t)] })
  const run = (...args: string[]) => runPlaza(t, [...args, `--data=${data}`, '--json'])
  const facts = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args)
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout) as Record<string, unknown>
  }
  const wrong = async (...args: string[]) => {
    const { code, stderr } = await run(...args)
    assert.notEqual(code, 0)
    return stderr
  }
  const soon = new Date(Date.now() + HOUR_MS).toISOString()
  const scheduled = await facts('space', 'schedule', '--creator=demo', '--title=Hello', `--at=${soon}`)
  assert.deepEqual([scheduled.state, scheduled.title], ['scheduled', 'Hello'])
  const id = String(scheduled.id)
  assert.equal((await facts('space', 'start', id)).state, 'live')
  assert.match(await wrong('space', 'start', id), /only a scheduled one can be started/)
  assert.equal((await facts('space', 'list', '--state=live')).id, id)
  assert.deepEqual(await facts('space', 'end', id), { id, state: 'ended' })
  assert.match(
    await wrong('space', 'schedule', '--creator=demo', '--title=x', '--at=noon'),
    /--at must be a time/,
  )
  assert.match(await wrong('space', 'share', id, '456'), /There is no post 456/)
  assert.match(await wrong('space', 'start', '--creator=nobody', '--title=x'), /There is no user nobody/)
  assert.equal((await facts('user', 'messages', 'advertiser', 'followed')).direct_messages_from, 'followed')
  assert.match(
    await wrong('user', 'messages', 'advertiser', 'friends'),
    /'friends' is invalid .* everyone, followed/,
  )
})
