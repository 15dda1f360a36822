import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { query } from '../../src/app/tables.ts'
import { pairsAround, readRelations } from '../../src/identity/relations/queries.ts'
import { acceptFollow, lockPair, MAX_FOLLOWING } from '../../src/identity/relations/relations.ts'
import { updateProfile } from '../../src/identity/users/profile.ts'
import { readEvents } from '../../src/platform/events/log.ts'
import { Client, type Reply } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'

const protect = query<{ id: string; value: number }>('protectInRelations', (db, at) =>
  db.updateTable('users').set({ protected: at.value }).where('id', '=', at.id),
)
const suspend = query<{ id: string; value: number }>('suspendInRelations', (db, at) =>
  db.updateTable('users').set({ suspended: at.value }).where('id', '=', at.id),
)
const followMany = query<{ id: string; value: number }>('followManyInRelations', (db, at) =>
  db.updateTable('users').set({ following_count: at.value }).where('id', '=', at.id),
)

interface Body {
  data?: Record<string, unknown> & Record<string, unknown>[]
  meta?: { result_count: number; next_token?: string; previous_token?: string }
  errors?: { detail: string; parameter: string; title: string }[]
}

const okay = (reply: Reply): Body => {
  assert.equal(reply.status, 200, reply.text)
  return reply.json as Body
}
const detail = (reply: Reply) => [reply.status, (reply.json as { detail?: string }).detail]
const idsOf = ({ data }: Body) => (data ?? []).map(({ id }) => id)

