import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import { setSuspended } from '../../src/identity/apps/suspension.ts'
import { updateProfile } from '../../src/identity/users/profile.ts'
import { addMember } from '../../src/workbench/create/communities.ts'
import { Client, demoKeys, type Reply } from '../support/client.ts'
import { makeCommunity } from '../support/communities.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { until } from '../support/until.ts'

const MINUTE_MS = 60_000

const subscribe = query<{ id: string }>('subscribeInVisibility', (db, at) =>
  db.updateTable('users').set({ subscription_type: 'Premium' }).where('id', '=', at.id),
)

interface Body {
  data?: Record<string, unknown> & Record<string, unknown>[]
  meta?: { total_post_count?: number; result_count?: number }
  errors?: { title: string }[]
}

const okay = (reply: Reply): Body => {
  assert.ok(reply.status < 300, reply.text)
  return reply.json as Body
}
const idsOf = ({ data }: Body) => (data ?? []).map(({ id }) => id)
const titlesOf = ({ errors }: Body) => errors?.map(({ title }) => title)

/** Posts that only their author sees, and one of a community that others see. */
const RESTRICTED = {
  'for subscribers': { for_super_followers_only: true },
  'of a closed community': { community_id: '42' },
}
const SHARED = { community_id: '42', share_with_followers: true }

