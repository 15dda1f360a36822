import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  change,
  countsOfUser,
  idsIn,
  okay,
  publish,
  react,
  read,
  relate,
  suspend,
  takeBack,
  unrelate,
} from '../support/actions.ts'
import { Client } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'

for (const stage of stages) {
  describe(`taking back what a user did on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ada: Person
    let bob: Person

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
    /** Whatever happens to Ada and her post, after which Bob no longer sees it. */
    const BECAME: Record<string, (post: string) => Promise<unknown>> = {
      'was deleted': async (post) => okay(await ada.core('DELETE', `/2/posts/${post}`)),
      'became protected': () => change(opened.plaza, ada, { protected: 1 }),
      'is by someone who blocks the user': () => relate(ada, 'blocking', bob),
      'is by a suspended user': () => suspend(opened.plaza, ada, true),
    }

    for (const [what, become] of Object.entries(BECAME)) {
      test(`reactions to a post that ${what} are taken back, and nothing is left of them`, async () => {
        const post = await publish(ada)
        for (const segment of ['likes', 'bookmarks', 'reposts'] as const) await react(bob, segment, post)
        await become(post)
        for (let round = 0; round < 2; round++) {
          assert.deepEqual(await takeBack(bob, 'likes', post), { data: { liked: false } })
          assert.deepEqual(await takeBack(bob, 'bookmarks', post), { data: { bookmarked: false } })
          assert.deepEqual(await takeBack(bob, 'reposts', post), { data: { reposted: false } })
        }
        const { like_count, post_count } = await countsOfUser(bob)
        assert.deepEqual([like_count, post_count], [0, 0])
        // Back to a state in which Bob sees what is there.
        await suspend(opened.plaza, ada, false)
        await unrelate(ada, 'blocking', bob)
        await change(opened.plaza, ada, { protected: 0 })
        for (const list of ['liked_posts', 'bookmarks', 'posts'])
          assert.deepEqual(await read(bob, `/2/users/${bob.id}/${list}`), { meta: { result_count: 0 } })
      })

      test(`a reply that ${what} is shown again`, async () => {
        const root = await publish(bob)
        const reply = await publish(ada, { reply: { in_reply_to_post_id: root } })
        const hide = async (hidden: boolean) =>
          okay(await bob.core('PUT', `/2/posts/${reply}/hidden`, { hidden }))
        assert.deepEqual(await hide(true), { data: { hidden: true } })
        await become(reply)
        assert.deepEqual(await hide(false), { data: { hidden: false } })
        assert.equal((await hide(true)).data, undefined)
      })
    }

    test('a follow, a request, a mute and a block of a suspended user end', async () => {
      await relate(bob, 'following', ada)
      await relate(bob, 'muting', ada)
      const [eve, dan] = [await join(), await join()]
      await relate(eve, 'blocking', ada)
      await change(opened.plaza, ada, { protected: 1 })
      await relate(dan, 'following', ada)
      await suspend(opened.plaza, ada, true)
      assert.equal((await relate(eve, 'muting', ada)).errors?.[0]?.title, 'Forbidden')
      for (let round = 0; round < 2; round++) {
        assert.deepEqual(await unrelate(bob, 'following', ada), { data: { following: false } })
        assert.deepEqual(await unrelate(dan, 'following', ada), { data: { following: false } })
        assert.deepEqual(await unrelate(bob, 'muting', ada), { data: { muting: false } })
        assert.deepEqual(await unrelate(eve, 'blocking', ada), { data: { blocking: false } })
      }
      assert.equal((await countsOfUser(bob)).following_count, 0)
      await suspend(opened.plaza, ada, false)
      assert.equal((await countsOfUser(ada)).followers_count, 0)
      for (const [who, list] of [
        [bob, 'following'],
        [bob, 'muting'],
        [eve, 'blocking'],
      ] as const)
        assert.deepEqual(await read(who, `/2/users/${who.id}/${list}`), { meta: { result_count: 0 } })
      const { data } = await read(dan, `/2/users/${ada.id}?user.fields=connection_status`)
      assert.deepEqual(data?.connection_status, [])
    })

    test('only what never existed is reported as missing', async () => {
      for (const segment of ['likes', 'bookmarks', 'reposts'] as const)
        assert.equal((await takeBack(bob, segment, '456')).errors?.[0]?.title, 'Not Found Error')
      const reply = okay(await bob.core('DELETE', `/2/users/${bob.id}/following/456`))
      assert.equal(reply.errors?.[0]?.title, 'Not Found Error')
    })

    test('a repost is undone by its own id, too, and the reaction to a repost by that of the original', async () => {
      const post = await publish(ada)
      const repost = String((await react(bob, 'reposts', post)).data?.id)
      await react(bob, 'likes', repost)
      okay(await ada.core('DELETE', `/2/posts/${post}`))
      assert.deepEqual(await takeBack(bob, 'likes', repost), { data: { liked: false } })
      assert.deepEqual(await takeBack(bob, 'reposts', repost), { data: { reposted: false } })
      const { like_count, post_count } = await countsOfUser(bob)
      assert.deepEqual([like_count, post_count], [0, 0])
      assert.deepEqual(idsIn(await read(bob, `/2/users/${bob.id}/posts`)), [])
    })

    test('a group is left, and its events deleted, whoever blocks the user', async () => {
      const eve = await join()
      const made = await bob.core('POST', '/2/dm_conversations', {
        conversation_type: 'Group',
        participant_ids: [ada.id, eve.id],
        message: { text: 'Hello' },
      })
      assert.equal(made.status, 201, made.text)
      const { dm_conversation_id, dm_event_id } = (
        made.json as { data: { dm_conversation_id: string; dm_event_id: string } }
      ).data
      await relate(ada, 'blocking', bob)
      await suspend(opened.plaza, eve, true)
      const path = `/2/dm_conversations/${dm_conversation_id}/participants/${bob.id}`
      assert.equal((await bob.core('DELETE', path)).status, 200)
      const deleted = okay(await bob.core('DELETE', `/2/dm_events/${dm_event_id}`))
      assert.deepEqual(deleted, { data: { deleted: true } })
    })
  })
}
