import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { storedPost } from '../../../test/support/stored-post.ts'
import { NOW_MS, type OpenedStore, storeStages } from '../../../test/support/stores.ts'
import { LAST_ID } from '../../platform/common/ids.ts'
import type { Store } from '../../platform/storage/store.ts'
import {
  newerPostsOfSpace,
  olderPostsOfSpace,
  spacesByIds,
  spacesOfCreators,
  spacesWithWords,
} from './queries.ts'
import {
  addUnannouncedSpace,
  announceDue,
  createSpace,
  endSpace,
  type NewSpace,
  shareInSpace,
  startSpace,
  wordsOfTitle,
} from './spaces.ts'
import { stateAt } from './state.ts'
import type { SpaceRow } from './tables.ts'

const MINUTE_MS = 60_000
const ANN = '1'

test('a space is live from its start until just before its end', () => {
  const space = { starts_at: 100, ends_at: 200 }
  assert.deepEqual(
    [99, 100, 199, 200].map((now) => stateAt(space, now)),
    ['scheduled', 'live', 'live', 'ended'],
  )
  assert.equal(stateAt({ starts_at: 100, ends_at: null }, Number.MAX_SAFE_INTEGER), 'live')
  assert.equal(stateAt({ starts_at: 100, ends_at: 100 }, 100), 'ended')
})

test('a title is found by each of its words once, in folded case', () => {
  assert.deepEqual(wordsOfTitle('Talk: TALK about Café ☕!'), ['talk', 'about', 'café', '☕'])
  assert.deepEqual(wordsOfTitle('  '), [])
})

