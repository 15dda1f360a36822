import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import { Client, type Reply } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'

const protect = query<{ id: string; value: number }>('protectInTimelines', (db, at) =>
  db.updateTable('users').set({ protected: at.value }).where('id', '=', at.id),
)
const subscribe = query<{ id: string }>('subscribeInTimelines', (db, at) =>
  db.updateTable('users').set({ subscription_type: 'Premium' }).where('id', '=', at.id),
)

interface Body {
  data?: Record<string, unknown>[]
  meta?: Record<string, unknown>
  errors?: { detail: string; title: string }[]
}

const okay = (reply: Reply): Body => {
  assert.equal(reply.status, 200, reply.text)
  return reply.json as Body
}
const idsOf = ({ data }: Body) => (data ?? []).map(({ id }) => id)
const HOME = 'timelines/reverse_chronological'

for (const stage of stages) {
  describe(`timelines on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ada: Person
    let bob: Person
    let count = 0

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client.close()
      await opened.close()
    })
    beforeEach(async () => {
      opened.plaza.clock.advance(1000)
      ;[ada, bob] = [await join(), await join()]
    })

    const join = () => Person.join(opened.plaza, client)
    const now = () => new Date(opened.plaza.clock.now()).toISOString()
    const publish = async (who: Person, more: object = {}): Promise<string> => {
      opened.plaza.clock.advance(1000)
      const reply = await who.core('POST', '/2/posts', { text: `Line number ${++count}`, ...more })
      assert.equal(reply.status, 201, reply.text)
      return (reply.json as { data: { id: string } }).data.id
    }
    const act = async (who: Person, segment: string, body: object) =>
      okay(await who.core('POST', `/2/users/${who.id}/${segment}`, body))
    const follow = (who: Person, whom: Person) => act(who, 'following', { target_user_id: whom.id })
    const repost = async (who: Person, post_id: string) => {
      opened.plaza.clock.advance(1000)
      const { data } = await act(who, 'reposts', { post_id })
      return (data as unknown as { id: string }).id
    }
    const read = async (who: Person, of: Person, segment: string, more = '') =>
      okay(await who.core('GET', `/2/users/${of.id}/${segment}?${more}`))

    test('the posts of a user come newest first, without what is excluded, and in windows', async () => {
      const original = await publish(ada)
      const plain = await publish(bob)
      const replied = await publish(bob, { reply: { in_reply_to_post_id: original } })
      const reposted = await repost(bob, original)
      const last = await publish(bob)
      const of = (more = '') => read(ada, bob, 'posts', more)
      const all = await of()
      assert.deepEqual(all.meta, { result_count: 4, newest_id: last, oldest_id: plain })
      assert.deepEqual(idsOf(all), [last, reposted, replied, plain])
      assert.deepEqual(idsOf(await of('exclude=replies')), [last, reposted, plain])
      assert.deepEqual(idsOf(await of('exclude=reposts')), [last, replied, plain])
      assert.deepEqual(idsOf(await of('exclude=reposts,replies')), [last, plain])
      assert.deepEqual(idsOf(await of(`since_id=${plain}`)), [last, reposted, replied])
      assert.deepEqual(idsOf(await of(`until_id=${reposted}`)), [replied, plain])
      assert.deepEqual(await of(`since_id=${last}`), { meta: { result_count: 0 } })
      assert.deepEqual(idsOf(await of(`start_time=${now().slice(0, 19)}Z`)), [last])
      assert.deepEqual(idsOf(await of(`end_time=${now().slice(0, 19)}Z`)), [reposted, replied, plain])
      for (const zone of ['+00:00', '%2B00:00', '-00:00'])
        assert.deepEqual(idsOf(await of(`start_time=${now().slice(0, 19)}${zone}`)), [last])
      const wrong = await ada.core(
        'GET',
        `/2/users/${bob.id}/posts?start_time=2026-03-02T00:00:00Z&end_time=2026-03-01T00:00:00Z`,
      )
      assert.equal(wrong.status, 400, wrong.text)
    })

    test('pages lead to older and back to newer posts', async () => {
      const posts: string[] = []
      for (let index = 0; index < 12; index++) posts.unshift(await publish(bob))
      for (const segment of ['posts', HOME]) {
        const of = (more = '') => read(bob, bob, segment, `max_results=5${more}`)
        const first = await of()
        const second = await of(`&pagination_token=${first.meta?.next_token}`)
        const third = await of(`&pagination_token=${second.meta?.next_token}`)
        assert.deepEqual([first, second, third].map(idsOf), [
          posts.slice(0, 5),
          posts.slice(5, 10),
          posts.slice(10),
        ])
        assert.equal(third.meta?.next_token, undefined)
        const back = await of(`&pagination_token=${second.meta?.previous_token}`)
        assert.deepEqual([idsOf(back), back.meta?.previous_token], [posts.slice(0, 5), undefined])
        const middle = await of(`&pagination_token=${third.meta?.previous_token}`)
        assert.deepEqual(idsOf(middle), posts.slice(5, 10))
        const bounded = `&since_id=${posts[8]}&until_id=${posts[0]}`
        const inside = await of(bounded)
        assert.deepEqual(idsOf(inside), posts.slice(1, 6))
        const rest = await of(`${bounded}&pagination_token=${inside.meta?.next_token}`)
        assert.deepEqual([idsOf(rest), rest.meta?.next_token], [posts.slice(6, 8), undefined])
        const again = await of(`${bounded}&pagination_token=${rest.meta?.previous_token}`)
        assert.deepEqual(idsOf(again), posts.slice(1, 6))
      }
    })

    test('the home timeline merges those whom the user follows, without muted ones', async () => {
      const [cyd, eve] = [await join(), await join()]
      for (const whom of [bob, cyd]) await follow(ada, whom)
      const own = await publish(ada)
      const ofBob = await publish(bob)
      const ofEve = await publish(eve)
      const ofCyd = await publish(cyd)
      const shared = await repost(cyd, ofEve)
      const reply = await publish(bob, { reply: { in_reply_to_post_id: own } })
      const home = (more = '') => read(ada, ada, HOME, more)
      assert.deepEqual(idsOf(await home()), [reply, shared, ofCyd, ofBob, own])
      assert.deepEqual(idsOf(await home('exclude=replies')), [shared, ofCyd, ofBob, own])
      assert.deepEqual(idsOf(await home('exclude=replies,reposts')), [ofCyd, ofBob, own])
      assert.deepEqual(idsOf(await home('max_results=2&exclude=reposts')), [reply, ofCyd])
      await act(ada, 'muting', { target_user_id: eve.id })
      assert.deepEqual(idsOf(await home()), [reply, ofCyd, ofBob, own])
      await act(ada, 'muting', { target_user_id: bob.id })
      assert.deepEqual(idsOf(await home()), [ofCyd, own])
      assert.equal((await bob.core('GET', `/2/users/${ada.id}/${HOME}`)).status, 400)
    })

    test('mentions and replies of others are listed until they are edited or deleted', async () => {
      const own = await publish(ada)
      const eve = await join()
      const named = (more = '') => publish(bob, { text: `For @${ada.screenName}, ${++count}${more}` })
      const mention = await named()
      const reply = await publish(eve, { reply: { in_reply_to_post_id: own } })
      await repost(eve, mention)
      await publish(ada, { text: `About @${ada.screenName} myself ${++count}` })
      const of = (more = '') => read(ada, ada, 'mentions', more)
      assert.deepEqual(idsOf(await of()), [reply, mention])
      assert.deepEqual(idsOf(await of(`since_id=${mention}`)), [reply])
      assert.deepEqual(idsOf(await of(`until_id=${reply}`)), [mention])
      await opened.plaza.context.store.write((tx) => tx.run(subscribe, { id: bob.id }))
      const edited = await publish(bob, {
        text: `Again for @${ada.screenName}, ${++count}`,
        edit_options: { previous_post_id: mention },
      })
      assert.deepEqual(idsOf(await of()), [edited, reply])
      await act(ada, 'blocking', { target_user_id: eve.id })
      assert.deepEqual(idsOf(await of()), [edited])
      okay(await bob.core('DELETE', `/2/posts/${edited}`))
      assert.deepEqual(await of(), { meta: { result_count: 0 } })
    })

    test('timelines of protected users are for followers, and of users who are gone an error', async () => {
      const post = await publish(bob)
      await follow(ada, bob)
      await opened.plaza.context.store.write((tx) => tx.run(protect, { id: bob.id, value: 1 }))
      const eve = await join()
      for (const segment of ['posts', 'mentions'])
        assert.equal(
          (await read(eve, bob, segment)).errors?.[0]?.detail,
          `Sorry, you are not authorized to see the User with id: [${bob.id}].`,
        )
      assert.deepEqual(idsOf(await read(ada, bob, 'posts')), [post])
      assert.deepEqual(idsOf(await read(ada, ada, HOME)), [post])
      const missing = okay(await ada.core('GET', '/2/users/456/posts'))
      assert.equal(missing.errors?.[0]?.detail, 'Could not find user with id: [456].')
    })
  })
}