for (const stage of stages) {
  describe(`relations of users on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ada: Person
    let bob: Person
    let eve: Person

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
      ;[ada, bob, eve] = [await join(), await join(), await join()]
    })

    const join = () => Person.join(opened.plaza, client)
    const write = (statement: typeof protect, one: Person, value: number) =>
      opened.plaza.context.store.write((tx) => tx.run(statement, { id: one.id, value }))
    const begin = async (who: Person, segment: string, whom: Person) =>
      okay(await who.core('POST', `/2/users/${who.id}/${segment}`, { target_user_id: whom.id })).data
    const end = async (who: Person, segment: string, whom: Person) =>
      okay(await who.core('DELETE', `/2/users/${who.id}/${segment}/${whom.id}`)).data
    const list = async (who: Person, of: Person, segment: string, more = '') =>
      okay(await who.core('GET', `/2/users/${of.id}/${segment}?${more}`))
    const post = async (who: Person, json: object): Promise<string> => {
      const reply = await who.core('POST', '/2/posts', json)
      assert.equal(reply.status, 201, reply.text)
      return (reply.json as { data: { id: string } }).data.id
    }
    const status = async (who: Person, whom: Person) =>
      okay(await who.core('GET', `/2/users/${whom.id}?user.fields=connection_status`)).data?.connection_status
    /** Followers, and followed users. */
    const counts = async (who: Person) => {
      const { data } = okay(await who.core('GET', '/2/users/me?user.fields=public_metrics'))
      const metrics = data?.public_metrics as Record<string, number>
      return [metrics.followers_count, metrics.following_count]
    }
    const eventsOf = async (...people: Person[]) => {
      const events = await readEvents(opened.plaza.context.store, { after: 0, limit: 10_000 })
      const ids = people.map(({ id }) => id)
      return events
        .filter(({ kind, subject }) => kind !== 'access.granted' && ids.includes(subject))
        .map(({ kind, data }) => [kind, data])
    }

    test('a follow is counted and listed once, however often it is repeated, and so is its end', async () => {
      for (let round = 0; round < 2; round++)
        assert.deepEqual(await begin(ada, 'following', bob), { following: true, pending_follow: false })
      assert.deepEqual(await counts(ada), [0, 1])
      assert.deepEqual(await counts(bob), [1, 0])
      assert.deepEqual(idsOf(await list(eve, bob, 'followers')), [ada.id])
      assert.deepEqual(idsOf(await list(eve, ada, 'following')), [bob.id])
      assert.deepEqual(await status(ada, bob), ['following'])
      assert.deepEqual(await status(bob, ada), ['followed_by'])
      for (let round = 0; round < 2; round++)
        assert.deepEqual(await end(ada, 'following', bob), { following: false })
      assert.deepEqual(
        [await counts(ada), await counts(bob)],
        [
          [0, 0],
          [0, 0],
        ],
      )
      assert.deepEqual(await list(eve, bob, 'followers'), { meta: { result_count: 0 } })
      assert.deepEqual(await eventsOf(ada), [
        ['user.followed', { user_id: ada.id, target_id: bob.id }],
        ['user.unfollowed', { user_id: ada.id, target_id: bob.id, by_block: false }],
      ])
    })

    test('many follows at once are all counted', async () => {
      const others = await Promise.all(Array.from({ length: 8 }, join))
      const nodes = stage.shared ? [client, new Client(await opened.second())] : [client]
      const follows = (node: Client | undefined, who: Person, whom: Person) =>
        node?.signed('POST', `/2/users/${who.id}/following`, who.keys, { json: { target_user_id: whom.id } })
      const replies = await Promise.all(
        others.flatMap((other, index) => {
          const node = nodes[index % nodes.length]
          return [follows(node, other, bob), follows(node, bob, other)]
        }),
      )
      assert.deepEqual(new Set(replies.map((reply) => reply?.status)), new Set([200]))
      await nodes[1]?.close()
      assert.deepEqual(await counts(bob), [8, 8])
    })

    test('pages lead to older and back to newer follows, without gaps', async () => {
      const others: Person[] = []
      for (let count = 0; count < 5; count++) {
        const other = await join()
        // Some follow in the same millisecond.
        if (count % 2 === 0) opened.plaza.clock.advance(1)
        await begin(other, 'following', bob)
        others.push(other)
      }
      const all = idsOf(await list(eve, bob, 'followers'))
      assert.deepEqual([...all].sort(), others.map(({ id }) => id).sort())
      assert.equal(all[0], others[4]?.id)
      const first = await list(eve, bob, 'followers', 'max_results=2')
      assert.deepEqual([idsOf(first), first.meta?.previous_token], [all.slice(0, 2), undefined])
      const page = (token?: string) => list(eve, bob, 'followers', `max_results=2&pagination_token=${token}`)
      const second = await page(first.meta?.next_token)
      const third = await page(second.meta?.next_token)
      assert.deepEqual([idsOf(second), idsOf(third)], [all.slice(2, 4), all.slice(4)])
      assert.equal(third.meta?.next_token, undefined)
      assert.deepEqual(idsOf(await page(third.meta?.previous_token)), all.slice(2, 4))
      const back = await page(second.meta?.previous_token)
      assert.deepEqual([idsOf(back), back.meta?.previous_token], [all.slice(0, 2), undefined])
      assert.deepEqual(idsOf(await page(back.meta?.next_token)), all.slice(2, 4))
    })

    test('a protected user is followed once the request is accepted, and is read by followers only', async () => {
      await write(protect, bob, 1)
      const secret = await post(bob, { text: `Secret of ${bob.screenName}` })
      for (let round = 0; round < 2; round++)
        assert.deepEqual(await begin(ada, 'following', bob), { following: false, pending_follow: true })
      assert.deepEqual(await status(ada, bob), ['follow_request_sent'])
      assert.deepEqual(await status(bob, ada), ['follow_request_received'])
      assert.equal(
        (await list(ada, bob, 'followers')).errors?.[0]?.detail,
        `Sorry, you are not authorized to see the User with id: [${bob.id}].`,
      )
      const accept = () =>
        opened.plaza.context.store.write(async (tx) => {
          const pair = await lockPair(tx, { source: ada.id, target: bob.id })
          return pair && acceptFollow(pair)
        })
      assert.deepEqual([await accept(), await accept()], ['following', 'no request'])
      assert.deepEqual(await counts(bob), [1, 0])
      assert.deepEqual(idsOf(await list(ada, bob, 'followers')), [ada.id])
      assert.equal(okay(await ada.core('GET', `/2/posts/${secret}`)).data?.id, secret)
      assert.equal(
        okay(await eve.core('GET', `/2/posts/${secret}`)).errors?.[0]?.title,
        'Authorization Error',
      )
      await begin(eve, 'following', bob)
      await end(eve, 'following', bob)
      assert.deepEqual(await status(eve, bob), [])
      assert.deepEqual(
        (await eventsOf(ada, eve, bob)).map(([kind]) => kind).filter((kind) => kind !== 'post.published'),
        [
          'user.follow_requested',
          'user.follow_accepted',
          'user.followed',
          'user.follow_requested',
          'user.follow_request_ended',
        ],
      )
    })

    test('requests become follows when the user is no longer protected', async () => {
      await write(protect, bob, 1)
      const others = await Promise.all(Array.from({ length: 30 }, join))
      for (const who of [ada, eve, ...others]) await begin(who, 'following', bob)
      // Eve has followed as many as a user may since.
      await write(followMany, eve, MAX_FOLLOWING)
      const { store } = opened.plaza.context
      await store.write((tx) => updateProfile(tx, bob.id, { protected: 0 }))
      await opened.plaza.tasks.runDue('accept follow requests')
      for (const who of [ada, ...others]) assert.deepEqual(await status(who, bob), ['following'])
      assert.deepEqual(await status(eve, bob), [])
      assert.deepEqual(await status(bob, eve), [])
      assert.equal((await counts(bob))[0], 31)
      assert.deepEqual(
        (await eventsOf(ada, eve)).map(([kind]) => kind),
        ['user.follow_requested', 'user.follow_requested', 'user.followed', 'user.follow_request_ended'],
      )
    })

    test('requests to a user who is protected again stay', async () => {
      await write(protect, bob, 1)
      await begin(ada, 'following', bob)
      const { store } = opened.plaza.context
      for (const value of [0, 1]) await store.write((tx) => updateProfile(tx, bob.id, { protected: value }))
      await opened.plaza.tasks.runDue('accept follow requests')
      assert.deepEqual(await status(ada, bob), ['follow_request_sent'])
    })

    test('a request of a user who follows as many as a user may is not accepted', async () => {
      await write(protect, bob, 1)
      await begin(ada, 'following', bob)
      await write(followMany, ada, MAX_FOLLOWING)
      const accepted = await opened.plaza.context.store.write(async (tx) => {
        const pair = await lockPair(tx, { source: ada.id, target: bob.id })
        return pair && acceptFollow(pair)
      })
      assert.equal(accepted, 'too many')
      assert.deepEqual(await status(ada, bob), ['follow_request_sent'])
    })

    test('a block ends follows and keeps the blocked user from following, seeing and replying', async () => {
      const said = await post(ada, { text: `Words of ${ada.screenName}` })
      await begin(ada, 'following', bob)
      await begin(bob, 'following', ada)
      for (let round = 0; round < 2; round++)
        assert.deepEqual(await begin(ada, 'blocking', bob), { blocking: true })
      assert.deepEqual(
        [await counts(ada), await counts(bob)],
        [
          [0, 0],
          [0, 0],
        ],
      )
      assert.deepEqual(await status(ada, bob), ['blocking'])
      assert.deepEqual(await status(bob, ada), [])
      assert.deepEqual(idsOf(await list(ada, ada, 'blocking')), [bob.id])
      const follows = (who: Person, whom: Person) =>
        who.core('POST', `/2/users/${who.id}/following`, { target_user_id: whom.id })
      assert.deepEqual(detail(await follows(bob, ada)), [
        403,
        'You have been blocked from following this account at the request of the user.',
      ])
      assert.deepEqual(detail(await follows(ada, bob)), [
        403,
        'You have blocked this account: unblock it before you follow it.',
      ])
      assert.equal(okay(await bob.core('GET', `/2/posts/${said}`)).errors?.[0]?.title, 'Authorization Error')
      assert.equal(okay(await eve.core('GET', `/2/posts/${said}`)).data?.id, said)
      const reply = { text: `Reply of ${bob.screenName}`, reply: { in_reply_to_post_id: said } }
      assert.deepEqual(detail(await bob.core('POST', '/2/posts', reply)), [
        403,
        'You attempted to reply to a Post that is deleted or not visible to you.',
      ])
      for (let round = 0; round < 2; round++)
        assert.deepEqual(await end(ada, 'blocking', bob), { blocking: false })
      await post(bob, reply)
      assert.deepEqual(
        (await eventsOf(ada)).map(([kind]) => kind),
        ['user.followed', 'user.blocked', 'user.unfollowed', 'user.unblocked'],
      )
      assert.deepEqual((await eventsOf(bob)).slice(0, 2), [
        ['user.followed', { user_id: bob.id, target_id: ada.id }],
        ['user.unfollowed', { user_id: bob.id, target_id: ada.id, by_block: true }],
      ])
    })

    test('only the user can see whom they mute', async () => {
      for (let round = 0; round < 2; round++)
        assert.deepEqual(await begin(ada, 'muting', bob), { muting: true })
      assert.deepEqual([await status(ada, bob), await status(bob, ada)], [['muting'], []])
      assert.deepEqual(idsOf(await list(ada, ada, 'muting')), [bob.id])
      const foreign = await bob.core('GET', `/2/users/${ada.id}/muting`)
      assert.equal(foreign.status, 400, foreign.text)
      for (let round = 0; round < 2; round++)
        assert.deepEqual(await end(ada, 'muting', bob), { muting: false })
      assert.deepEqual(
        (await eventsOf(ada)).map(([kind]) => kind),
        ['user.muted', 'user.unmuted'],
      )
    })

    test('missing and suspended users, and callers themselves, are rejected as targets', async () => {
      const path = `/2/users/${ada.id}/following`
      const missing = okay(await ada.core('POST', path, { target_user_id: '456' }))
      assert.equal(missing.errors?.[0]?.detail, 'Could not find user with target_user_id: [456].')
      const itself = await ada.core('POST', path, { target_user_id: ada.id })
      assert.equal(itself.status, 400, itself.text)
      await begin(eve, 'following', bob)
      await write(suspend, bob, 1)
      const suspended = okay(await ada.core('POST', path, { target_user_id: bob.id }))
      assert.equal(suspended.errors?.[0]?.detail, `User has been suspended: [${bob.id}].`)
      assert.equal(
        (await list(ada, bob, 'followers')).errors?.[0]?.detail,
        `User has been suspended: [${bob.id}].`,
      )
      assert.deepEqual(await list(ada, eve, 'following'), { meta: { result_count: 0 } })
      assert.deepEqual(await eventsOf(ada), [])
    })

    test('a user follows a limited number of others', async () => {
      await write(followMany, ada, MAX_FOLLOWING)
      const reply = await ada.core('POST', `/2/users/${ada.id}/following`, { target_user_id: bob.id })
      assert.deepEqual(detail(reply), [403, 'You are unable to follow more people at this time.'])
    })

    test('relations of many pairs are read with one query', async () => {
      await begin(ada, 'following', bob)
      await begin(bob, 'blocking', eve)
      const pairs = [...pairsAround(ada.id, [bob.id, eve.id]), { source: bob.id, target: eve.id }]
      const { has } = await readRelations(opened.plaza.context.store, pairs)
      assert.deepEqual(
        [
          has('follow', ada.id, bob.id),
          has('follow', bob.id, ada.id),
          has('block', bob.id, eve.id),
          has('mute', ada.id, eve.id),
        ],
        [true, false, true, false],
      )
    })
  })
}