for (const stage of storeStages) {
  describe(`spaces on ${stage.name}`, { skip: stage.skip }, () => {
    let at: OpenedStore
    let store: Store
    before(async () => {
      at = await stage.open()
      store = at.store
    })
    beforeEach(async () => {
      at.clock.moveTo(NOW_MS)
      await at.clear()
      await at.addUser(ANN, 'ann')
    })
    after(() => at.close())

    const spaceOf = (more: Partial<NewSpace>): NewSpace => ({
      ...{ creatorId: ANN, title: 'Morning talk', lang: null, cohostIds: [], speakerIds: [] },
      ...{ invitedIds: [], startsAt: undefined, lastsMs: undefined, ...more },
    })
    const create = (more: Partial<NewSpace> = {}) => store.write((tx) => createSpace(tx, spaceOf(more), at))
    const read = async ({ id }: SpaceRow) => {
      const [row] = await store.all(spacesByIds, { ids: JSON.stringify([id]) })
      return row && { starts: row.starts_at - NOW_MS, ends: row.ends_at && row.ends_at - NOW_MS }
    }
    const find = async (word: string, more: object = {}) => {
      const args = { word, words: JSON.stringify([word]), now: at.clock.now(), limit: 10 }
      const rows = await store.all(spacesWithWords, {
        ...{ ...args, startsAfter: 0, startsBy: Number.MAX_SAFE_INTEGER, ...more },
      })
      return rows.map(({ id }) => id)
    }
    const announce = ({ id }: SpaceRow) => store.write((tx) => announceDue(tx, id))
    const dueIn = async () =>
      (await at.tasks()).map(({ kind, subject, due_at }) => [kind, subject, due_at - NOW_MS])

    test('one without times begins at once, lasts until it is ended, and waits for no task', async () => {
      const space = await create()
      assert.deepEqual([space.scheduled_start, space.starts_at, space.ends_at], [null, NOW_MS, null])
      assert.deepEqual([space.announced, space.over], [1, 0])
      assert.deepEqual(await at.newEvents(), [['space.started', { space_id: space.id, creator_id: '1' }]])
      assert.deepEqual(await dueIn(), [])
    })

    test('the creator is the first host, and each host is one', async () => {
      const { host_ids } = await create({ cohostIds: ['3', ANN, '2', '3'] })
      assert.equal(host_ids, '["1","3","2"]')
    })

    test('a scheduled one is announced at its start and its end, each once', async () => {
      const space = await create({ startsAt: NOW_MS + MINUTE_MS, lastsMs: 2 * MINUTE_MS })
      assert.deepEqual(await at.newEvents(), [])
      assert.deepEqual(await dueIn(), [['announce space', space.id, 60_000]])
      assert.deepEqual(await announce(space), { kind: 'again', at: NOW_MS + 60_000 })
      assert.deepEqual(await at.newEvents(), [])
      at.clock.moveTo(NOW_MS + 60_000)
      assert.deepEqual(await announce(space), { kind: 'again', at: NOW_MS + 180_000 })
      assert.deepEqual(await announce(space), { kind: 'again', at: NOW_MS + 180_000 })
      assert.deepEqual(await at.newEvents(), [['space.started', { space_id: space.id, creator_id: '1' }]])
      at.clock.moveTo(NOW_MS + 180_000)
      assert.deepEqual(await announce(space), { kind: 'done' })
      assert.deepEqual(await announce(space), { kind: 'done' })
      assert.deepEqual(await at.newEvents(), [['space.ended', { space_id: space.id, creator_id: '1' }]])
    })

    test('a late announcement tells of both, the start first', async () => {
      const space = await create({ startsAt: NOW_MS + MINUTE_MS, lastsMs: MINUTE_MS })
      at.clock.moveTo(NOW_MS + 10 * MINUTE_MS)
      assert.deepEqual(await announce(space), { kind: 'done' })
      const kinds = (await at.newEvents()).map(([kind]) => kind)
      assert.deepEqual(kinds, ['space.started', 'space.ended'])
    })

    test('the announcement of a space that was removed does nothing', async () => {
      const space = await create({ startsAt: NOW_MS + MINUTE_MS })
      assert.equal(await store.write((tx) => endSpace(tx, space.id)), 'scheduled')
      assert.deepEqual(await announce(space), { kind: 'done' })
      assert.deepEqual(await at.newEvents(), [])
      assert.equal(await read(space), undefined)
    })

    test('a scheduled one that is started early keeps its duration', async () => {
      const space = await create({ startsAt: NOW_MS + 10 * MINUTE_MS, lastsMs: 3 * MINUTE_MS })
      at.clock.advance(MINUTE_MS)
      await store.write((tx) => startSpace(tx, space.id))
      assert.deepEqual(await read(space), { starts: 60_000, ends: 240_000 })
      assert.deepEqual(
        (await at.newEvents()).map(([kind]) => kind),
        ['space.started'],
      )
      // The task of the announced start is now that of the end.
      assert.deepEqual(await dueIn(), [['announce space', space.id, 240_000]])
    })

    test('only a scheduled one can be started, and only one that has not ended can be ended', async () => {
      const space = await create({ lastsMs: MINUTE_MS })
      const start = () => store.write((tx) => startSpace(tx, space.id))
      const end = () => store.write((tx) => endSpace(tx, space.id))
      const only = 'only a scheduled one can be started.'
      await assert.rejects(start(), { message: `The space ${space.id} is live: ${only}` })
      assert.equal(await end(), 'live')
      assert.deepEqual(await read(space), { starts: 0, ends: 0 })
      await assert.rejects(end(), { message: `The space ${space.id} has ended already.` })
      await assert.rejects(start(), { message: `The space ${space.id} is ended: ${only}` })
      await assert.rejects(
        store.write((tx) => endSpace(tx, 'none')),
        { name: 'SpaceProblem', message: 'There is no space none.' },
      )
      assert.deepEqual(
        (await at.newEvents()).map(([kind]) => kind),
        ['space.started', 'space.ended'],
      )
    })

    test('a user has ten live and scheduled ones at most; those that ended do not count', async () => {
      const spaces: SpaceRow[] = []
      for (let n = 0; n < 10; n++) spaces.push(await create({ startsAt: NOW_MS + n * MINUTE_MS }))
      const full = { message: 'The user has 10 live and scheduled spaces already.' }
      await assert.rejects(create(), full)
      await store.write((tx) => endSpace(tx, spaces[0]?.id ?? ''))
      await create()
      await assert.rejects(create(), full)
      await at.addUser('2', 'bob')
      await create({ creatorId: '2' })
    })

    test('words find a space until it ends, if all of them are in its title', async () => {
      const first = await create({ title: 'Morning talk' })
      const second = await create({ title: 'Evening talk', startsAt: NOW_MS + MINUTE_MS })
      assert.deepEqual(await find('talk'), [second.id, first.id])
      assert.deepEqual(await find('talk', { limit: 1 }), [second.id])
      assert.deepEqual(await find('talk', { words: '["talk","morning"]' }), [first.id])
      assert.deepEqual(await find('talk', { words: '["talk","noon"]' }), [])
      assert.deepEqual(await find('talk', { startsBy: NOW_MS }), [first.id])
      assert.deepEqual(await find('talk', { startsAfter: NOW_MS }), [second.id])
      await store.write((tx) => endSpace(tx, first.id))
      assert.deepEqual(await find('talk', { now: NOW_MS - 1 }), [second.id])
    })

    test('one whose end has passed is not found, although its end was not announced', async () => {
      const space = await create({ lastsMs: MINUTE_MS })
      const others = { ids: JSON.stringify([ANN]) }
      assert.deepEqual(await store.all(spacesOfCreators, { ...others, now: NOW_MS }), [{ id: space.id }])
      at.clock.advance(MINUTE_MS)
      assert.deepEqual(await find('talk'), [])
      assert.deepEqual(await store.all(spacesOfCreators, { ...others, now: at.clock.now() }), [])
    })

    test('one that is added without events has none to come, and words only while it is not over', async () => {
      const add = (startsAt: number, lastsMs: number) =>
        store.write((tx) => addUnannouncedSpace(tx, { ...spaceOf({ lastsMs }), startsAt }, at))
      const over = await add(NOW_MS - MINUTE_MS, MINUTE_MS)
      const live = await add(NOW_MS - MINUTE_MS, MINUTE_MS + 1)
      assert.deepEqual([over.announced, over.over, live.announced, live.over], [1, 1, 1, 0])
      assert.deepEqual(
        [await announce(over), await announce(live)],
        [{ kind: 'done' }, { kind: 'again', at: NOW_MS + 1 }],
      )
      assert.deepEqual([await at.newEvents(), await dueIn()], [[], []])
      assert.deepEqual(await find('morning', { now: 0 }), [live.id])
    })

    describe('posts in one', () => {
      let id: string
      beforeEach(async () => {
        id = (await create()).id
      })
      const share = (post: string, space = id) => store.write((tx) => shareInSpace(tx, space, post))
      const shared = async (query: typeof olderPostsOfSpace, from: string) =>
        (await store.all(query, { space: id, id: from, limit: 200 })).map(({ post_id }) => post_id)

      test('are listed in both directions, each once', async () => {
        const [a, b] = [await storedPost(at, ANN, 'one'), await storedPost(at, ANN, 'two')]
        for (const { id: post } of [b, a, b]) await share(post)
        assert.deepEqual(await shared(olderPostsOfSpace, LAST_ID), [b.id, a.id])
        assert.deepEqual(await shared(olderPostsOfSpace, b.id), [a.id])
        assert.deepEqual(await shared(newerPostsOfSpace, '0'), [a.id, b.id])
        assert.deepEqual(await shared(newerPostsOfSpace, a.id), [b.id])
      })

      test('must exist, as must the space', async () => {
        const { id: post } = await storedPost(at, ANN, 'one')
        await assert.rejects(share('12345'), { message: 'There is no post 12345.' })
        await assert.rejects(share(post, 'none'), /^SpaceProblem: There is no space none\./)
        assert.deepEqual(await shared(olderPostsOfSpace, LAST_ID), [])
      })

      test('are 100 at most, and those can still be shared again', async () => {
        const posts: string[] = []
        for (let n = 0; n < 101; n++) posts.push((await storedPost(at, ANN, `post ${n}`)).id)
        for (const post of posts.slice(0, 100)) await share(post)
        await share(posts[0] ?? '')
        await assert.rejects(share(posts[100] ?? ''), {
          message: `100 posts have been shared in the space ${id} already.`,
        })
        assert.equal((await shared(olderPostsOfSpace, LAST_ID)).length, 100)
      })
    })
  })
}
