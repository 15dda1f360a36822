import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  change,
  countsOfPost,
  countsOfUser,
  idsIn,
  okay,
  pagesOf,
  publish,
  react,
  read,
  relate,
  suspend,
} from '../support/actions.ts'
import { Client, demoKeys } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

for (const stage of stages) {
  describe(`pages of lists on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let bearer: string
    let ada: Person
    let bob: Person
    /** Their posts are what readers do not see. */
    let eve: Person

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
      ;[ada, bob, eve] = [await join(), await join(), await join()]
    })

    const join = () => Person.join(opened.plaza, client)
    /** So that the order of everything is certain. */
    const tick = () => opened.plaza.clock.advance(1)
    const many = async <Made>(times: number, make: () => Promise<Made>): Promise<Made[]> => {
      const made: Made[] = []
      for (let index = 0; index < times; index++) {
        tick()
        made.unshift(await make())
      }
      return made
    }
    /** Two pages of five posts, and a last one with the other two. */
    const inPages = (ids: readonly string[]) => [ids.slice(0, 5), ids.slice(5, 10), ids.slice(10)]
    const visiblePages = async (who: Person, path: string, ids: readonly string[]) =>
      assert.deepEqual(await pagesOf(who, path), inPages(ids))

    test('bookmarks and likes of posts that were deleted do not shorten pages', async () => {
      const posts = await many(12, () => publish(ada))
      const gone = await many(10, () => publish(eve))
      for (const post of [...posts].reverse()) {
        tick()
        for (const segment of ['bookmarks', 'likes'] as const) await react(bob, segment, post)
      }
      for (const post of gone) {
        tick()
        for (const segment of ['bookmarks', 'likes'] as const) await react(bob, segment, post)
      }
      for (const post of gone) okay(await eve.core('DELETE', `/2/posts/${post}`))
      for (const list of ['bookmarks', 'liked_posts'])
        await visiblePages(bob, `/2/users/${bob.id}/${list}?max_results=5`, posts)
      await opened.plaza.tasks.runDue('remove reactions to post')
      assert.equal((await countsOfUser(bob)).like_count, 12)
      for (const list of ['bookmarks', 'liked_posts'])
        await visiblePages(bob, `/2/users/${bob.id}/${list}?max_results=5`, posts)
    })

    test('pages lead back over what is not shown', async () => {
      const posts = await many(6, () => publish(ada))
      const hidden = await many(9, () => publish(eve))
      for (const post of [...posts.slice(3).reverse(), ...hidden, ...posts.slice(0, 3).reverse()]) {
        tick()
        await react(bob, 'bookmarks', post)
      }
      await change(opened.plaza, eve, { protected: 1 })
      const path = `/2/users/${bob.id}/bookmarks?max_results=2`
      const page = async (token: string | undefined) => read(bob, `${path}&pagination_token=${token}`)
      const [first, tokens] = [await read(bob, path), [] as (string | undefined)[]]
      let last = first
      for (; last.meta?.next_token; last = await page(last.meta.next_token)) tokens.push(last.meta.next_token)
      assert.deepEqual(idsIn(last), posts.slice(4))
      const middle = await page(last.meta?.previous_token)
      assert.deepEqual(idsIn(middle), posts.slice(2, 4))
      const back = await page(middle.meta?.previous_token)
      assert.deepEqual([idsIn(back), back.meta?.previous_token], [posts.slice(0, 2), undefined])
      assert.equal(back.meta?.next_token, tokens[0])
    })

    test('timelines, quotes and mentions pass over posts of protected, muted, blocked and blocking users', async () => {
      await relate(bob, 'following', ada)
      const target = await publish(ada)
      const say = (who: Person) =>
        publish(who, { text: `@${bob.screenName} ${Math.random()}`, quote_post_id: target })
      const posts = await many(12, () => say(ada))
      await relate(ada, 'following', eve)
      const theirs = await many(10, () => say(eve))
      for (const post of theirs) {
        tick()
        await react(ada, 'reposts', post)
      }
      await relate(bob, 'muting', eve)
      const home = `/2/users/${bob.id}/timelines/reverse_chronological?max_results=5`
      assert.deepEqual(await pagesOf(bob, home), inPages([...posts, target]))
      await relate(bob, 'blocking', eve)
      await visiblePages(bob, `/2/users/${bob.id}/mentions?max_results=5`, posts)
      await relate(eve, 'blocking', bob)
      await visiblePages(bob, `/2/users/${bob.id}/mentions?max_results=5`, posts)
      const quotes = `/2/posts/${target}/quote_posts?max_results=10`
      assert.deepEqual(await pagesOf(bob, quotes), [posts.slice(0, 10), posts.slice(10)])
      assert.deepEqual(
        await pagesOf(bob, `/2/users/${ada.id}/posts?max_results=5`),
        inPages([...posts, target]),
      )
    })

    test('lists of users pass over suspended ones', async () => {
      const post = await publish(ada)
      const [others, gone] = [await many(3, join), await many(4, join)]
      for (const who of [...others.slice(1).reverse(), ...gone, ...others.slice(0, 1)]) {
        tick()
        await relate(who, 'following', ada)
        await relate(bob, 'following', who)
        await relate(bob, 'muting', who)
        await react(who, 'likes', post)
        await react(who, 'reposts', post)
      }
      for (const who of gone) await suspend(opened.plaza, who, true)
      const ids = others.map(({ id }) => id)
      for (const path of [
        `/2/users/${ada.id}/followers`,
        `/2/users/${bob.id}/following`,
        `/2/users/${bob.id}/muting`,
        `/2/posts/${post}/liking_users`,
        `/2/posts/${post}/reposted_by`,
      ])
        assert.deepEqual(await pagesOf(bob, `${path}?max_results=2`), [ids.slice(0, 2), ids.slice(2)], path)
      for (const who of [...others].reverse()) await relate(bob, 'blocking', who)
      for (const who of gone) await suspend(opened.plaza, who, false)
      for (const who of gone) await relate(bob, 'blocking', who)
      for (const who of gone) await suspend(opened.plaza, who, true)
      assert.deepEqual((await pagesOf(bob, `/2/users/${bob.id}/blocking?max_results=2`)).flat().length, 3)
    })

    test('searches pass over posts of users who block the caller', async () => {
      const word = `w${Date.now()}${stage.name.length}`
      const posts = await many(12, () => publish(ada, { text: `${word} ${Math.random()}` }))
      const theirs = await many(10, () => publish(eve, { text: `${word} ${Math.random()}` }))
      opened.plaza.clock.advance(60_000)
      await until('all of them are found', async () => {
        const headers = { authorization: `Bearer ${bearer}` }
        const path = `/2/posts/search/recent?query=${word}&max_results=100`
        return idsIn(okay(await client.send('GET', path, { headers }))).length === 22
      })
      await relate(eve, 'blocking', bob)
      for (const order of ['recency', 'relevancy']) {
        const path = `/2/posts/search/recent?query=${word}&sort_order=${order}`
        assert.deepEqual(await pagesOf(bob, path), [posts.slice(0, 10), posts.slice(10)], order)
      }
      assert.equal(theirs.length, 10)
    })

    test('a deleted post leaves no likes, bookmarks and reposts behind, and nothing counts them', async () => {
      const [post, other] = [await publish(ada), await publish(ada)]
      const people = await many(5, join)
      const reposts: string[] = []
      for (const who of people)
        for (const one of [post, other]) {
          for (const segment of ['likes', 'bookmarks'] as const) await react(who, segment, one)
          const repost = String((await react(who, 'reposts', one)).data?.id)
          if (one === post) reposts.push(repost)
        }
      okay(await ada.core('DELETE', `/2/posts/${post}`))
      await opened.plaza.tasks.runDue('remove reactions to post')
      for (const who of people) {
        const { like_count, post_count } = await countsOfUser(who)
        assert.deepEqual([like_count, post_count], [1, 1])
        assert.deepEqual(idsIn(await read(who, `/2/users/${who.id}/bookmarks`)), [other])
      }
      const { like_count, repost_count, bookmark_count } = await countsOfPost(ada, other)
      assert.deepEqual([like_count, repost_count, bookmark_count], [5, 5, 5])
      for (const repost of reposts)
        assert.equal((await read(ada, `/2/posts/${repost}`)).errors?.[0]?.title, 'Not Found Error')
    })
  })
}
