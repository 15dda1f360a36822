import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPlaza } from '../../../test/support/plaza.ts'
import { settled, until } from '../../../test/support/until.ts'
import { query } from '../../app/tables.ts'
import { ManualClock } from '../../platform/common/clock.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Line } from '../streams/connections/connection.ts'
import { ActivityFeeds } from './feed.ts'
import { ACTIVITY_CHANNEL } from './producer.ts'
import { activityEventsAfter, addActivityEvents } from './queries.ts'

const suspend = query<{ id: string }>('suspendForFeed', (db, at) =>
  db.updateTable('users').set({ suspended: 1 }).where('id', '=', at.id),
)

test('what waits for a slow reader is not sent once the app may not see it any more', async (t) => {
  const plaza = await startPlaza()
  t.after(() => plaza.close())
  const { store, clock } = plaza.context
  const app_id = plaza.seeded?.apps[0]?.id ?? ''
  const [first = '', second = ''] = (plaza.seeded?.users ?? []).map(({ id }) => id)
  assert.notEqual(second, '')
  const row = (position: number, user_id: string) => ({
    ...{ app_id, position, number: 0, body: JSON.stringify({ n: position }), at: clock.now() },
    ...{ post_id: null, user_id, scope: null },
  })
  await store.write((tx) =>
    addActivityEvents(tx, [row(1, first), row(2, first), row(3, first), row(4, second)]),
  )
  const offered: string[] = []
  const errors: unknown[] = []
  let room = Promise.withResolvers<void>()
  const { promise: over, resolve: close } = Promise.withResolvers<void>()
  const connection = {
    isOpen: true,
    over,
    offerNow: () => false,
    async offer(line: Line) {
      offered.push(line.text.trim())
      await room.promise
    },
    end: async () => undefined,
  }
  const after = { position: 0, number: 0 }
  const feed = { connection, app: app_id, after, until: undefined }
  const monotonic = new ManualClock(0)
  const onError = (error: unknown) => errors.push(error)
  const feeding = new ActivityFeeds({ store, clock, monotonic, onError }).send(feed)
  await until('the first activity waits for the reader', () => offered.length === 1)
  await store.write((tx) => tx.run(suspend, { id: first }))
  // Longer than a change may go unseen.
  monotonic.advance(251)
  room.resolve()
  await until('the last activity', () => offered.includes('{"n":4}'))
  assert.deepEqual([offered, errors], [['{"n":1}', '{"n":4}'], []])
  connection.isOpen = false
  room = Promise.withResolvers()
  room.resolve()
  close()
  await feeding
})

test('a stream of the past ends at its end, however many activities came after it', async (t) => {
  const plaza = await startPlaza()
  t.after(() => plaza.close())
  const { store, clock } = plaza.context
  const app_id = plaza.seeded?.apps[0]?.id ?? ''
  const now = clock.now()
  // More than are read at once.
  const rows = Array.from({ length: 150 }, (_, n) => ({
    ...{ app_id, position: n + 1, number: 0, body: JSON.stringify({ n }), at: n < 2 ? now - 1 : now },
    ...{ post_id: null, user_id: null, scope: null },
  }))
  await store.write((tx) => addActivityEvents(tx, rows))
  const sent: string[] = []
  const ends: string[] = []
  const errors: unknown[] = []
  const { promise: over, resolve: close } = Promise.withResolvers<void>()
  const connection = {
    isOpen: true,
    over,
    offerNow(line: Line) {
      sent.push(line.text.trim())
      return true
    },
    offer: async () => undefined,
    async end(reason: string) {
      ends.push(reason)
      this.isOpen = false
      close()
    },
  }
  t.after(() => connection.end('closed'))
  const feed = { connection, app: app_id, after: { position: 0, number: 0 }, until: now }
  const { monotonic } = plaza.context
  const onError = (error: unknown) => errors.push(error)
  const feeding = new ActivityFeeds({ store, clock, monotonic, onError }).send(feed)
  await until('the stream ends', () => ends.length > 0)
  await feeding
  assert.deepEqual([sent, ends, errors], [['{"n":0}', '{"n":1}'], ['completed'], []])
})

/** A connection that takes every line. */
function reader() {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const lines: string[] = []
  return {
    ...{ lines, over, isOpen: true },
    offerNow(line: Line) {
      lines.push(line.text.trim())
      return true
    },
    offer: async () => undefined,
    async end() {
      this.isOpen = false
      resolve()
    },
  }
}

test('an activity of one app costs no read for another app, however many streams are open', async (t) => {
  const plaza = await startPlaza()
  t.after(() => plaza.close())
  const { clock, monotonic } = plaza.context
  const app = plaza.seeded?.apps[0]?.id ?? ''
  const reads = new Map<unknown, number>()
  const store: Store = {
    ...plaza.context.store,
    async all(wanted, args) {
      const of = (wanted as unknown) === activityEventsAfter ? (args as { app: string }).app : 'all apps'
      reads.set(of, (reads.get(of) ?? 0) + 1)
      return plaza.context.store.all(wanted, args)
    },
  }
  const onError = (error: unknown) => assert.fail(String(error))
  const activityFeeds = new ActivityFeeds({ store, clock, monotonic, onError })
  const begin = { position: 0, number: 0 }
  const feeds: { connection: ReturnType<typeof reader>; fed: Promise<void> }[] = []
  const open = (of: string) => {
    const connection = reader()
    feeds.push({
      connection,
      fed: activityFeeds.send({ connection, app: of, after: begin, until: undefined }),
    })
    return connection
  }
  let position = 0
  const commit = () => {
    const row = { app_id: app, position: ++position, number: 0, body: `{"n":${position}}`, at: clock.now() }
    return store.write(async (tx) => {
      await addActivityEvents(tx, [{ ...row, post_id: null, user_id: null, scope: null }])
      tx.notify(ACTIVITY_CHANNEL)
    })
  }
  const live = open(app)
  for (const idle of [0, 10, 300]) {
    while (feeds.length <= idle) open(`idle ${feeds.length}`)
    await commit()
    await until('the line', () => live.lines.length === position)
    await settled()
    reads.clear()
    await commit()
    await until('the next line', () => live.lines.length === position)
    await settled()
    reads.delete('all apps')
    assert.deepEqual([...reads.keys()], [app], `${idle} idle streams`)
  }
  for (const { connection } of feeds) await connection.end()
  await Promise.all(feeds.map(({ fed }) => fed))
  assert.deepEqual(
    live.lines,
    Array.from({ length: position }, (_, n) => `{"n":${n + 1}}`),
  )
})
