import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { broadcastsProblems } from '../../src/app/seed/content/broadcast-problems.ts'
import { Users } from '../../src/app/seed/known.ts'
import { query } from '../../src/app/tables.ts'
import { MAX_CURRENT } from '../../src/domain/broadcasts/broadcasts.ts'
import { setReceiving } from '../../src/domain/broadcasts/queries.ts'
import { readEvents } from '../../src/platform/events/log.ts'
import { exportBroadcasts } from '../../src/workbench/seed/export-broadcasts.ts'
import { pagesOf } from '../support/actions.ts'
import { makeABroadcast, makeASource } from '../support/broadcasts.ts'
import { Client, type Reply } from '../support/client.ts'
import { png, uploaded } from '../support/media.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'
import { runPlaza, smallSeedFlag, startCli, stopCli, temporaryFolder } from './cli.fixture.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

type Data = Record<string, unknown>
interface Body {
  data?: Data & Data[]
  includes?: Record<string, Data[]>
  errors?: { detail: string }[]
  detail?: string
  meta?: { result_count: number; next_token?: string }
}

const suspend = query<{ id: string }>('suspendChatter', (db, at) =>
  db.updateTable('users').set({ suspended: 1 }).where('id', '=', at.id),
)

for (const stage of stages) {
  describe(`broadcasts on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Person
    let bob: Person
    let source: string

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
      source = await makeASource(opened.plaza.context, ann)
    })

    const now = () => opened.plaza.clock.now()
    const announce = () => opened.plaza.tasks.runDue('announce broadcast')
    const bodyOf = (reply: Reply, status = 200): Body => {
      assert.equal(reply.status, status, reply.text)
      return reply.json as Body
    }
    const call = async (
      who: Person,
      verb: Parameters<Person['core']>[0],
      path: string,
      json?: object,
      status?: number,
    ) => bodyOf(await who.core(verb, `/2/broadcasts${path}`, json), status)
    const refused = async (who: Person, verb: Parameters<Person['core']>[0], path: string, json?: object) => {
      const reply = await who.core(verb, `/2/broadcasts${path}`, json)
      const body = reply.json as Body
      return [reply.status, reply.status === 200 ? body.errors?.[0]?.detail : body.detail]
    }
    const wrong = async (verb: Parameters<Person['core']>[0], path: string, json?: object) => {
      const reply = await ann.core(verb, `/2/broadcasts${path}`, json)
      assert.equal(reply.status, 400, reply.text)
      return (reply.json as { errors: { parameters: object; message: string }[] }).errors.map(
        ({ parameters, message }) => [parameters, message],
      )
    }
    const times = (start = now() + HOUR_MS, lasts = HOUR_MS) => ({
      scheduled_start_ms: String(start),
      scheduled_end_ms: String(start + lasts),
    })
    const schedule = async (more: object = {}, who = ann): Promise<Data> => {
      const own = who === ann ? source : await makeASource(opened.plaza.context, who)
      return (await call(who, 'POST', '/scheduled', { source_id: own, ...times(), ...more }, 201))
        .data as Data
    }
    const get = async (id: unknown, who = ann) => (await call(who, 'GET', `/scheduled/${id}`)).data as Data
    const look = async (id: unknown, fields: string, who = ann) =>
      (await call(who, 'GET', `/${id}?broadcast.fields=${fields}`)).data as Data
    const stateOf = async (id: unknown) => (await look(id, 'state')).state
    const scheduledIds = async (more = '') =>
      ((await call(ann, 'GET', `/scheduled?max_results=100${more}`)).data ?? []).map(
        (one) => one.broadcast_id,
      )
    const logged = async (id: unknown) => {
      const events = await readEvents(opened.plaza.context.store, { after: 0, limit: 10_000 })
      return events.filter(({ subject }) => subject === id).map(({ kind }) => kind)
    }
    const unknown = (id: unknown, parameter = 'id', type = 'broadcast') =>
      `Could not find ${type} with ${parameter}: [${id}].`

    test('a scheduled broadcast runs and ends by the clock, with one event each', async () => {
      const start = now() + HOUR_MS
      const medium = await uploaded(opened.plaza.context, ann.id, png(4, 4))
      const settings = {
        ...{ title: 'Bread', description: 'Rye', locale: 'de_DE', chat_option: '2', telecast_id: '77' },
        ...{ available_for_replay: true, thumbnail_media_id: medium.id },
      }
      const made = await schedule(settings)
      const { broadcast_id: id, scheduled_broadcast_id } = made
      assert.match(String(scheduled_broadcast_id), /^[0-9]{1,19}$/)
      assert.deepEqual(made, {
        ...{ broadcast_id: id, scheduled_broadcast_id, state: 'Scheduled', source_id: source, ...settings },
        ...{ ...times(start), manual_publish: false },
      })
      assert.deepEqual(await get(id), made)
      await announce()
      assert.deepEqual(await logged(id), [])
      assert.deepEqual(await look(id, 'start_ms,end_ms'), {
        ...{ id, broadcast_id: id, state: 'Scheduled', title: 'Bread' },
      })

      opened.plaza.clock.advance(HOUR_MS + 5)
      assert.equal(await stateOf(id), 'Running', 'no reader waits for a task')
      await announce()
      await announce()
      assert.deepEqual(await logged(id), ['broadcast.started'])
      opened.plaza.clock.advance(HOUR_MS)
      await announce()
      await announce()
      assert.deepEqual(await logged(id), ['broadcast.started', 'broadcast.ended'])
      const all =
        'available_for_replay,chat_option,end_ms,height,image_url,image_url_medium,image_url_small,is_high_latency,language,media_key,post_id,scheduled_end_ms,scheduled_start_ms,service_user_id,share_url,source_id,start_ms,total_watched,total_watching,width'
      const shown = await look(id, all)
      const url = String(shown.image_url)
      assert.match(url, /\/media\//)
      assert.deepEqual(shown, {
        ...{ id, broadcast_id: id, state: 'Ended', title: 'Bread', available_for_replay: true },
        ...{ chat_option: 2, language: 'de', service_user_id: ann.id, source_id: source },
        ...{ image_url: url, image_url_medium: url, image_url_small: url },
        ...{ height: 720, width: 1280, is_high_latency: false },
        ...{ start_ms: String(start), end_ms: String(start + HOUR_MS), ...times(start) },
        ...{ total_watched: '0', total_watching: '0' },
      })
      for (const [verb, path, json] of [
        ['PUT', `/scheduled/${id}`, { scheduled_broadcast_id, ...times() }],
        ['DELETE', `/scheduled/${id}`, undefined],
      ] as const)
        assert.deepEqual(await refused(ann, verb, path, json), [
          409,
          'Only a broadcast that has not started can be changed or deleted.',
        ])
    })

    test('a manual broadcast waits for its owner, and for its source', async () => {
      const { store } = opened.plaza.context
      const { broadcast_id: id } = await schedule({ manual_publish: true })
      assert.equal(await stateOf(id), 'Created')
      opened.plaza.clock.advance(HOUR_MS + MINUTE_MS)
      await announce()
      assert.equal(await stateOf(id), 'Created', 'it does not start by itself')
      await store.write((tx) => tx.run(setReceiving, { id: source, receiving: 0 }))
      const live = `/scheduled/${id}/live`
      assert.deepEqual(await refused(ann, 'POST', live), [
        409,
        'The source of the broadcast is not receiving video.',
      ])
      await store.write((tx) => tx.run(setReceiving, { id: source, receiving: 1 }))
      assert.deepEqual(await refused(bob, 'POST', live), [200, unknown(id)])
      const begun = now()
      assert.equal(((await call(ann, 'POST', live)).data as Data).state, 'Running')
      assert.equal((await look(id, 'start_ms')).start_ms, String(begun))
      assert.deepEqual(await logged(id), ['broadcast.started'])
      assert.deepEqual(await refused(ann, 'POST', live), [
        409,
        'Only a broadcast that has not started can go live.',
      ])
      const { broadcast_id: own } = await schedule()
      assert.deepEqual(await wrong('POST', `/scheduled/${own}/live`), [
        [{ id: [own] }, `The broadcast [${own}] starts at its scheduled time`],
      ])
      const { broadcast_id: never } = await schedule({ manual_publish: true })
      opened.plaza.clock.advance(2 * HOUR_MS)
      await announce()
      assert.equal(await stateOf(never), 'Ended')
      assert.deepEqual(await logged(never), [], 'one that nobody started ends without a word')
    })

    test('what cannot be scheduled names its member and changes nothing', async () => {
      const foreign = await makeASource(opened.plaza.context, bob)
      const good = { source_id: source, ...times() }
      const [start, end] = [good.scheduled_start_ms, good.scheduled_end_ms]
      const far = String(now() + 400 * DAY_MS)
      for (const [change, name, value, message] of [
        [{ scheduled_start_ms: '1' }, 'scheduled_start_ms', '1', 'The start must be in the future.'],
        [{ scheduled_end_ms: start }, 'scheduled_end_ms', start, 'The end must be after the start.'],
        [{ scheduled_end_ms: far }, 'scheduled_end_ms', far, 'The end must be within 366 days.'],
        [{ source_id: foreign }, 'source_id', foreign, `You have no source ${foreign}.`],
        [{ thumbnail_media_id: '5' }, 'thumbnail_media_id', '5', 'You have no image 5.'],
        [
          { recurrence: { frequency: 'Daily', repeats: '0' } },
          'recurrence.repeats',
          '0',
          'There must be 1 to 365 repeats.',
        ],
      ] as const)
        assert.deepEqual(await wrong('POST', '/scheduled', { ...good, ...change }), [
          [{ [name]: [value] }, message],
        ])
      const wide = await ann.core('POST', '/2/broadcasts/scheduled', { ...good, chat_option: '9999999999' })
      assert.equal(wide.status, 400, 'it is shown as a number')
      assert.deepEqual(await scheduledIds(), [])
      const { broadcast_id: id } = await schedule()
      assert.deepEqual(await wrong('PUT', `/scheduled/${id}`, { ...times(), scheduled_broadcast_id: '1' }), [
        [{ scheduled_broadcast_id: ['1'] }, `The broadcast ${id} has another id.`],
      ])
      assert.equal((await get(id)).scheduled_end_ms, end)
      assert.deepEqual(await wrong('GET', '/scheduled?oldest_start_time=soon'), [
        [
          { oldest_start_time: ['soon'] },
          'The `oldest_start_time` query parameter value [soon] is not a time',
        ],
      ])
      assert.deepEqual(await wrong('GET', `?ids=${id}&max_results=5`), [
        [{ max_results: ['5'] }, 'The `max_results` query parameter cannot be combined with `ids`'],
      ])
      for (let made = 1; made < MAX_CURRENT; made++)
        await makeABroadcast(opened.plaza.context, { user_id: ann.id })
      assert.deepEqual(await refused(ann, 'POST', '/scheduled', good), [
        403,
        'A user may have at most 100 broadcasts that have not ended.',
      ])
    })

    test('a replacement drops what it does not name, and moves the start', async () => {
      const made = await schedule({ title: 'Bread', description: 'Rye', telecast_id: '77', is_locked: true })
      const { broadcast_id: id, scheduled_broadcast_id } = made
      const later = times(now() + 3 * HOUR_MS)
      const { data } = await call(ann, 'PUT', `/scheduled/${id}`, {
        scheduled_broadcast_id,
        ...later,
        title: 'Rye',
      })
      assert.deepEqual(data, {
        ...{ broadcast_id: id, scheduled_broadcast_id, state: 'Scheduled', title: 'Rye', telecast_id: '77' },
        ...{ ...later, manual_publish: false, available_for_replay: false },
      })
      opened.plaza.clock.advance(HOUR_MS)
      await announce()
      assert.deepEqual([await stateOf(id), await logged(id)], ['Scheduled', []])
      opened.plaza.clock.advance(2 * HOUR_MS)
      await announce()
      assert.deepEqual([await stateOf(id), await logged(id)], ['Running', ['broadcast.started']])
    })

    test('lists are for the owner: newest first, or in the order of the starts', async () => {
      const late = await schedule({ ...times(now() + 9 * HOUR_MS), title: 'late' })
      const early = await schedule({ title: 'early' })
      const other = await schedule({}, bob)
      const [lateId, earlyId] = [late.broadcast_id, early.broadcast_id]
      assert.deepEqual(await pagesOf(ann, '/2/broadcasts?max_results=1'), [[earlyId], [lateId]])
      assert.deepEqual(await scheduledIds(), [earlyId, lateId])
      assert.deepEqual(await scheduledIds(`&pagination_token=${early.scheduled_broadcast_id}`), [lateId])
      assert.deepEqual(await scheduledIds(`&oldest_start_time=${late.scheduled_start_ms}`), [lateId])
      const until = new Date(now() + 2 * HOUR_MS).toISOString()
      assert.deepEqual(await scheduledIds(`&newest_start_time=${until}`), [earlyId])
      const named = await call(ann, 'GET', `?ids=${lateId},${other.broadcast_id},none`)
      assert.deepEqual(
        [named.data?.map((one) => one.id), named.errors?.map(({ detail }) => detail), named.meta],
        [[lateId], [other.broadcast_id, 'none'].map((id) => unknown(id, 'ids')), { result_count: 1 }],
      )
      const foreign = other.broadcast_id
      for (const path of [`/${foreign}`, `/scheduled/${foreign}`, `/${foreign}/chat`])
        assert.deepEqual(await refused(ann, 'GET', path), [200, unknown(foreign)])
      const put = { scheduled_broadcast_id: other.scheduled_broadcast_id, ...times() }
      assert.deepEqual(await refused(ann, 'PUT', `/scheduled/${foreign}`, put), [200, unknown(foreign)])
      assert.deepEqual(await refused(ann, 'DELETE', `/scheduled/${foreign}`), [200, unknown(foreign)])
      assert.equal((await get(foreign, bob)).state, 'Scheduled')
      assert.equal(
        (await wrong('GET', `/scheduled?pagination_token=${other.scheduled_broadcast_id}`)).length,
        1,
        'the schedules of others are unknown',
      )
    })

    test('a series goes on with its next occurrence, and can be moved or ended', async () => {
      const first = now() + HOUR_MS
      const made = await schedule({ title: 'News', recurrence: { frequency: 'Daily', repeats: '2' } })
      const series = made.recurring_schedule_id
      assert.match(String(series), /^[0-9]{1,19}$/)
      const starts = async () =>
        ((await call(ann, 'GET', '/scheduled')).data ?? []).map((one) => {
          assert.equal(one.recurring_schedule_id, series)
          return [one.title, one.state, Number(one.scheduled_start_ms) - first]
        })
      assert.deepEqual(await starts(), [['News', 'Scheduled', 0]])
      // This one only: later ones keep their times and titles.
      const moved = times(first + MINUTE_MS)
      const put = { scheduled_broadcast_id: made.scheduled_broadcast_id, ...moved }
      await call(ann, 'PUT', `/scheduled/${made.broadcast_id}`, {
        ...put,
        title: 'Late news',
        source_id: source,
      })
      opened.plaza.clock.advance(HOUR_MS + MINUTE_MS)
      await announce()
      assert.deepEqual(await starts(), [
        ['Late news', 'Running', MINUTE_MS],
        ['News', 'Scheduled', DAY_MS],
      ])
      const next = (await call(ann, 'GET', '/scheduled')).data?.[1] as Data
      // The later ones follow.
      await call(ann, 'PUT', `/scheduled/${next.broadcast_id}`, {
        ...{ scheduled_broadcast_id: next.scheduled_broadcast_id, title: 'Evening news', source_id: source },
        ...{ ...times(first + DAY_MS + HOUR_MS), roll_forward: true },
      })
      // The series goes on without it.
      await call(ann, 'DELETE', `/scheduled/${next.broadcast_id}?roll_forward=true`)
      assert.deepEqual(await starts(), [
        ['Late news', 'Running', MINUTE_MS],
        ['Evening news', 'Scheduled', 2 * DAY_MS + HOUR_MS],
      ])
      opened.plaza.clock.advance(3 * DAY_MS)
      await announce()
      await announce()
      assert.deepEqual(
        (await starts()).map(([title, state]) => [title, state]),
        [
          ['Late news', 'Ended'],
          ['Evening news', 'Ended'],
        ],
        'it has no more occurrences',
      )

      const whole = await schedule({ recurrence: { frequency: 'Weekly', repeats: '5' } })
      await call(ann, 'DELETE', `/scheduled/${whole.broadcast_id}`)
      opened.plaza.clock.advance(30 * DAY_MS)
      await announce()
      assert.equal((await scheduledIds()).length, 2, 'the series has ended with its head')
    })

    test('a series whose times have all passed is caught up, one occurrence after the other', async () => {
      await schedule({ recurrence: { frequency: 'Daily', repeats: '3' } })
      opened.plaza.clock.advance(10 * DAY_MS)
      for (let run = 0; run < 5; run++) await announce()
      const all = (await call(ann, 'GET', '/scheduled')).data ?? []
      assert.deepEqual(
        all.map(({ state }) => state),
        ['Ended', 'Ended', 'Ended', 'Ended'],
      )
      for (const { broadcast_id: id } of all)
        assert.deepEqual(await logged(id), ['broadcast.started', 'broadcast.ended'])
    })

    test('a chat: messages, replies, pages, deletions and watchers', async () => {
      const { id } = await makeABroadcast(opened.plaza.context, { user_id: ann.id })
      const chat = `/${id}/chat`
      const send = async (who: Person, json: object) => {
        const { data } = await call(who, 'POST', chat, json)
        assert.equal(data?.success, true)
        return String(data?.timestamp)
      }
      const first = await send(bob, { text: 'Hello' })
      assert.equal(first, `${now()}000000`)
      const second = await send(ann, { text: 'Hello bob', reply_to: first })
      assert.equal(second, `${now()}000001`, 'two messages of one time')
      const fields =
        'author_name,author_username,broadcast_id,created_at_ms,id,reply_to,text&expansions=author_id&user.fields=username'
      const page = await call(ann, 'GET', `${chat}?broadcast_chat_message.fields=${fields}`)
      const common = { broadcast_id: id, created_at_ms: String(now()), author_name: 'Person' }
      assert.deepEqual(page.data, [
        {
          ...{ id: second, text: 'Hello bob', author_id: ann.id, author_username: ann.screenName },
          ...{ ...common, reply_to: first },
        },
        { id: first, text: 'Hello', author_id: bob.id, author_username: bob.screenName, ...common },
      ])
      assert.deepEqual(
        page.includes?.users?.map((one) => one.id),
        [ann.id, bob.id],
      )
      assert.deepEqual(await pagesOf(ann, `/2/broadcasts${chat}?max_results=1`), [[second], [first]])
      assert.deepEqual(await refused(bob, 'GET', chat), [200, unknown(id)], 'only its owner reads it')
      for (const reply_to of ['05', '9999999999999999999'])
        assert.deepEqual(await refused(bob, 'POST', chat, { text: 'x', reply_to }), [
          200,
          unknown(reply_to, 'reply_to', 'broadcast_chat_message'),
        ])
      assert.equal((await refused(bob, 'POST', chat, { text: ' ' }))[0], 400)

      const totals = () => look(id, 'total_watched,total_watching')
      const cat = await Person.join(opened.plaza, client)
      await send(cat, { text: 'Miaow' })
      const counts = { id, broadcast_id: id, title: 'A broadcast', state: 'Running' }
      assert.deepEqual(await totals(), { ...counts, total_watched: '2', total_watching: '2' })

      await opened.plaza.context.store.write((tx) => tx.run(suspend, { id: cat.id }))
      assert.deepEqual(await pagesOf(ann, `/2/broadcasts${chat}`), [[second, first]])
      assert.deepEqual(await refused(bob, 'DELETE', `${chat}/${first}`), [
        403,
        'Only the owner of a broadcast may moderate its chat.',
      ])
      assert.deepEqual((await call(ann, 'DELETE', `${chat}/${first}`)).data, { deleted: true })
      assert.deepEqual(await refused(ann, 'DELETE', `${chat}/${first}`), [
        200,
        unknown(first, 'message_id', 'broadcast_chat_message'),
      ])
      assert.deepEqual(await pagesOf(ann, `/2/broadcasts${chat}`), [[second]])
    })

    test('mutes are for all broadcasts of their owner, and expire', async () => {
      const { context } = opened.plaza
      const [one, two] = [
        await makeABroadcast(context, { user_id: ann.id }),
        await makeABroadcast(context, { user_id: ann.id, ends_at: now() + 2 * HOUR_MS }),
      ]
      const say = (who = bob, id = one.id) => refused(who, 'POST', `/${id}/chat`, { text: 'Hello' })
      const muted = [403, 'The owner of the broadcast has muted you.']
      assert.deepEqual(await say(), [200, undefined])
      const [{ id: message }] = (await call(ann, 'GET', `/${one.id}/chat`)).data as unknown as [
        { id: string },
      ]
      const mutes = `/${one.id}/chat/mutes`
      const until = String(now() + HOUR_MS)
      const mute = { user_id: bob.id, end_at_ms: until }
      assert.equal((await refused(bob, 'POST', mutes, { user_id: ann.id }))[0], 403)
      assert.deepEqual(await wrong('POST', mutes, { user_id: ann.id }), [
        [{ user_id: [ann.id] }, 'You cannot mute yourself.'],
      ])
      assert.deepEqual(await wrong('POST', mutes, { user_id: bob.id, end_at_ms: '5' }), [
        [{ end_at_ms: ['5'] }, 'The mute must end in the future.'],
      ])
      assert.deepEqual(await refused(ann, 'POST', mutes, { user_id: '5' }), [
        200,
        unknown('5', 'user_id', 'user'),
      ])
      const none = '9999999999999999999'
      assert.deepEqual(await refused(ann, 'POST', mutes, { ...mute, message_id: none }), [
        200,
        unknown(none, 'message_id', 'broadcast_chat_message'),
      ])
      assert.deepEqual(await say(), [200, undefined], 'nothing has changed')
      assert.deepEqual((await call(ann, 'POST', mutes, { ...mute, message_id: message })).data, {
        muted: true,
      })
      assert.equal(((await call(ann, 'GET', `/${one.id}/chat`)).data ?? []).length, 1)
      assert.deepEqual([await say(), await say(bob, two.id)], [muted, muted])
      opened.plaza.clock.advance(HOUR_MS)
      assert.deepEqual(await say(), [200, undefined])
      await call(ann, 'POST', mutes, { user_id: bob.id })
      opened.plaza.clock.advance(HOUR_MS)
      assert.deepEqual(await say(), muted, 'without a time it is for good')
      assert.deepEqual((await call(ann, 'DELETE', `${mutes}/${bob.id}`)).data, { muted: false })
      assert.deepEqual((await call(ann, 'DELETE', `${mutes}/${bob.id}`)).data, { muted: false })
      assert.deepEqual(await say(), [200, undefined])
      const ended = [409, 'The broadcast is not running.']
      assert.deepEqual(await say(bob, two.id), ended)
      assert.deepEqual(await refused(ann, 'DELETE', `/${two.id}/chat/5`), ended)
      assert.deepEqual(await refused(ann, 'POST', `/${two.id}/chat/mutes`, mute), ended)
      await ann.core('POST', `/2/users/${ann.id}/blocking`, { target_user_id: bob.id })
      assert.deepEqual(await say(), [403, 'The owner of the broadcast has blocked you.'])
    })

    test('a seed has what is far ahead, and not what nobody started in time', async () => {
      await schedule({ title: 'Missed', manual_publish: true })
      await schedule({ title: 'Far', ...times(now() + 365 * DAY_MS) })
      opened.plaza.clock.advance(90 * MINUTE_MS)
      const bounds = { limit: 10_000, sources: new Set<string>(), now: now() }
      const names = new Map([[ann.id, 'ann']])
      const broadcasts = await exportBroadcasts(opened.plaza.context.store, names, bounds)
      assert.deepEqual(
        broadcasts.map(({ title }) => title),
        ['Far'],
      )
      const seed = { users: [{ screen_name: 'ann', name: 'Ann' }], broadcasts }
      assert.deepEqual(broadcastsProblems(seed, new Users(seed), now()), [])
    })

    test('nobody else knows of a broadcast that is locked or has not started', async () => {
      const { context } = opened.plaza
      const locked = await makeABroadcast(context, { user_id: ann.id, locked: 1 })
      const { broadcast_id: ahead } = await schedule()
      for (const id of [locked.id, ahead])
        for (const [verb, path, json] of [
          ['POST', `/${id}/chat`, { text: 'Hello' }],
          ['DELETE', `/${id}/chat/5`, undefined],
          ['POST', `/${id}/chat/mutes`, { user_id: ann.id }],
          ['DELETE', `/${id}/chat/mutes/${ann.id}`, undefined],
        ] as const)
          assert.deepEqual(await refused(bob, verb, path, json), [200, unknown(id)])
      assert.deepEqual(await refused(ann, 'POST', `/${locked.id}/chat`, { text: 'Hello' }), [200, undefined])
      assert.deepEqual(await refused(ann, 'POST', `/${ahead}/chat`, { text: 'Hello' }), [
        409,
        'The broadcast is not running.',
      ])
    })
  })
}

test('an operator works with sources and broadcasts, which go on when Plaza is killed', async (t) => {
  const folder = temporaryFolder(t)
  const args = [smallSeedFlag(t)]
  const killed = await startCli(t, { folder, args })
  const run = (...words: string[]) => runPlaza(t, [...words, `--data=${killed.data}`, '--json'])
  const facts = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(...words)
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout) as Data
  }
  const wrong = async (...words: string[]) => {
    const { code, stderr } = await run('broadcast', ...words)
    assert.notEqual(code, 0)
    return stderr
  }
  const source = await facts('broadcast', 'source', 'studio', '--owner=demo', '--name=Studio')
  assert.deepEqual([source.id, source.receiving], ['studio', false])
  assert.match(await wrong('source', 'studio', '--owner=demo'), /There is a source studio/)
  assert.equal((await facts('broadcast', 'receive', 'studio')).receiving, true)
  assert.match(await wrong('receive', 'other'), /There is no source other/)
  const soon = `--at=${new Date(Date.now() + HOUR_MS).toISOString()}`
  const words = ['schedule', '--owner=demo', '--title=Later', '--source=studio', soon, '--minutes=30']
  const later = await facts('broadcast', ...words)
  assert.equal(later.state, 'Scheduled')
  assert.match(
    await wrong(...words.map((word) => word.replace('demo', 'advertiser'))),
    /has no source studio/,
  )
  const live = await facts('broadcast', 'start', '--owner=demo', '--title=Now')
  assert.equal(live.state, 'Running')
  assert.match(await wrong('start', String(live.id)), /has started already/)
  assert.match(await wrong('watch', String(live.id), 'demo'), /owner of a broadcast does not watch/)
  assert.equal((await facts('broadcast', 'watch', String(live.id), 'advertiser')).watching, true)
  assert.equal((await facts('broadcast', 'watch', String(live.id), 'advertiser', '--leave')).watching, false)
  const removed = await facts('broadcast', ...words)
  assert.equal((await facts('broadcast', 'end', String(removed.id))).state, 'removed')
  await stopCli(killed, 'SIGKILL')

  rmSync(join(folder, 'ready.json'), { force: true })
  await startCli(t, { folder, args })
  const states = async () => {
    const { code, stdout, stderr } = await run('broadcast', 'list')
    assert.equal(code, 0, stderr)
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Data)
      .map(({ title, state }) => [title, state])
  }
  assert.deepEqual(await states(), [
    ['Later', 'Scheduled'],
    ['Now', 'Running'],
  ])
  await facts('clock', 'advance', '65m')
  assert.equal((await states())[0]?.[1], 'Running')
  await facts('clock', 'advance', '30m')
  assert.deepEqual(await facts('broadcast', 'end', String(live.id), '--failed'), {
    id: live.id,
    state: 'Error',
  })
  assert.match(await wrong('end', String(live.id)), /has ended already/)
  assert.deepEqual(await states(), [
    ['Later', 'Ended'],
    ['Now', 'Error'],
  ])
})
