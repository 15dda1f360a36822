import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { bestWaitsBeside, MAX_WAIT_MS } from '../../test/support/other-caller.ts'
import { startPlaza } from '../../test/support/plaza.ts'
import { makePost } from '../../test/support/posts.ts'
import { query } from '../app/tables.ts'
import { addRelations } from '../identity/relations/queries.ts'
import { markDeleted } from '../identity/users/deletion.ts'
import { type AddedUser, addUsers, userById } from '../identity/users/queries.ts'
import { addLikes } from './posts/queries.ts'
import type { PostRow } from './posts/tables.ts'

const POSTS = 400
const LIKES = 1_200
const FOLLOWERS = 400
/** There is one user for each attempt to measure. */
const DELETED = ['1', '2', '3']
const OTHER = '9'

interface Rest {
  users: number
  posts: number
  likes: number
  relations: number
  following: number
}

const rest = query<object, Rest>('restOfUsers', (db) => ({
  compile: () =>
    sql`select (select count(*) from users where deleted_at is not null) as users,
      (select count(*) from posts where author_id <> ${OTHER}) as posts, (select count(*) from likes) as likes,
      (select count(*) from relations) as relations, (select sum(following_count) from users) as following`.compile(
      db,
    ),
}))

describe('a user with many posts, likes and followers', () => {
  let plaza: Awaited<ReturnType<typeof startPlaza>>
  before(async () => {
    plaza = await startPlaza({ seed: 'none' })
  })
  after(() => plaza.close())

  const user = (id: string, more: Partial<AddedUser> = {}): AddedUser => ({
    ...{ id, screen_name: `u${id}`, screen_name_key: `u${id}`, name: 'U', password_hash: 'none' },
    ...{ suspended: 0, created_at: 0, description: '', description_entities: null, location: '' },
    ...{ followers_count: 0, following_count: 0, post_count: 0, listed_count: 0, like_count: 0 },
    ...more,
  })

  test('is removed in small transactions, which hold up no one else', async () => {
    const { context, tasks, clock } = plaza
    const { store } = context
    const followers = Array.from({ length: FOLLOWERS }, (_, n) => String(100 + n))
    await store.write(async (tx) => {
      const following_count = DELETED.length
      await addUsers(tx, [
        user(OTHER),
        ...DELETED.map((id) => user(id, { followers_count: FOLLOWERS, like_count: LIKES })),
        ...followers.map((id) => user(id, { following_count })),
      ])
      for (const target_id of DELETED)
        await addRelations(
          tx,
          followers.map((source_id) => ({ source_id, target_id, kind: 'follow', created_at: tx.now })),
        )
    })
    for (const authorId of DELETED)
      for (let n = 0; n < POSTS; n++) await makePost(context, { authorId, text: `post ${n}` })
    const liked: PostRow[] = []
    for (let n = 0; n < LIKES; n++) liked.push(await makePost(context, { authorId: OTHER, text: `one ${n}` }))
    await store.write(async (tx) => {
      for (const user_id of DELETED)
        await addLikes(
          tx,
          liked.map(({ id }) => ({ user_id, post_id: id, created_at: tx.now })),
        )
    })

    const left = [...DELETED]
    const remove = async () => {
      const id = left.pop()
      if (id === undefined) return
      await store.write((tx) => markDeleted(tx, id))
      await tasks.runDue('delete user')
      await tasks.runDue('remove reactions to post')
      clock.advance(61_000)
      await tasks.runDue('remove rows of user')
    }
    const write = async () => {
      await store.write((tx) => tx.first(userById, { id: OTHER }))
      await nextTurn()
    }
    const { turnMs, callMs } = await bestWaitsBeside(remove, write)
    assert.ok(turnMs <= MAX_WAIT_MS && callMs <= MAX_WAIT_MS, `turn ${turnMs} ms, call ${callMs} ms`)
    while (left.length > 0) await remove()
    assert.deepEqual(await store.first(rest, {}), {
      users: 0,
      posts: 0,
      likes: 0,
      relations: 0,
      following: 0,
    })
  })
})
