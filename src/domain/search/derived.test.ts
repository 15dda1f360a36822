import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoggedEvent } from '../../platform/events/event.ts'
import { SkippedItem } from '../../platform/events/one-by-one.ts'
import { type Store, StoreUnavailable } from '../../platform/storage/store.ts'
import { postPublished } from '../posts/events.ts'
import { derivedFromPosts, type PostChange } from './derived.ts'
import { searchRebuildRequested } from './events.ts'
import type { IndexedRow } from './queries.ts'

const IDS = Array.from({ length: 450 }, (_, n) => String(1_900_000_000_000_000_000n + BigInt(n)))
const rowOf = (id: string) => ({
  ...{ id, environment: 'production', deleted: 0, visibility: 0, public: 1 },
  ...{ version_ids: null, first_version_id: id },
  ...{ in_reply_to_post_id: null, quoted_post_id: null, reposted_post_id: null },
})

/** What is derived from 450 posts, of which `bad` cannot be applied. */
function derivation(bad: string, failure: () => Error) {
  const applied = new Set<string>()
  const skipped: Error[] = []
  let state: 'new' | 'built' = 'new'
  let alone = 0
  const atClear: string[] = []
  const store: Pick<Store, 'all'> = {
    async all(wanted, args) {
      const { after, limit, ids } = args as { after?: string; limit?: number; ids?: string }
      const found = ids === undefined ? IDS.filter((id) => id > (after ?? '')) : (JSON.parse(ids) as string[])
      // The only queries are those of posts.
      assert.match(wanted.name, /ToIndex$|pageToIndex/)
      return found.slice(0, limit).map(rowOf) as never[]
    },
  }
  const consumer = derivedFromPosts({
    name: 'test',
    store,
    skipped: (error) => skipped.push(error),
    pauses: { firstMs: 1, longestMs: 1 },
    readersMs: 1,
    data: {
      state: async () => state,
      async apply(changes: readonly PostChange[]) {
        const ids = changes.map((change) =>
          change.kind === 'remove' ? change.id : (change.row as IndexedRow).id,
        )
        if (ids.includes(bad)) {
          if (ids.length === 1) alone++
          throw failure()
        }
        for (const id of ids) applied.add(id)
      },
      reopen: async () => {
        state = 'new'
      },
      clear: async () => {
        atClear.push(state)
        applied.clear()
      },
      finish: async () => {
        state = 'built'
      },
    },
  })
  return { consumer, applied, skipped, atClear, state: () => state, alone: () => alone }
}

const { signal } = new AbortController()
const [, , , BAD = ''] = IDS

const OF_POSTGRES = Object.assign(new Error('invalid input syntax for type json'), { code: '22P02' })
const OF_SQLITE = Object.assign(new Error('string or blob too big'), {
  code: 'ERR_SQLITE_ERROR',
  errcode: 18,
})

for (const [what, cause, attempts] of [
  ['a bug', new TypeError('broken'), 2],
  ['PostgreSQL', OF_POSTGRES, 2],
  ['SQLite', OF_SQLITE, 2],
  ['an unknown error', new Error('broken'), 7],
] as const)
  test(`one post that cannot be applied because of ${what} is left out after ${attempts} attempts, and no other one`, async () => {
    const { consumer, applied, skipped, state, alone } = derivation(BAD, () => cause)
    await consumer.prepare?.(signal)
    assert.deepEqual([...applied].sort(), IDS.filter((id) => id !== BAD).sort())
    // The first attempt was together with others.
    assert.deepEqual([state(), alone()], ['built', attempts - 1])
    const [error] = skipped
    assert.ok(error instanceof SkippedItem)
    assert.deepEqual(
      [error.message, error.cause, skipped.length],
      [`the post ${BAD} was left out after ${attempts} attempts`, cause, 1],
    )
  })

test('an event about it holds up no event beside it, and leaves out no post beside it', async () => {
  const { consumer, applied, skipped } = derivation(BAD, () => new TypeError('broken'))
  await consumer.prepare?.(signal)
  applied.clear()
  const eventOf = (post_id: string | undefined): LoggedEvent => ({
    ...{ position: 1, kind: postPublished.name, subject: '', at: 0 },
    data: { post_id: post_id ?? '' },
  })
  await consumer.take([eventOf(BAD), eventOf(IDS[0])], signal)
  assert.deepEqual([[...applied], skipped.length], [[IDS[0]], 2])
})

test('no post is left out because the store fails', async () => {
  const { consumer, skipped, state } = derivation(BAD, () => new StoreUnavailable('away'))
  await assert.rejects(consumer.prepare?.(signal) ?? Promise.resolve(), StoreUnavailable)
  assert.deepEqual([skipped, state()], [[], 'new'])
})

test('nothing is removed before readers know that it is built again', async () => {
  const { consumer, applied, atClear, state } = derivation('', () => new TypeError('none'))
  await consumer.prepare?.(signal)
  const asked: LoggedEvent = { position: 1, kind: searchRebuildRequested.name, subject: '', at: 0, data: {} }
  await consumer.take([asked], signal)
  assert.deepEqual([atClear, state(), applied.size], [['new', 'new'], 'built', 450])
  await consumer.missed({ after: 1, to: 2 })
  assert.deepEqual([atClear.length, state(), applied.size], [2, 'new', 450])
})
