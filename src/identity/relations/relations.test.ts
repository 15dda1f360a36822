import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { NOW_MS, type OpenedStore, storeStages } from '../../../test/support/stores.ts'
import type { Store } from '../../platform/storage/store.ts'
import { profilesByIds } from '../users/queries.ts'
import { relations } from './module.ts'
import { addRelation, type RelationKind, readRelations, requestsTo, sourcesOf, targetsOf } from './queries.ts'
import {
  acceptFollow,
  acceptPending,
  block,
  follow,
  type LockedPair,
  lockPair,
  mute,
  unblock,
  unfollow,
  unmute,
} from './relations.ts'

const [ANN, BOB] = ['1', '2']

for (const stage of storeStages) {
  describe(`relations on ${stage.name}`, { skip: stage.skip }, () => {
    let at: OpenedStore
    let store: Store
    before(async () => {
      at = await stage.open()
      store = at.store
    })
    beforeEach(async () => {
      await at.clear()
      await at.addUser(ANN, 'ann')
    })
    after(() => at.close())

    /** Runs a change of the relations of two users who exist. */
    const change = <T>(source: string, target: string, run: (pair: LockedPair) => Promise<T>): Promise<T> =>
      store.write(async (tx) => {
        const pair = await lockPair(tx, { source, target })
        assert.ok(pair)
        return run(pair)
      })
    const KINDS: readonly RelationKind[] = ['follow', 'request', 'block', 'mute']
    /** The relations of one user to another. */
    const between = async (source: string, target: string) => {
      const { has } = await readRelations(store, [{ source, target }])
      return KINDS.filter((kind) => has(kind, source, target))
    }
    /** What each profile shows: follows, followers. */
    const counts = async (...ids: readonly string[]) => {
      const rows = await store.all(profilesByIds, { ids: JSON.stringify(ids) })
      const of = new Map(rows.map((row) => [row.id, [row.following_count, row.followers_count]]))
      return ids.map((id) => of.get(id))
    }
    const add = (source_id: string, target_id: string, kind: RelationKind, created_at = 0) =>
      store.write((tx) => tx.run(addRelation, { source_id, target_id, kind, created_at }))

    describe('of two users', () => {
      beforeEach(() => at.addUser(BOB, 'bob'))

      test('a follow is counted in both profiles, and once however often it is repeated', async () => {
        assert.equal(await change(ANN, BOB, follow), 'following')
        assert.equal(await change(ANN, BOB, follow), 'following')
        assert.deepEqual(await between(ANN, BOB), ['follow'])
        assert.deepEqual(await between(BOB, ANN), [])
        assert.deepEqual(await counts(ANN, BOB), [
          [1, 0],
          [0, 1],
        ])
        assert.deepEqual(await at.newEvents(), [['user.followed', { user_id: '1', target_id: '2' }]])
      })

      test('the end of a follow is counted once, and one that does not exist ends without an event', async () => {
        await change(ANN, BOB, follow)
        await at.newEvents()
        await change(ANN, BOB, unfollow)
        await change(ANN, BOB, unfollow)
        assert.deepEqual(await counts(ANN, BOB), [
          [0, 0],
          [0, 0],
        ])
        assert.deepEqual(await at.newEvents(), [
          ['user.unfollowed', { user_id: '1', target_id: '2', by_block: false }],
        ])
      })

      test('a block ends the follows of both, and keeps either from following the other', async () => {
        await change(ANN, BOB, follow)
        await change(BOB, ANN, follow)
        await at.newEvents()
        await change(ANN, BOB, block)
        await change(ANN, BOB, block)
        assert.deepEqual([await between(ANN, BOB), await between(BOB, ANN)], [['block'], []])
        assert.deepEqual(await counts(ANN, BOB), [
          [0, 0],
          [0, 0],
        ])
        assert.deepEqual(await at.newEvents(), [
          ['user.blocked', { user_id: '1', target_id: '2' }],
          ['user.unfollowed', { user_id: '1', target_id: '2', by_block: true }],
          ['user.unfollowed', { user_id: '2', target_id: '1', by_block: true }],
        ])
        assert.equal(await change(ANN, BOB, follow), 'target is blocked')
        assert.equal(await change(BOB, ANN, follow), 'blocked by target')
        assert.deepEqual(await at.newEvents(), [])
      })

      test('a block that was removed lets them follow again, and brings no follow back', async () => {
        await change(ANN, BOB, follow)
        await change(BOB, ANN, block)
        await at.newEvents()
        await change(BOB, ANN, unblock)
        await change(BOB, ANN, unblock)
        assert.deepEqual(await at.newEvents(), [['user.unblocked', { user_id: '2', target_id: '1' }]])
        assert.deepEqual(await between(ANN, BOB), [])
        assert.equal(await change(ANN, BOB, follow), 'following')
      })

      test('a mute changes nothing else, and is one however often it is repeated', async () => {
        await change(ANN, BOB, follow)
        await at.newEvents()
        await change(ANN, BOB, mute)
        await change(ANN, BOB, mute)
        assert.deepEqual(await between(ANN, BOB), ['follow', 'mute'])
        await change(ANN, BOB, unmute)
        await change(ANN, BOB, unmute)
        assert.deepEqual(await between(ANN, BOB), ['follow'])
        assert.deepEqual(await at.newEvents(), [
          ['user.muted', { user_id: '1', target_id: '2' }],
          ['user.unmuted', { user_id: '1', target_id: '2' }],
        ])
      })

      test('a pair of which one user does not exist cannot be locked', async () => {
        const lock = (source: string, target: string) =>
          store.write(async (tx) => (await lockPair(tx, { source, target })) !== undefined)
        assert.deepEqual(
          [await lock(ANN, BOB), await lock(ANN, '3'), await lock('3', ANN), await lock('3', '4')],
          [true, false, false, false],
        )
      })
    })

    describe('of a protected user', () => {
      beforeEach(() => at.addUser(BOB, 'bob', { protected: 1 }))

      test('a follow is a request until it is accepted', async () => {
        assert.equal(await change(ANN, BOB, follow), 'requested')
        assert.equal(await change(ANN, BOB, follow), 'requested')
        assert.deepEqual(await between(ANN, BOB), ['request'])
        assert.deepEqual(await counts(ANN, BOB), [
          [0, 0],
          [0, 0],
        ])
        assert.equal(await change(ANN, BOB, acceptFollow), 'following')
        assert.deepEqual(await between(ANN, BOB), ['follow'])
        assert.deepEqual(await counts(ANN, BOB), [
          [1, 0],
          [0, 1],
        ])
        assert.deepEqual(await at.newEvents(), [
          ['user.follow_requested', { user_id: '1', target_id: '2' }],
          ['user.follow_accepted', { user_id: '2', target_id: '1' }],
          ['user.followed', { user_id: '1', target_id: '2' }],
        ])
      })

      test('nothing is accepted that was not requested', async () => {
        assert.equal(await change(ANN, BOB, acceptFollow), 'no request')
        await change(ANN, BOB, acceptPending)
        assert.deepEqual(await between(ANN, BOB), [])
        assert.deepEqual(await at.newEvents(), [])
      })

      test('a request that is withdrawn ends by the user, and one that meets a block ends by the block', async () => {
        await change(ANN, BOB, follow)
        await change(ANN, BOB, unfollow)
        await change(ANN, BOB, follow)
        await at.newEvents()
        await change(BOB, ANN, block)
        assert.deepEqual(await between(ANN, BOB), [])
        assert.deepEqual(await at.newEvents(), [
          ['user.blocked', { user_id: '2', target_id: '1' }],
          ['user.follow_request_ended', { user_id: '1', target_id: '2', by_block: true }],
        ])
      })
    })

    describe('of a user who follows as many as one may', () => {
      const [FULL, ROOM, OPEN, SHUT] = ['11', '12', '13', '14']
      beforeEach(async () => {
        await at.addUser(FULL, 'full', { following_count: 5_000 })
        await at.addUser(ROOM, 'room', { following_count: 4_999 })
        await at.addUser(OPEN, 'open')
        await at.addUser(SHUT, 'shut', { protected: 1 })
      })

      test('5,000 may be followed, and one more neither followed nor asked', async () => {
        assert.equal(await change(ROOM, OPEN, follow), 'following')
        assert.equal(await change(ROOM, ANN, follow), 'too many')
        assert.equal(await change(FULL, OPEN, follow), 'too many')
        assert.equal(await change(FULL, SHUT, follow), 'too many')
        assert.deepEqual(await between(FULL, SHUT), [])
        assert.deepEqual(await counts(FULL, ROOM, OPEN), [
          [5_000, 0],
          [5_000, 0],
          [0, 1],
        ])
      })

      test('a request from before stays when it cannot be accepted', async () => {
        await add(FULL, SHUT, 'request')
        assert.equal(await change(FULL, SHUT, acceptFollow), 'too many')
        assert.deepEqual(await between(FULL, SHUT), ['request'])
        assert.deepEqual(await at.newEvents(), [])
      })

      test('a request ends without a follow when its target is no longer protected', async () => {
        await add(FULL, OPEN, 'request')
        await change(FULL, OPEN, acceptPending)
        assert.deepEqual(await between(FULL, OPEN), [])
        assert.deepEqual(await counts(FULL, OPEN), [
          [5_000, 0],
          [0, 0],
        ])
        assert.deepEqual(await at.newEvents(), [
          ['user.follow_request_ended', { user_id: '11', target_id: '13', by_block: false }],
        ])
      })
    })

    describe('of many', () => {
      const MANY = Array.from({ length: 60 }, (_, n) => String(100 + n))
      const accept = async (isAborted = false) => {
        const signal = isAborted ? AbortSignal.abort() : new AbortController().signal
        const [kind] = relations.tasks?.({ store }) ?? []
        return kind?.run({ user: BOB } as never, { attempt: 1, signal })
      }
      const pending = async () => (await store.all(requestsTo, { target: BOB, limit: 100 })).length

      test('all requests to a user who is no longer protected become follows, in several transactions', async () => {
        await at.addUser(BOB, 'bob')
        for (const [n, id] of MANY.entries()) {
          await at.addUser(id, `u${id}`)
          await add(id, BOB, 'request', n)
        }
        assert.deepEqual(await accept(), { kind: 'done' })
        assert.equal(await pending(), 0)
        assert.deepEqual(await counts(BOB), [[0, 60]])
        assert.equal((await at.newEvents()).length, 60)
      })

      test('the requests stay while their target is protected, or when the run is stopped', async () => {
        await at.addUser(BOB, 'bob', { protected: 1 })
        await add(ANN, BOB, 'request')
        assert.deepEqual(await accept(), { kind: 'done' })
        await assert.rejects(accept(true), { name: 'AbortError' })
        assert.equal(await pending(), 1)
      })

      test('lists begin with the newest, and each page continues where the last one ended', async () => {
        for (const id of MANY.slice(0, 5)) await at.addUser(id, `u${id}`)
        // Of two at one time, the user with the greater id is the first.
        const times = { 100: 10, 101: 30, 102: 20, 103: 20, 104: 40 }
        for (const [id, time] of Object.entries(times)) {
          await add(ANN, id, 'follow', NOW_MS + time)
          await add(id, ANN, 'mute', NOW_MS + time)
        }
        const idsAt = async (
          query: typeof targetsOf.older,
          kind: RelationKind,
          [after, id]: [number, string],
        ) => {
          const rows = await store.all(query, { of: ANN, kind, time: NOW_MS + after, id, limit: 3 })
          return rows.map((row) => row.id)
        }
        assert.deepEqual(await idsAt(targetsOf.older, 'follow', [99, '']), ['104', '101', '103'])
        assert.deepEqual(await idsAt(targetsOf.older, 'follow', [20, '103']), ['102', '100'])
        assert.deepEqual(await idsAt(targetsOf.newer, 'follow', [20, '102']), ['103', '101', '104'])
        assert.deepEqual(await idsAt(sourcesOf.older, 'mute', [30, '101']), ['103', '102', '100'])
        assert.deepEqual(await idsAt(sourcesOf.older, 'follow', [99, '']), [])
      })
    })
  })
}
