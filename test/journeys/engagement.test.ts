import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import { readEvents } from '../../src/platform/events/log.ts'
import { Client, demoKeys, type Reply } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

const protect = query<{ id: string; value: number }>('protectInEngagement', (db, at) =>
  db.updateTable('users').set({ protected: at.value }).where('id', '=', at.id),
)

interface Body {
  data?: Record<string, unknown> & Record<string, unknown>[]
  includes?: Record<string, Record<string, unknown>[]>
  meta?: { result_count: number; next_token?: string; previous_token?: string }
  errors?: { detail: string; title: string }[]
}

const okay = (reply: Reply): Body => {
  assert.equal(reply.status, 200, reply.text)
  return reply.json as Body
}
const detail = (reply: Reply) => [reply.status, (reply.json as { detail?: string }).detail]
const idsOf = ({ data }: Body) => (data ?? []).map(({ id }) => id)

for (const stage of stages) {
  describe(`engagement with posts on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let bearer: string
    let ada: Person
    let bob: Person
    /** Of Ada. */
    let post: string
    let count = 0

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
      bearer = await client.bearer(demoKeys(opened.plaza))
    })
    after(async () => {
      await client.close()
      await opened.close()
    })
    beforeEach(async () => {
      opened.plaza.clock.advance(1000)
      ;[ada, bob] = [await join(), await join()]
      post = await publish(ada)
    })

    const join = () => Person.join(opened.plaza, client)
    const publish = async (who: Person, more: object = {}): Promise<string> => {
      const reply = await who.core('POST', '/2/posts', { text: `Words number ${++count}`, ...more })
      assert.equal(reply.status, 201, reply.text)
      return (reply.json as { data: { id: string } }).data.id
    }
    const react = async (who: Person, segment: string, post_id: string) =>
      okay(await who.core('POST', `/2/users/${who.id}/${segment}`, { post_id })).data
    const takeBack = async (who: Person, segment: string, of: string) =>
      okay(await who.core('DELETE', `/2/users/${who.id}/${segment}/${of}`)).data
    const get = async (who: Person, path: string) => okay(await who.core('GET', path))
    const metrics = async (of: string) => {
      const { data } = await get(bob, `/2/posts/${of}?post.fields=public_metrics`)
      return data?.public_metrics as Record<string, number>
    }
    const ownMetric = async (who: Person, name: string) => {
      const { data } = await get(who, '/2/users/me?user.fields=public_metrics')
      return (data?.public_metrics as Record<string, number> | undefined)?.[name]
    }
    const eventsOf = async (...subjects: string[]) => {
      const events = await readEvents(opened.plaza.context.store, { after: 0, limit: 10_000 })
      return events
        .filter(({ kind, subject }) => kind !== 'access.granted' && subjects.includes(subject))
        .map(({ kind }) => kind)
    }
    /** Whether a search of everything finds a post with an operator that counts. */
    const isFound = async (operator: string): Promise<boolean> => {
      const words = `from:${ada.screenName} ${operator}`
      const found = await client.send('GET', `/2/posts/search/recent?query=${encodeURIComponent(words)}`, {
        headers: { authorization: `Bearer ${bearer}` },
      })
      return idsOf(okay(found)).includes(post)
    }
    const search = (operator: string, wanted: boolean) =>
      until(`${operator} is ${wanted}`, async () => (await isFound(operator)) === wanted)

    test('a like is counted and listed once, and searches count it', async () => {
      for (let round = 0; round < 2; round++)
        assert.deepEqual(await react(bob, 'likes', post), { liked: true })
      assert.equal((await metrics(post)).like_count, 1)
      assert.equal(await ownMetric(bob, 'like_count'), 1)
      assert.deepEqual(idsOf(await get(ada, `/2/posts/${post}/liking_users`)), [bob.id])
      assert.deepEqual(idsOf(await get(ada, `/2/users/${bob.id}/liked_posts`)), [post])
      opened.plaza.clock.advance(60_000)
      await search('min_likes:1', true)
      for (let round = 0; round < 2; round++)
        assert.deepEqual(await takeBack(bob, 'likes', post), { liked: false })
      assert.equal((await metrics(post)).like_count, 0)
      assert.equal(await ownMetric(bob, 'like_count'), 0)
      await search('min_likes:1', false)
      assert.deepEqual(await eventsOf(bob.id), ['post.liked', 'post.unliked'])
    })

    test('many likes and reposts at once are all counted', async () => {
      const others = await Promise.all(Array.from({ length: 8 }, join))
      const nodes = stage.shared ? [client, new Client(await opened.second())] : [client]
      const replies = await Promise.all(
        others.flatMap((who, index) =>
          ['likes', 'reposts'].map((segment) =>
            nodes[index % nodes.length]?.signed('POST', `/2/users/${who.id}/${segment}`, who.keys, {
              json: { post_id: post },
            }),
          ),
        ),
      )
      assert.deepEqual(new Set(replies.map((reply) => reply?.status)), new Set([200]))
      const { like_count, repost_count } = await metrics(post)
      assert.deepEqual([like_count, repost_count], [8, 8])
      await nodes[1]?.close()
    })

    test('a repost is a post of the user, once, and gone with the original', async () => {
      const first = await react(bob, 'reposts', post)
      assert.deepEqual(await react(bob, 'reposts', post), first)
      const repost = String(first?.id)
      assert.equal((await metrics(post)).repost_count, 1)
      assert.equal(await ownMetric(bob, 'post_count'), 1)
      const { data, includes } = await get(
        ada,
        `/2/posts/${repost}?post.fields=referenced_posts&expansions=referenced_posts.id`,
      )
      assert.deepEqual(data?.referenced_posts, [{ type: 'reposted', id: post }])
      assert.match(String(data?.text), new RegExp(`^RP @${ada.screenName}: Words number [0-9]+$`))
      assert.deepEqual(
        includes?.posts?.map(({ id }) => id),
        [post],
      )
      assert.deepEqual(idsOf(await get(ada, `/2/posts/${post}/reposted_by`)), [bob.id])
      assert.deepEqual(idsOf(await get(ada, `/2/posts/${post}/reposts`)), [repost])
      // Liking a repost likes the original.
      await react(ada, 'likes', repost)
      assert.equal((await metrics(post)).like_count, 1)
      for (let round = 0; round < 2; round++)
        assert.deepEqual(await takeBack(bob, 'reposts', post), { reposted: false })
      assert.equal((await metrics(post)).repost_count, 0)
      assert.equal(await ownMetric(bob, 'post_count'), 0)
      assert.equal((await get(ada, `/2/posts/${repost}`)).errors?.[0]?.title, 'Not Found Error')
      assert.deepEqual(await eventsOf(repost), ['post.published', 'post.deleted'])

      const again = String((await react(bob, 'reposts', post))?.id)
      okay(await ada.core('DELETE', `/2/posts/${post}`))
      assert.equal((await get(ada, `/2/posts/${again}`)).errors?.[0]?.title, 'Not Found Error')
    })

    test('bookmarks are kept in folders, which nobody else sees', async () => {
      const folders = `/2/users/${bob.id}/bookmarks/folders`
      const make = async (name: string) => {
        const reply = await bob.core('POST', folders, { name })
        const { id } = (reply.json as { data: { id: string } }).data
        assert.deepEqual([reply.status, reply.json], [201, { data: { id, name } }])
        return id
      }
      assert.deepEqual(await get(bob, folders), { meta: { result_count: 0 } })
      const [first, second] = [await make('Recipes'), await make('Recipes')]
      const page = await get(bob, `${folders}?max_results=1`)
      assert.deepEqual(page.data, [{ id: second, name: 'Recipes' }])
      const rest = await get(bob, `${folders}?max_results=1&pagination_token=${page.meta?.next_token}`)
      assert.deepEqual([idsOf(rest), rest.meta?.next_token], [[first], undefined])

      const other = await publish(ada)
      const keep = (post_id: string, folder_id?: string) =>
        bob.core('POST', `/2/users/${bob.id}/bookmarks`, { post_id, ...(folder_id && { folder_id }) })
      for (const [of, folder] of [
        [post, first],
        [other, first],
        [other, first],
        [other, second],
      ] as const)
        assert.deepEqual(okay(await keep(of, folder)).data, { bookmarked: true })
      const inFolder = async (id: string, more = '') => get(bob, `${folders}/${id}${more}`)
      const newest = await inFolder(first, '?max_results=1')
      assert.deepEqual(newest.data, [{ id: other }])
      const older = await inFolder(first, `?max_results=1&pagination_token=${newest.meta?.next_token}`)
      assert.deepEqual(older.data, [{ id: post }])
      assert.deepEqual(idsOf(await get(bob, `/2/users/${bob.id}/bookmarks`)), [other, post])

      const missing = (id: string) => `Could not find bookmark_folder with folder_id: [${id}].`
      const own = `/2/users/${ada.id}/bookmarks`
      for (const reply of [
        await ada.core('GET', `${own}/folders/${first}`),
        await ada.core('POST', own, { post_id: post, folder_id: first }),
      ])
        assert.equal(okay(reply).errors?.[0]?.detail, missing(first))
      assert.deepEqual(idsOf(await get(ada, own)), [], 'nothing is bookmarked without the folder')
      assert.equal(okay(await keep(post, '456')).errors?.[0]?.detail, missing('456'))
      assert.equal((await ada.core('GET', folders)).status, 400)

      await takeBack(bob, 'bookmarks', other)
      assert.deepEqual(idsOf(await inFolder(first)), [post])
      assert.deepEqual(await inFolder(second), { meta: { result_count: 0 } })
      okay(await keep(other))
      assert.deepEqual(await inFolder(second), { meta: { result_count: 0 } })
      await opened.plaza.context.store.write((tx) => tx.run(protect, { id: ada.id, value: 1 }))
      assert.deepEqual(idsOf(await inFolder(first)), [])
    })

    test('reposts of own posts: of all of them, newest first, as far as their authors show them', async () => {
      const other = await publish(ada)
      const reposts = []
      for (const [who, of] of [
        [bob, post],
        [await join(), post],
        [bob, other],
      ] as const)
        reposts.unshift(String((await react(who, 'reposts', of))?.id))
      const [newest, , oldest] = reposts
      await publish(bob, { quote_post_id: post })
      await react(ada, 'reposts', await publish(bob))
      const path = '/2/users/reposts_of_me?max_results=2'
      const first = await get(ada, path)
      const second = await get(ada, `${path}&pagination_token=${first.meta?.next_token}`)
      assert.deepEqual([...idsOf(first), ...idsOf(second)], reposts)
      assert.equal(second.meta?.next_token, undefined)
      const back = await get(ada, `${path}&pagination_token=${second.meta?.previous_token}`)
      assert.deepEqual(idsOf(back), reposts.slice(0, 2))
      await takeBack(bob, 'reposts', other)
      assert.deepEqual(idsOf(await get(ada, path)), reposts.slice(1))
      assert.ok(newest !== oldest)
      await opened.plaza.context.store.write((tx) => tx.run(protect, { id: bob.id, value: 1 }))
      assert.deepEqual(idsOf(await get(ada, path)), reposts.slice(1, 2))
    })

    test('a repost has only those entities of its post that its text shows whole', async () => {
      const before = `RP @${ada.screenName}: `
      const dave = await join()
      // Just behind the ellipsis, the name and the tag go on.
      const pad = (cut: string) => 'x'.repeat(138 - before.length - cut.length - 1)
      const name = ` @${dave.screenName}`
      const named = await publish(ada, {
        text: `#first ${pad(`#first ${name}`)} ${name}by and more than fits`,
      })
      const tagged = await publish(ada, { text: `${pad(' #berlinf')}  #berlinfilm and more than fits` })
      const entitiesOf = async (original: string) => {
        const id = String((await react(bob, 'reposts', original))?.id)
        const { data } = await get(ada, `/2/posts/${id}?post.fields=entities`)
        assert.match(String(data?.text), /(?:@p\w{12}|#berlinf)…$/)
        return data?.entities
      }
      const author = { start: 3, end: 4 + ada.screenName.length, username: ada.screenName, id: ada.id }
      const first = { start: before.length, end: before.length + 6, tag: 'first' }
      assert.deepEqual(await entitiesOf(named), { hashtags: [first], mentions: [author] })
      assert.deepEqual(await entitiesOf(tagged), { mentions: [author] })
    })

    test('a repost that is deleted like a post is no longer counted', async () => {
      const repost = String((await react(bob, 'reposts', post))?.id)
      okay(await bob.core('DELETE', `/2/posts/${repost}`))
      assert.equal((await metrics(post)).repost_count, 0)
      assert.notEqual((await react(bob, 'reposts', post))?.id, repost)
    })

    test('quotes are listed with pages in both directions, without replies where they are excluded', async () => {
      const quotes: string[] = []
      for (let index = 0; index < 11; index++) quotes.unshift(await publish(bob, { quote_post_id: post }))
      const path = `/2/posts/${post}/quote_posts?max_results=10`
      const first = await get(ada, path)
      assert.deepEqual(idsOf(first), quotes.slice(0, 10))
      const second = await get(ada, `${path}&pagination_token=${first.meta?.next_token}`)
      assert.deepEqual([idsOf(second), second.meta?.next_token], [quotes.slice(10), undefined])
      const back = await get(ada, `${path}&pagination_token=${second.meta?.previous_token}`)
      assert.deepEqual([idsOf(back), back.meta?.previous_token], [quotes.slice(0, 10), undefined])
      const own = await publish(bob)
      const reply = await publish(bob, { quote_post_id: own, reply: { in_reply_to_post_id: post } })
      assert.deepEqual(idsOf(await get(ada, `/2/posts/${own}/quote_posts`)), [reply])
      assert.deepEqual(await get(ada, `/2/posts/${own}/quote_posts?exclude=replies`), {
        meta: { result_count: 0 },
      })
    })

    test('bookmarks are for their user alone', async () => {
      for (let round = 0; round < 2; round++)
        assert.deepEqual(await react(bob, 'bookmarks', post), { bookmarked: true })
      assert.equal((await metrics(post)).bookmark_count, 1)
      assert.deepEqual(idsOf(await get(bob, `/2/users/${bob.id}/bookmarks`)), [post])
      assert.equal((await ada.core('GET', `/2/users/${bob.id}/bookmarks`)).status, 400)
      for (let round = 0; round < 2; round++)
        assert.deepEqual(await takeBack(bob, 'bookmarks', post), { bookmarked: false })
      assert.equal((await metrics(post)).bookmark_count, 0)
      assert.deepEqual(await eventsOf(bob.id), ['post.bookmarked', 'post.unbookmarked'])
    })

    test('the author of a conversation hides replies to it, and no one else', async () => {
      const reply = await publish(bob, { reply: { in_reply_to_post_id: post } })
      const hide = (who: Person, of: string, hidden: boolean) =>
        who.core('PUT', `/2/posts/${of}/hidden`, { hidden })
      for (const hidden of [true, true, false])
        assert.deepEqual(okay(await hide(ada, reply, hidden)).data, { hidden })
      const refused = 'You are not authorized to hide replies in this conversation: only its author can.'
      assert.deepEqual(detail(await hide(bob, reply, true)), [403, refused])
      assert.deepEqual(detail(await hide(ada, post, true)), [403, refused])
      assert.deepEqual(await eventsOf(ada.id), ['post.reply_hidden', 'post.reply_shown'])
    })

    test('a post that a user cannot see cannot be acted on, and is omitted from lists', async () => {
      await react(bob, 'likes', post)
      await react(bob, 'bookmarks', post)
      const repost = String((await react(bob, 'reposts', post))?.id)
      await opened.plaza.context.store.write((tx) => tx.run(protect, { id: ada.id, value: 1 }))
      const eve = await join()
      for (const segment of ['likes', 'reposts', 'bookmarks']) {
        const reply = okay(await eve.core('POST', `/2/users/${eve.id}/${segment}`, { post_id: post }))
        assert.equal(reply.errors?.[0]?.title, 'Authorization Error')
      }
      assert.equal(
        (await get(eve, `/2/posts/${post}/liking_users`)).errors?.[0]?.title,
        'Authorization Error',
      )
      assert.equal((await get(eve, `/2/posts/${repost}`)).errors?.[0]?.title, 'Authorization Error')
      for (const path of ['liked_posts', 'bookmarks'])
        assert.deepEqual(await get(bob, `/2/users/${bob.id}/${path}`), { meta: { result_count: 0 } })
      await opened.plaza.context.store.write((tx) => tx.run(protect, { id: ada.id, value: 0 }))
      const missing = okay(await bob.core('POST', `/2/users/${bob.id}/likes`, { post_id: '456' }))
      assert.equal(missing.errors?.[0]?.detail, 'Could not find post with post_id: [456].')
    })

    test('posts of a protected user are not reposted by followers', async () => {
      await bob.core('POST', `/2/users/${bob.id}/following`, { target_user_id: ada.id })
      await opened.plaza.context.store.write((tx) => tx.run(protect, { id: ada.id, value: 1 }))
      const reply = await bob.core('POST', `/2/users/${bob.id}/reposts`, { post_id: post })
      assert.deepEqual(detail(reply), [403, 'You are not permitted to repost this Post.'])
      assert.equal((await react(ada, 'reposts', post))?.reposted, true)
    })
  })
}
