import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { postsSeenBy } from '../../src/domain/posts/queries.ts'
import {
  change,
  countsOfPost,
  countsOfUser,
  edit,
  idsIn,
  okay,
  publish,
  react,
  read,
  takeBack,
} from '../support/actions.ts'
import { Client, demoKeys } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

for (const stage of stages) {
  describe(`reactions to edited posts on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let bearer: string
    let ada: Person
    let bob: Person
    /** Of Ada, in two versions. */
    let first: string

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
      await change(opened.plaza, ada, { subscription_type: 'Premium' })
      first = await publish(ada)
    })

    const join = () => Person.join(opened.plaza, client)
    const quoting = (quote_post_id: string) => publish(bob, { quote_post_id })
    const replyingTo = (in_reply_to_post_id: string) => publish(bob, { reply: { in_reply_to_post_id } })

    test('a new version has the counts of the post, and so have the former ones from then on', async () => {
      for (const segment of ['likes', 'bookmarks', 'reposts'] as const) await react(bob, segment, first)
      await quoting(first)
      await replyingTo(first)
      const second = await edit(ada, first)
      const before = { like_count: 1, bookmark_count: 1, repost_count: 1, quote_count: 1, reply_count: 1 }
      const after = { like_count: 2, bookmark_count: 2, repost_count: 2, quote_count: 2, reply_count: 2 }
      for (const version of [first, second])
        assert.deepEqual(await countsOfPost(bob, version), { ...before, impression_count: 0 })
      const eve = await join()
      for (const segment of ['likes', 'bookmarks', 'reposts'] as const) await react(eve, segment, second)
      await quoting(second)
      await replyingTo(second)
      for (const version of [first, second])
        assert.deepEqual(await countsOfPost(bob, version), { ...after, impression_count: 0 })
      await takeBack(eve, 'likes', first)
      await takeBack(bob, 'reposts', second)
      const { like_count, repost_count } = await countsOfPost(bob, second)
      assert.deepEqual([like_count, repost_count], [1, 1])
    })

    test('a user reacts to a post once, whichever version a call names', async () => {
      for (const segment of ['likes', 'bookmarks'] as const) await react(bob, segment, first)
      const repost = (await react(bob, 'reposts', first)).data?.id
      const second = await edit(ada, first)
      for (const version of [second, first]) {
        assert.deepEqual(await react(bob, 'likes', version), { data: { liked: true } })
        assert.deepEqual(await react(bob, 'bookmarks', version), { data: { bookmarked: true } })
        assert.equal((await react(bob, 'reposts', version)).data?.id, repost)
      }
      const counts = await countsOfPost(bob, second)
      assert.deepEqual([counts.like_count, counts.bookmark_count, counts.repost_count], [1, 1, 1])
      const own = await countsOfUser(bob)
      assert.deepEqual([own.like_count, own.post_count], [1, 1])
      for (const version of [first, second])
        for (const list of ['liking_users', 'reposted_by'])
          assert.deepEqual(idsIn(await read(ada, `/2/posts/${version}/${list}`)), [bob.id])
      for (const list of ['liked_posts', 'bookmarks'])
        assert.deepEqual(idsIn(await read(bob, `/2/users/${bob.id}/${list}`)), [second])
    })

    test('the lists of a post contain the quotes and reposts of all versions, newest first', async () => {
      const quotes = [await quoting(first)]
      const second = await edit(ada, first)
      quotes.unshift(await quoting(second))
      quotes.unshift(await quoting(first))
      const reposts: unknown[] = []
      for (const who of [bob, await join()]) {
        opened.plaza.clock.advance(1)
        reposts.unshift((await react(who, 'reposts', who === bob ? first : second)).data?.id)
      }
      for (const version of [first, second]) {
        assert.deepEqual(idsIn(await read(ada, `/2/posts/${version}/quote_posts`)), quotes)
        assert.deepEqual(idsIn(await read(ada, `/2/posts/${version}/reposts`)), reposts)
      }
    })

    test('a former version that is liked is found in searches by the likes of the newest', async () => {
      const second = await edit(ada, first)
      await react(bob, 'likes', first)
      await replyingTo(first)
      opened.plaza.clock.advance(60_000)
      const query = encodeURIComponent(`from:${ada.screenName} min_likes:1 min_replies:1`)
      await until('a search finds the newest version', async () => {
        const headers = { authorization: `Bearer ${bearer}` }
        const found = await client.send('GET', `/2/posts/search/recent?query=${query}`, { headers })
        return idsIn(okay(found)).join() === second
      })
    })

    test('a hidden reply stays hidden when its author edits it', async () => {
      const root = await publish(ada)
      const reply = await publish(ada, { reply: { in_reply_to_post_id: root } })
      const hide = async (id: string, hidden: boolean) =>
        okay(await ada.core('PUT', `/2/posts/${id}/hidden`, { hidden })).data
      assert.deepEqual(await hide(reply, true), { hidden: true })
      const second = await edit(ada, reply)
      const { store } = opened.plaza.context
      const isHidden = async (id: string) =>
        (await store.all(postsSeenBy, { ids: JSON.stringify([id]), viewer: '' }))[0]?.hidden
      assert.equal(await isHidden(second), 1)
      await hide(reply, false)
      assert.deepEqual([await isHidden(reply), await isHidden(second)], [0, 0])
    })

    test('users whom the newest version of a post mentions may reply to it, and no others', async () => {
      const eve = await join()
      const mentioned = { reply_settings: 'mentionedUsers' }
      const post = await publish(ada, { text: `Talk @${bob.screenName}`, ...mentioned })
      const newest = await edit(ada, post, { text: `Talk @${eve.screenName}`, ...mentioned })
      const answer = (who: Person, to: string) =>
        who.core('POST', '/2/posts', { text: `I ${who.screenName} say`, reply: { in_reply_to_post_id: to } })
      for (const version of [post, newest]) {
        assert.equal((await answer(bob, version)).status, 403)
        opened.plaza.clock.advance(25 * 3_600_000)
        assert.equal((await answer(eve, version)).status, 201)
      }
    })

    test('all reactions are counted that come while their post is edited', async () => {
      const others = await Promise.all(Array.from({ length: 6 }, join))
      const nodes = stage.shared ? [client, new Client(await opened.second())] : [client]
      let newest = first
      await Promise.all([
        ...others.flatMap((who, index) =>
          (['likes', 'reposts', 'bookmarks'] as const).map((segment) =>
            nodes[index % nodes.length]?.signed('POST', `/2/users/${who.id}/${segment}`, who.keys, {
              json: { post_id: first },
            }),
          ),
        ),
        (async () => {
          for (let version = 0; version < 3; version++) newest = await edit(ada, newest)
        })(),
      ])
      await nodes[1]?.close()
      for (const version of [first, newest]) {
        const counts = await countsOfPost(bob, version)
        assert.deepEqual([counts.like_count, counts.repost_count, counts.bookmark_count], [6, 6, 6])
      }
    })
  })
}