for (const stage of stages) {
  describe(`who sees posts on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let authorization: string
    let ada: Person
    let bob: Person
    let count = 0
    const readers: StreamReader[] = []

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
      authorization = `Bearer ${await client.bearer(demoKeys(opened.plaza))}`
      await makeCommunity(opened.plaza.context, { id: '42', access: 'Closed' })
    })
    after(async () => {
      await client.close()
      await opened.close()
    })
    beforeEach(async () => {
      opened.plaza.clock.advance(1000)
      ;[ada, bob] = [await join(), await join()]
      const { store, ids } = opened.plaza.context
      const user = { id: ada.id, screen_name: ada.screenName }
      await store.write((tx) => addMember(tx, { communityId: '42', user }, { ids }))
    })
    afterEach(() => {
      for (const reader of readers.splice(0)) reader.close()
    })

    const join = () => Person.join(opened.plaza, client)
    const publish = async (who: Person, more: object = {}): Promise<string> => {
      const { data } = okay(await who.core('POST', '/2/posts', { text: `Something new ${++count}`, ...more }))
      return String(data?.id)
    }
    const repost = async (who: Person, post_id: string): Promise<string> =>
      String(okay(await who.core('POST', `/2/users/${who.id}/reposts`, { post_id })).data?.id)
    const remove = async (who: Person, id: string) => okay(await who.core('DELETE', `/2/posts/${id}`))
    const get = async (who: Person, path: string) => okay(await who.core('GET', path))
    const asApp = async (method: string, path: string, json?: object) =>
      okay(await client.send(method, path, { headers: { authorization }, ...(json && { json }) }))
    const find = async (words: string) =>
      idsOf(await asApp('GET', `/2/posts/search/recent?query=${encodeURIComponent(words)}`))
    const countOf = async (words: string) =>
      (await asApp('GET', `/2/posts/counts/recent?query=${encodeURIComponent(words)}`)).meta?.total_post_count
    /** Waits until searches and counts agree on the posts of a query. */
    const found = async (words: string, ...ids: string[]) => {
      opened.plaza.clock.advance(MINUTE_MS)
      const wanted = JSON.stringify(ids.toReversed())
      await until(`${words}: ${ids.length} found`, async () => JSON.stringify(await find(words)) === wanted)
      await until(`${words}: ${ids.length} counted`, async () => (await countOf(words)) === ids.length)
    }
    const rules = async (...values: string[]) => {
      await asApp('POST', '/2/posts/search/stream/rules?delete_all=true', {})
      const add = values.map((value) => ({ value, tag: value }))
      await asApp('POST', '/2/posts/search/stream/rules', { add })
    }
    const stream = async (more = '', path?: string) => {
      const reader = await StreamReader.open(opened.plaza, authorization.slice('Bearer '.length), more, path)
      readers.push(reader)
      assert.equal(reader.status, 200)
      return reader
    }
    const streamed = (reader: StreamReader, id: string) =>
      until(`the post ${id} on the stream`, () => reader.items.find(({ data }) => data?.id === id))
    const change = (who: Person, changes: Parameters<typeof updateProfile>[2]) =>
      opened.plaza.context.store.write((tx) => updateProfile(tx, who.id, changes))

    for (const [kind, restriction] of Object.entries(RESTRICTED)) {
      test(`a post ${kind} is shown to its author only`, async () => {
        const post = await publish(ada, { ...restriction, text: `Hello @${bob.screenName}` })
        await bob.core('POST', `/2/users/${bob.id}/following`, { target_user_id: ada.id })
        assert.equal((await get(ada, `/2/posts/${post}`)).data?.id, post)
        for (const body of [await get(bob, `/2/posts/${post}`), await asApp('GET', `/2/posts/${post}`)])
          assert.deepEqual([body.data, titlesOf(body)], [undefined, ['Authorization Error']])
        const own = `/2/users/${ada.id}/timelines/reverse_chronological`
        for (const path of [`/2/users/${ada.id}/posts`, own])
          assert.deepEqual(idsOf(await get(ada, path)), [post], path)
        const home = `/2/users/${bob.id}/timelines/reverse_chronological`
        for (const path of [`/2/users/${ada.id}/posts`, home, `/2/users/${bob.id}/mentions`])
          assert.deepEqual(idsOf(await get(bob, path)), [], path)
        for (const more of [{ reply: { in_reply_to_post_id: post } }, { quote_post_id: post }]) {
          const { status } = await bob.core('POST', '/2/posts', { text: `To it ${++count}`, ...more })
          assert.ok(status >= 400, JSON.stringify(more))
        }
        const liked = okay(await bob.core('POST', `/2/users/${bob.id}/likes`, { post_id: post }))
        assert.deepEqual(titlesOf(liked), ['Authorization Error'])
      })

      test(`a post ${kind} is in no search, count, stream or activity, nor is its repost`, async () => {
        await rules(`from:${ada.screenName}`)
        for (const event_type of ['post.create', 'post.delete'])
          await asApp('POST', '/2/activity/subscriptions', { event_type, filter: { user_id: ada.id } })
        const [posts, activities] = [await stream(), await stream('', '/2/activity/stream')]
        const hidden = await publish(ada, restriction)
        const reposted = await repost(ada, hidden)
        const open = await publish(ada, SHARED)
        await streamed(posts, open)
        for (const id of [reposted, hidden, open]) await remove(ada, id)
        const last = await publish(ada)
        await streamed(posts, last)
        assert.deepEqual(
          posts.items.map(({ data }) => data?.id),
          [open, last],
        )
        const told = () =>
          activities.items.map(({ data }) => {
            const { event_type, payload } = data as unknown as { event_type: string; payload: { id: string } }
            return [event_type, payload.id]
          })
        const wanted = [
          ['post.create', open],
          ['post.delete', open],
          ['post.create', last],
        ]
        // The first may have been deleted before it was told.
        await until('the last activity', () => told().some(([, id]) => id === last))
        assert.deepEqual(
          told(),
          wanted.filter((one) => told().some((other) => String(other) === String(one))),
        )
        assert.ok(told().some(([event, id]) => event === 'post.delete' && id === open))
        const again = await publish(ada, restriction)
        await repost(ada, again)
        const shared = await publish(ada, SHARED)
        await found(`from:${ada.screenName}`, last, shared)
      })

      test(`a post ${kind} stays so when it is edited, and only its author sees it as the newest post`, async () => {
        await opened.plaza.context.store.write((tx) => tx.run(subscribe, { id: ada.id }))
        const open = await publish(ada, SHARED)
        const edited = await publish(ada, { edit_options: { previous_post_id: open } })
        assert.equal((await get(bob, `/2/posts/${edited}`)).data?.id, edited)
        const hidden = await publish(ada, restriction)
        if (kind === 'for subscribers') {
          const version = await publish(ada, { edit_options: { previous_post_id: hidden } })
          assert.deepEqual(titlesOf(await get(bob, `/2/posts/${version}`)), ['Authorization Error'])
        }
        const path = `/2/users/${ada.id}?user.fields=most_recent_post_id`
        assert.equal((await get(bob, path)).data?.most_recent_post_id, edited)
        assert.ok(String((await get(ada, path)).data?.most_recent_post_id) >= hidden)
      })
    }

    test('the newest post of a protected user is shown to followers, but not to users whom the author blocks', async () => {
      const post = await publish(ada)
      const path = `/2/users/${ada.id}?user.fields=most_recent_post_id`
      const newest = async (who: Person) => (await get(who, path)).data?.most_recent_post_id
      const eve = await join()
      await bob.core('POST', `/2/users/${bob.id}/following`, { target_user_id: ada.id })
      assert.deepEqual([await newest(ada), await newest(bob), await newest(eve)], [post, post, post])
      await change(ada, { protected: 1 })
      assert.deepEqual([await newest(ada), await newest(bob), await newest(eve)], [post, post, undefined])
      assert.equal((await asApp('GET', path)).data?.most_recent_post_id, undefined)
      await change(ada, { protected: 0 })
      await ada.core('POST', `/2/users/${ada.id}/blocking`, { target_user_id: eve.id })
      assert.deepEqual(
        [await newest(eve), (await asApp('GET', path)).data?.most_recent_post_id],
        [undefined, post],
      )
    })

    test('rules match the text of a quoted post while everyone sees it, and then no more', async () => {
      await rules('wombat', '#burrow', `from:${bob.screenName}`)
      const reader = await stream()
      const matching = async (id: string) =>
        (await streamed(reader, id)).matching_rules?.map(({ tag }) => tag).sort()
      const quoted = await publish(ada, { text: 'A wombat in its #burrow' })
      const quotes = [await publish(bob, { quote_post_id: quoted })]
      const from = `from:${bob.screenName}`
      assert.deepEqual(await matching(quotes[0] ?? ''), ['#burrow', from, 'wombat'])
      await bob.core('POST', `/2/users/${bob.id}/following`, { target_user_id: ada.id })
      await change(ada, { protected: 1 })
      quotes.push(await publish(bob, { quote_post_id: quoted }))
      assert.deepEqual(await matching(quotes[1] ?? ''), [from])
      await change(ada, { protected: 0 })
      quotes.push(await publish(bob, { quote_post_id: quoted }))
      assert.deepEqual(await matching(quotes[2] ?? ''), ['#burrow', from, 'wombat'])
      await remove(ada, quoted)
      // Streams of the past match posts as they are now.
      reader.close()
      opened.plaza.clock.advance(1_000)
      const later = await stream('?backfill_minutes=5')
      for (const id of quotes)
        assert.deepEqual(
          (await streamed(later, id)).matching_rules?.map(({ tag }) => tag),
          [from],
        )
    })

    test('searches and counts find reposts as long as the original and its author are there', async () => {
      const original = await publish(ada)
      const other = await publish(ada)
      const words = `reposts_of:${ada.screenName}`
      const reposts = [
        await repost(bob, original),
        await repost(await join(), original),
        await repost(bob, other),
      ]
      await found(words, ...reposts)
      await remove(ada, original)
      await found(words, reposts[2] ?? '')
      await change(ada, { protected: 1 })
      await found(words)
      await change(ada, { protected: 0 })
      await found(words, reposts[2] ?? '')
      const suspend = (suspended: boolean) =>
        opened.plaza.context.store.write((tx) => setSuspended(tx, { kind: 'user', id: ada.id, suspended }))
      await suspend(true)
      await found(`from:${bob.screenName}`)
      await suspend(false)
      await found(words, reposts[2] ?? '')
    })

    test('a repost of a former version goes with the post', async () => {
      await opened.plaza.context.store.write((tx) => tx.run(subscribe, { id: ada.id }))
      const first = await publish(ada)
      const reposted = await repost(bob, first)
      const second = await publish(ada, { edit_options: { previous_post_id: first } })
      await found(`from:${bob.screenName}`, reposted)
      await change(ada, { protected: 1 })
      await found(`from:${bob.screenName}`)
      await change(ada, { protected: 0 })
      await found(`from:${bob.screenName}`, reposted)
      await remove(ada, second)
      await found(`from:${bob.screenName}`)
    })

    test('a reply to a repost replies to its original, whose settings hold, and a quote quotes it', async () => {
      const original = await publish(ada, { reply_settings: 'following' })
      const reposted = await repost(bob, original)
      const eve = await join()
      const refused = await eve.core('POST', '/2/posts', {
        text: 'Let me in',
        reply: { in_reply_to_post_id: reposted },
      })
      const restricted = 'The author of the conversation has limited who may reply to this Post.'
      assert.deepEqual([refused.status, (refused.json as { detail: string }).detail], [403, restricted])
      const reply = await publish(ada, { reply: { in_reply_to_post_id: reposted } })
      const fields = 'post.fields=referenced_posts,conversation_id,in_reply_to_user_id'
      const { data } = await get(bob, `/2/posts/${reply}?${fields}`)
      assert.deepEqual(
        [data?.referenced_posts, data?.conversation_id, data?.in_reply_to_user_id],
        [[{ type: 'replied_to', id: original }], original, ada.id],
      )
      const quote = await publish(eve, { quote_post_id: reposted })
      assert.deepEqual((await get(bob, `/2/posts/${quote}?${fields}`)).data?.referenced_posts, [
        { type: 'quoted', id: original },
      ])
      const { data: shown } = await get(bob, `/2/posts/${original}?post.fields=public_metrics`)
      const counts = shown?.public_metrics as Record<string, number> | undefined
      assert.deepEqual([counts?.reply_count, counts?.quote_count], [1, 1])
    })
  })
}
