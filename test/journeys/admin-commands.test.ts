import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { removeRows } from '../../src/api/ads/catalogs/tasks.ts'
import { query } from '../../src/app/tables.ts'
import { endOfLog, readEvents } from '../../src/platform/events/log.ts'
import { enqueue } from '../../src/platform/queue/enqueue.ts'
import { Admin } from '../support/admin.ts'
import { Client, demoKeys } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'
import { runPlaza, smallSeedFlag, startCli } from './cli.fixture.ts'

// Notes, spaces, tasks and the search index through the admin API, and through the commands that
// call it.

type Data = Record<string, unknown>

const HOUR_MS = 3_600_000

const killTasks = query<{ reason: string; now: number }>('killTasksOfAdminTest', (db, at) =>
  db
    .updateTable('tasks')
    .set({ state: 'dead', reason: at.reason, attempts: 50, due_at: at.now })
    .where('kind', '=', removeRows.name)
    .where('state', '=', 'waiting'),
)

for (const stage of stages) {
  describe(`notes, spaces and tasks of the admin API on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let admin: Admin
    const ids: Record<string, string> = {}

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' }, { usesOwnClock: true })
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
      for (const screen_name of ['ann', 'bob', 'cyd']) {
        const made = await admin.call('POST', '/users', {
          screen_name,
          name: screen_name,
          password: 'secret',
        })
        ids[screen_name] = String(made.id)
      }
      // Spaces start and end while time stands still.
      await admin.call('PUT', '/clock', { frozen: true })
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const keys = () => demoKeys(opened.plaza)
    const read = async (path: string) => (await client.signed('GET', path, keys())).json as { data: Data }

    test('a space is scheduled, started, shared in and ended', async () => {
      const { now } = await admin.call<{ now: string }>('GET', '/clock')
      const scheduled = await admin.call('POST', '/spaces', {
        ...{ creator: 'ann', title: 'Bridges', starts_at: '+2h', minutes: 30, lang: 'en' },
        ...{ hosts: ['bob'], speakers: [ids.cyd], invited: ['@bob', 'cyd'] },
      })
      const starts_at = new Date(Date.parse(now) + 2 * HOUR_MS).toISOString()
      const id = String(scheduled.id)
      assert.deepEqual(scheduled, {
        ...{ id, state: 'scheduled', title: 'Bridges', lang: 'en', creator_id: ids.ann, starts_at },
        ...{ host_ids: [ids.ann, ids.bob], speaker_ids: [ids.cyd], invited_user_ids: [ids.bob, ids.cyd] },
        ends_at: new Date(Date.parse(starts_at) + HOUR_MS / 2).toISOString(),
      })
      const live = await admin.call('POST', `/spaces/${id}/start`)
      assert.deepEqual(
        [live.state, live.starts_at, live.ends_at],
        ['live', now, new Date(Date.parse(now) + HOUR_MS / 2).toISOString()],
      )
      assert.equal((await read(`/2/spaces/${id}?space.fields=state`)).data.state, 'live')
      assert.deepEqual(await admin.wrong('POST', `/spaces/${id}/start`), [
        409,
        `The space ${id} is live: only a scheduled one can be started.`,
      ])
      const post = await admin.call('POST', '/posts', { author: 'bob', text: 'Listen' })
      const shared = { space_id: id, post_id: post.id }
      assert.deepEqual(await admin.call('PUT', `/spaces/${id}/posts/${post.id}`), shared)
      assert.deepEqual(await admin.call('PUT', `/spaces/${id}/posts/${post.id}`), shared)
      const { data } = (await read(`/2/spaces/${id}/posts`)) as unknown as { data: Data[] }
      assert.deepEqual(
        data.map((one) => one.id),
        [post.id],
      )
      assert.deepEqual(await admin.wrong('PUT', `/spaces/${id}/buyers/bob`), [
        409,
        `The space ${id} sells no tickets.`,
      ])
      assert.deepEqual(await admin.call('POST', `/spaces/${id}/end`), { id, state: 'ended' })
      assert.deepEqual(await admin.wrong('POST', `/spaces/${id}/end`), [
        409,
        `The space ${id} has ended already.`,
      ])
      const other = await admin.call('POST', '/spaces', { creator: 'cyd', title: 'Later', starts_at: '+1h' })
      const third = await admin.call('POST', '/spaces', { creator: 'cyd', title: 'Now' })
      assert.deepEqual(
        (await admin.all<Data>('/spaces')).map(({ id, state }) => [id, state]),
        [
          [id, 'ended'],
          [other.id, 'scheduled'],
          [third.id, 'live'],
        ],
      )
      assert.deepEqual(await admin.call('POST', `/spaces/${other.id}/end`), {
        id: other.id,
        state: 'removed',
      })
    })

    test('a user buys a ticket of a space', async () => {
      const sold = await admin.call('POST', '/spaces', { creator: 'ann', title: 'Sold', ticketed: true })
      const buyer = { id: ids.bob, screen_name: 'bob', name: 'bob' }
      for (let round = 0; round < 2; round++)
        assert.deepEqual(await admin.call('PUT', `/spaces/${sold.id}/buyers/bob`), buyer)
      await admin.call('POST', `/spaces/${sold.id}/end`)
    })

    test('wrong values of a space are named, and make nothing', async () => {
      const known = (await admin.all('/spaces')).length
      const valid = { creator: 'ann', title: 'Bridges' }
      for (const [body, status, message] of [
        [{ ...valid, creator: 'nobody' }, 400, 'There is no user nobody.'],
        [{ ...valid, hosts: ['nobody'] }, 400, 'There is no user nobody.'],
        [{ ...valid, hosts: ['ann', 'bob', 'cyd'] }, 400, '$.hosts: must be between 0 and 2 long'],
        [{ ...valid, title: '\u200b' }, 400, '`title` must have a visible character.'],
        [{ ...valid, starts_at: '-1h' }, 400, '`starts_at` must be within the next 30 days.'],
        [
          { ...valid, starts_at: 'noon' },
          400,
          '`starts_at` must be a time such as 2026-03-01T12:00:00Z, or a distance from now such as -2h.',
        ],
        [{ ...valid, minutes: 0 }, 400, '$.minutes: must be between 1 and 1440'],
      ] as const)
        assert.deepEqual(await admin.wrong('POST', '/spaces', body), [status, message])
      const [far, says] = await admin.wrong('POST', '/spaces', { ...valid, starts_at: '+31d' })
      assert.equal(far, 400)
      assert.match(says, /^`starts_at` must be from 2010-11-05T00:00:00\.000Z to /)
      assert.equal((await admin.all('/spaces')).length, known)
      for (const path of ['/start', '/end'])
        assert.deepEqual(await admin.wrong('POST', `/spaces/none${path}`), [404, 'There is no space none.'])
      const { id } = await admin.call('POST', '/spaces', valid)
      assert.deepEqual(await admin.wrong('PUT', `/spaces/${id}/posts/456`), [400, 'There is no post 456.'])
    })

    test('notes are requested and rated as any user', async () => {
      const post = await admin.call('POST', '/posts', { author: 'ann', text: 'It opened in 1952' })
      const path = `/posts/${post.id}/note_requests`
      // The service that selects posts for notes has seen the post.
      await until('it may have notes', async () => (await admin.send('PUT', `${path}/bob`)).status === 200)
      assert.deepEqual(await admin.call('PUT', `${path}/bob`), { post_id: post.id, requests: 1 })
      assert.deepEqual(await admin.call('PUT', `${path}/${ids.cyd}`), { post_id: post.id, requests: 2 })
      assert.deepEqual(await admin.wrong('PUT', `${path}/nobody`), [404, 'There is no user nobody.'])
      assert.deepEqual(await admin.wrong('PUT', '/posts/456/note_requests/bob'), [
        409,
        'Notes cannot be requested on post 456: it must be public, not a repost, and at most 7 days old.',
      ])
      const info = {
        text: 'It opened in 1932: https://example.com/bridge',
        classification: 'misinformed_or_potentially_misleading',
        misleading_tags: ['factual_error'],
        trustworthy_sources: true,
      }
      const writer = demoKeys(opened.plaza)
      const written = await client.signed('POST', '/2/notes', writer, {
        json: { test_mode: false, post_id: post.id, info },
      })
      assert.ok(written.status < 300, written.text)
      const note = (written.json as { data: { id: string } }).data.id
      const rating = { helpfulness: 'not_helpful', viewpoint: 'negative', tags: ['incorrect'] }
      const rated = { note_id: note, status: 'minimum_ratings_not_met' }
      assert.deepEqual(await admin.call('PUT', `/notes/${note}/ratings/bob`, rating), {
        ...rated,
        user_id: ids.bob,
      })
      assert.deepEqual(await admin.call('PUT', `/notes/${note}/ratings/cyd`, {}), {
        ...rated,
        user_id: ids.cyd,
      })
      const wrongTag = await admin.wrong('PUT', `/notes/${note}/ratings/bob`, { tags: ['foo'] })
      assert.equal(wrongTag[0], 400)
      assert.match(wrongTag[1], /^\$\.tags\[0\]: must be one of \[addresses_claim,/)
      assert.deepEqual(await admin.wrong('PUT', '/notes/456/ratings/bob', {}), [404, 'There is no note 456.'])
      const { data: me } = await read('/2/users/me')
      assert.deepEqual(await admin.wrong('PUT', `/notes/${note}/ratings/${me.id}`, {}), [
        409,
        'Writers cannot rate their own notes.',
      ])
    })

    test('dead letters are counted, listed, retried and discarded', async () => {
      const { store, clock } = opened.plaza.context
      const later = clock.now() + HOUR_MS
      const tasks = (...sets: string[]) =>
        sets.map((set) => removeRows.task({ of: 'set', id: set, user: '1' }, later))
      await store.write(async (tx) => {
        await enqueue(tx, ...tasks('1', '2', '3'))
        await tx.run(killTasks, { reason: 'the disk is full', now: Date.UTC(2026, 2, 1) })
        await enqueue(tx, ...tasks('3', '4'))
      })
      const counts = (await admin.call('GET', '/tasks/counts')) as unknown as Data[]
      assert.deepEqual(
        counts.filter(({ kind }) => kind === 'remove catalog rows'),
        [
          { kind: 'remove catalog rows', state: 'dead', count: 3 },
          { kind: 'remove catalog rows', state: 'waiting', count: 2 },
        ],
      )
      const letters = await admin.all<Data>('/tasks/dead_letters?kind=remove%20catalog%20rows')
      assert.deepEqual(
        letters.map(({ kind, payload, reason, attempts, failed_at }) => [
          ...[kind, payload, reason, attempts, failed_at],
        ]),
        ['1', '2', '3'].map((set) => [
          ...['remove catalog rows', { of: 'set', id: set, user: '1' }, 'the disk is full', 50],
          '2026-03-01T00:00:00.000Z',
        ]),
      )
      assert.deepEqual(await admin.all('/tasks/dead_letters'), letters)
      assert.deepEqual(await admin.all('/tasks/dead_letters?kind=other'), [])
      const [first, second, third] = letters.map(({ id }) => `/tasks/dead_letters/${id}`) as [
        string,
        string,
        string,
      ]
      assert.deepEqual(await admin.call('POST', `${first}/retry`), { retried: true })
      assert.deepEqual(await admin.wrong('POST', `${third}/retry`), [
        409,
        'a newer task already does the same: discard this one',
      ])
      assert.deepEqual(await admin.call('DELETE', second), { deleted: true })
      const gone = letters[1]?.id
      assert.deepEqual(await admin.wrong('DELETE', second), [404, `There is no dead letter ${gone}.`])
      assert.deepEqual(await admin.wrong('POST', `${second}/retry`), [
        404,
        `There is no dead letter ${gone}.`,
      ])
      assert.deepEqual(
        (await admin.all<Data>('/tasks/dead_letters')).map(({ id }) => id),
        [letters[2]?.id],
      )
    })

    test('the search index is built again', async () => {
      await admin.call('POST', '/posts', { author: 'ann', text: 'A quokka', created_at: '-1h' })
      const found = async () => {
        const reply = await client.signed('GET', '/2/posts/search/recent?query=quokka', keys())
        return (reply.json as { meta?: { result_count: number } }).meta?.result_count
      }
      await until('it is found', async () => (await found()) === 1)
      const { store } = opened.plaza.context
      const after = await endOfLog(store)
      assert.deepEqual(await admin.call('POST', '/search/rebuild'), { requested: true })
      const events = await readEvents(store, { after, limit: 100 })
      assert.deepEqual(
        events.map(({ kind, data }) => [kind, data]),
        [['search.rebuild', { index: 'posts' }]],
      )
      await until('it is found again', async () => (await found()) === 1)
    })
  })
}

test('commands for notes, spaces, tasks and the search index reach a Plaza in memory', async (t) => {
  const { readyPath } = await startCli(t, { args: ['--memory', smallSeedFlag(t)] })
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runPlaza(t, [...args, `--ready-file=${readyPath}`, '--json'])
    assert.equal(code, 0, stderr)
    return stdout === '' ? undefined : (JSON.parse(stdout.split('\n')[0] ?? '') as Data)
  }
  const space = await run('space', 'start', '--creator=demo', '--title=Bridges', '--hosts=advertiser')
  assert.equal(space?.state, 'live')
  assert.equal((await run('space', 'list', '--state=live'))?.id, space?.id)
  assert.deepEqual(await run('space', 'end', String(space?.id)), { id: space?.id, state: 'ended' })
  assert.deepEqual(await run('search', 'rebuild'), { requested: true })
  assert.equal(typeof (await run('tasks', 'count'))?.count, 'number')
  assert.equal(await run('tasks', 'list'), undefined)
  const posted = ['request', 'POST', '/2/posts', '-d', '{"text":"It opened in 1952"}']
  const sent = await runPlaza(t, [...posted, `--ready-file=${readyPath}`])
  const post_id = (JSON.parse(sent.stdout) as { data: { id: string } }).data.id
  assert.deepEqual(await run('note', 'request', post_id, '--user=advertiser'), { post_id, requests: 1 })
  const missing = await runPlaza(t, ['note', 'rate', '456', '--user=demo', `--ready-file=${readyPath}`])
  assert.deepEqual([missing.code, missing.stderr], [1, 'plaza: There is no note 456.\n'])
})
