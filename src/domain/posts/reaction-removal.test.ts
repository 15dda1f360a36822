import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { bestWaitsBeside, MAX_WAIT_MS } from '../../../test/support/other-caller.ts'
import { startPlaza } from '../../../test/support/plaza.ts'
import { makePost } from '../../../test/support/posts.ts'
import { query } from '../../app/tables.ts'
import { type AddedUser, addUsers, userById } from '../../identity/users/queries.ts'
import { createFolder } from '../bookmark-folders/folders.ts'
import { addToFolder } from '../bookmark-folders/queries.ts'
import { insertRepost } from './insert.ts'
import { addBookmark, addLike } from './queries.ts'
import { deleteVersions } from './remove.ts'

const REACTIONS = 2_000
const REPOSTS = 100
/** There is one post for each attempt to measure. */
const POSTS = 3

interface Rest {
  likes: number
  bookmarks: number
  foldered: number
  reposts: number
  liked: number
  posted: number
}

const rest = query<object, Rest>('restOfReactions', (db) => ({
  compile: () =>
    sql`select (select count(*) from likes) as likes, (select count(*) from bookmarks) as bookmarks,
      (select count(*) from folder_bookmarks) as foldered,
      (select count(*) from posts where reposted_post_id is not null and deleted = 0) as reposts,
      (select sum(like_count) from users) as liked, (select sum(post_count) from users) as posted`.compile(
      db,
    ),
}))

describe('the reactions to a deleted post', () => {
  let plaza: Awaited<ReturnType<typeof startPlaza>>
  before(async () => {
    plaza = await startPlaza({ seed: 'none' })
  })
  after(() => plaza.close())

  const user = (n: number): AddedUser => ({
    ...{ id: String(n), screen_name: `u${n}`, screen_name_key: `u${n}`, name: 'U', password_hash: 'none' },
    ...{
      suspended: 0,
      created_at: 0,
      description: '',
      description_entities: null,
      location: '',
      followers_count: 0,
      following_count: 0,
    },
    ...{ post_count: 0, listed_count: 0, like_count: POSTS },
  })

  test('are removed in small transactions, and hold up no one else', async () => {
    const { context, tasks } = plaza
    const { store } = context
    const users = Array.from({ length: REACTIONS }, (_, n) => user(n + 1))
    await store.write((tx) => addUsers(tx, users))
    const posts = [
      await makePost(context, { authorId: '1' }),
      await makePost(context, { authorId: '1' }),
      await makePost(context, { authorId: '1' }),
    ]
    const folder = await store.write((tx) => createFolder(tx, { userId: '1', name: 'Folder' }, context))
    for (const post of posts)
      await store.write(async (tx) => {
        const kept = { folder_id: folder?.id ?? '', post_id: post.id, user_id: '1', id: context.ids.next() }
        await tx.run(addToFolder, kept)
        for (const [n, { id }] of users.entries()) {
          const entry = { user_id: id, post_id: post.id, created_at: tx.now }
          await tx.run(addLike, entry)
          await tx.run(addBookmark, entry)
          const by = { authorId: id, appId: '1', contributorId: null, screenName: 'u1' }
          if (n < REPOSTS) await insertRepost(tx, post, by, context)
        }
      })
    const left = [...posts]
    const remove = async () => {
      const post = left.pop()
      if (!post) return
      await store.write((tx) => deleteVersions(tx, post))
      await tasks.runDue('remove reactions to post')
    }
    const write = async () => {
      await store.write((tx) => tx.first(userById, { id: '1' }))
      await nextTurn()
    }
    const { turnMs, callMs } = await bestWaitsBeside(remove, write)
    assert.ok(turnMs <= MAX_WAIT_MS && callMs <= MAX_WAIT_MS, `turn ${turnMs} ms, call ${callMs} ms`)
    while (left.length > 0) await remove()
    assert.deepEqual(await store.first(rest, {}), {
      ...{ likes: 0, bookmarks: 0, foldered: 0, reposts: 0, liked: 0, posted: 0 },
    })
  })
})
