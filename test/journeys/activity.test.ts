import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { objects } from '../../src/api/core/objects/objects.ts'
import { comparisons } from '../../src/app/checks/all.ts'
import { compareAll, type Difference } from '../../src/app/checks/comparison.ts'
import type { Plaza } from '../../src/app/server.ts'
import { query } from '../../src/app/tables.ts'
import { type Emitted, emitActivity } from '../../src/delivery/activities/emit.ts'
import { activityKinds, kindNamed } from '../../src/delivery/activities/kinds/kinds.ts'
import { changeSubscription } from '../../src/delivery/activities/queries.ts'
import { refreshNews } from '../../src/domain/news/refresh.ts'
import { changeBroadcast } from '../../src/domain/broadcasts/broadcasts.ts'
import { endSpace } from '../../src/domain/spaces/spaces.ts'
import { lockApp } from '../../src/identity/apps/queries.ts'
import { updateProfile } from '../../src/identity/users/profile.ts'
import { isAwaited } from '../support/awaited.ts'
import {
  chatKeys,
  chatMessage,
  groupCreateAction,
  keyBody,
  keyChange,
  keyChangeAction,
  participantKey,
} from '../support/chats.ts'
import { Client, demoKeys, type Keys, type Reply } from '../support/client.ts'
import { allEventsHandled } from '../support/events.ts'
import { Person } from '../support/person.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { makeABroadcast, writeIn } from '../support/broadcasts.ts'
import { makeSpace } from '../support/spaces.ts'
import { type Opened, stages } from '../support/stages.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { until } from '../support/until.ts'

const protect = query<{ id: string }>('protectForActivity', (db, at) =>
  db.updateTable('users').set({ protected: 1 }).where('id', '=', at.id),
)
const suspend = query<{ id: string }>('suspendForActivity', (db, at) =>
  db.updateTable('users').set({ suspended: 1 }).where('id', '=', at.id),
)
const revoke = query<{ id: string }>('revokeForActivity', (db, at) =>
  db.deleteFrom('access_tokens').where('user_id', '=', at.id),
)

interface Received {
  event_uuid: string
  event_type: string
  filter: Record<string, string>
  tag?: string
  payload: Record<string, unknown>
  includes?: Record<string, Record<string, unknown>[]>
}

const MAX_SUBSCRIPTIONS = 60

for (const stage of stages) {
  describe(`activities on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let keys: Required<Keys>
    let receiver: Receiver
    let webhook: string
    let authorization: string
    let ada: Person
    let bob: Person

    before(async () => {
      const settings = {
        rateLimits: 'off',
        activitySubscriptionsPerApp: MAX_SUBSCRIPTIONS,
        shutdownSeconds: 1,
      } as const
      opened = await stage.open(settings, { backgroundDeliveries: true })
      client = new Client(opened.plaza)
      keys = demoKeys(opened.plaza)
      authorization = `Bearer ${await client.bearer(keys)}`
      receiver = await startReceiver(keys.consumerSecret)
      const reply = await client.signed('POST', '/2/webhooks', keys, { json: { url: receiver.url } })
      webhook = (reply.json as { data: { id: string } }).data.id
    })
    after(async () => {
      await client.close()
      await opened.close()
      await receiver.close()
    })
    beforeEach(async () => {
      ;[ada, bob] = [await Person.join(opened.plaza, client), await Person.join(opened.plaza, client)]
    })

    const call = (method: string, path: string, json?: unknown) =>
      client.send(method, `/2/activity/subscriptions${path}`, {
        headers: { authorization },
        ...(json !== undefined && { json }),
      })
    const subscribe = async (event_type: string, filter: object, more: object = {}) => {
      const reply = await call('POST', '', { event_type, filter, webhook_id: webhook, ...more })
      assert.equal(reply.status, 200, reply.text)
      return (reply.json as { data: { subscription: { subscription_id: string } } }).data.subscription
        .subscription_id
    }
    /** What arrived of a user, or about a text. */
    const arrived = (of: { user?: Person; keyword?: string }): Received[] =>
      receiver.deliveries
        .filter(({ trusted }) => trusted)
        .map(({ body }) => (JSON.parse(body) as { data: Received }).data)
        .filter(({ filter }) => filter.user_id === of.user?.id && filter.keyword === of.keyword)
    const next = async (user: Person, count = 1): Promise<Received[]> => {
      await until(`${count} activities`, () => arrived({ user }).length >= count)
      return arrived({ user })
    }
    const post = async (who: Person, json: object): Promise<string> => {
      const reply = await who.core('POST', '/2/posts', json)
      assert.equal(reply.status, 201, reply.text)
      return (reply.json as { data: { id: string } }).data.id
    }
    const isDone = ({ status, text }: Reply) => assert.ok(status < 300, text)
    /** Resolves to the payload, as JSON. */
    const emit = (name: string, about: Omit<Emitted, 'kind'>): Promise<string> => {
      const kind = kindNamed(name)?.kind
      assert.ok(kind)
      return emitActivity({ kind, ...about }, { ...opened.plaza.context, graph: objects })
    }

    test('a post, a reply and a deletion arrive signed, each with its payload', async () => {
      await subscribe('post.create', { user_id: ada.id }, { tag: 'posts' })
      await subscribe('post.delete', { user_id: ada.id })
      const first = await post(bob, { text: 'Good morning' })
      const answer = { text: `Hello @${bob.screenName}`, reply: { in_reply_to_post_id: first } }
      const id = await post(ada, answer)
      const [created] = await next(ada)
      assert.ok(created)
      const { event_uuid, payload, includes, ...rest } = created
      assert.match(event_uuid, /^[0-9]{1,19}$/)
      assert.deepEqual(rest, { event_type: 'post.create', filter: { user_id: ada.id }, tag: 'posts' })
      assert.deepEqual(
        [payload.id, payload.author_id, payload.in_reply_to_post_id, payload.in_reply_to_user_id],
        [id, ada.id, first, bob.id],
      )
      assert.deepEqual(
        includes?.posts?.map((one) => one.id),
        [id, first],
      )
      assert.deepEqual(includes?.users?.map((one) => one.id).sort(), [ada.id, bob.id].sort())
      isDone(await ada.core('DELETE', `/2/posts/${id}`))
      const [, deleted] = await next(ada, 2)
      assert.equal(deleted?.event_type, 'post.delete')
      assert.deepEqual(deleted?.payload, { id, author_id: ada.id })
    })

    test('users learn of mentions, replies, quotes and reposts by others, but not of their own', async () => {
      for (const kind of ['mention', 'reply', 'quote', 'repost'])
        await subscribe(`post.${kind}.create`, { user_id: ada.id })
      const first = await post(ada, { text: `I am @${ada.screenName}` })
      const reply = await post(bob, { text: 'Yes', reply: { in_reply_to_post_id: first } })
      const quote = await post(bob, { text: `See @${ada.screenName}`, quote_post_id: first })
      // A post that begins with a name is addressed to that user, but replies to no post.
      const addressed = await post(bob, { text: `@${ada.screenName} hello` })
      const received = await next(ada, 4)
      assert.deepEqual(
        received.map(({ event_type, payload }) => [event_type, payload.id]).sort(),
        [
          ['post.mention.create', quote],
          ['post.mention.create', addressed],
          ['post.quote.create', quote],
          ['post.reply.create', reply],
        ].sort(),
      )
    })

    test('a like reaches who likes and whose post it is', async () => {
      await subscribe('like.create', { user_id: ada.id, direction: 'sent' })
      await subscribe('like.create', { user_id: bob.id, direction: 'received' })
      const liked = await post(bob, { text: 'Likeable' })
      isDone(await ada.core('POST', `/2/users/${ada.id}/likes`, { post_id: liked }))
      for (const user of [ada, bob]) {
        const [one] = await next(user)
        const { id, created_at, timestamp_ms, ...rest } = one?.payload ?? {}
        assert.match(String(id), /^[0-9a-f]{32}$/)
        assert.equal(new Date(String(created_at)).getTime(), Math.floor(Number(timestamp_ms) / 1000) * 1000)
        assert.deepEqual(rest, { liked_post_id: liked, liked_post_author_id: bob.id })
        assert.deepEqual(one?.includes?.users?.map((shown) => shown.id).sort(), [ada.id, bob.id].sort())
      }
    })

    test('a like of an own post is one activity, in both directions', async () => {
      const { id } = ada
      await subscribe('like.create', { user_id: id })
      for (const direction of ['sent', 'received']) await subscribe('like.create', { user_id: id, direction })
      await subscribe('post.create', { user_id: id })
      const own = await post(ada, { text: 'I like it' })
      isDone(await ada.core('POST', `/2/users/${id}/likes`, { post_id: own }))
      await post(ada, { text: 'The end' })
      const received = await next(ada, 5)
      assert.deepEqual(
        received.map(({ event_type, filter }) => [event_type, filter.direction ?? '']).sort(),
        [
          ['like.create', ''],
          ['like.create', 'received'],
          ['like.create', 'sent'],
          ['post.create', ''],
          ['post.create', ''],
        ],
      )
      const likes = received.filter(({ event_type }) => event_type === 'like.create')
      assert.equal(new Set(likes.map(({ event_uuid }) => event_uuid)).size, 1)
    })

    test('a long post arrives whole, with the users whom its end names', async () => {
      await subscribe('post.create', { user_id: ada.id })
      const { store } = opened.plaza.context
      await store.write((tx) => updateProfile(tx, ada.id, { subscription_type: 'Premium' }))
      const text = `${'word '.repeat(60)}@${bob.screenName}`
      const id = await post(ada, { text })
      const [one] = await next(ada)
      const { payload, includes } = one as Received
      for (const shown of [payload, includes?.posts?.[0] ?? {}]) {
        assert.equal(shown.id, id)
        assert.match(String(shown.text), /^(word ){55}wor…$/)
        assert.equal((shown.note_post as { text: string }).text, text)
      }
      assert.deepEqual(includes?.users?.map((user) => user.id).sort(), [ada.id, bob.id].sort())
    })

    test('an app learns that a user revoked it', async () => {
      const app = opened.plaza.seeded?.apps[0]?.id
      await subscribe('oauth.revoke', {})
      isDone(await ada.core('POST', '/1.1/oauth/invalidate_token'))
      const of = {}
      await until('the end', () => arrived(of).some(({ payload }) => payload.user_id === ada.id))
      const [{ payload } = { payload: {} }] = arrived(of).filter((one) => one.payload.user_id === ada.id)
      assert.match(String((payload as { date_time: string }).date_time), /^\d{4}-\d\d-\d\dT[\d:]{8}\+00:00$/)
      assert.equal((payload as { app_id: string }).app_id, app)
    })

    test('directions choose who acted; both users of a follow see it', async () => {
      await subscribe('follow.follow', { user_id: ada.id, direction: 'outbound' })
      await subscribe('FollowUnfollow', { user_id: bob.id, direction: 'received' })
      const follow = { target_user_id: bob.id }
      isDone(await bob.core('POST', `/2/users/${bob.id}/following`, { target_user_id: ada.id }))
      isDone(await ada.core('POST', `/2/users/${ada.id}/following`, follow))
      isDone(await ada.core('DELETE', `/2/users/${ada.id}/following/${bob.id}`))
      const [one] = await next(ada)
      const [other] = await next(bob)
      const ids = ({ payload }: Received) =>
        [payload.source, payload.target].map((user) => (user as { data: { id: string } }).data.id)
      assert.ok(one && other)
      assert.deepEqual([one.event_type, ids(one)], ['follow.follow', [ada.id, bob.id]])
      assert.deepEqual([other.event_type, ids(other)], ['follow.unfollow', [ada.id, bob.id]])
      assert.equal(arrived({ user: ada }).length, 1)
    })

    test('private activities need the consent of the user, and end with it', async () => {
      await subscribe('block.block', { user_id: ada.id })
      isDone(await ada.core('POST', `/2/users/${ada.id}/blocking`, { target_user_id: bob.id }))
      assert.equal((await next(ada))[0]?.event_type, 'block.block')
      await opened.plaza.context.store.write((tx) => tx.run(revoke, { id: bob.id }))
      const refused = await call('POST', '', { event_type: 'block.block', filter: { user_id: bob.id } })
      assert.deepEqual(
        [refused.status, (refused.json as { detail: string }).detail],
        [403, 'The user has not authorized the app to see these events.'],
      )
    })

    test('a user subscribes to private activities of nobody else, whatever the app may see', async () => {
      const from = (user: Person, event_type: string, user_id: string) =>
        user.core('POST', '/2/activity/subscriptions', { event_type, filter: { user_id } })
      for (const event_type of ['dm.received', 'dm.sent', 'like.create', 'mute.mute', 'block.block']) {
        const refused = await from(ada, event_type, bob.id)
        assert.deepEqual(
          [refused.status, (refused.json as { detail: string }).detail],
          [403, 'The user has not authorized the app to see these events.'],
          event_type,
        )
      }
      isDone(await from(bob, 'dm.received', bob.id))
      isDone(await from(ada, 'post.create', bob.id))
      const listed = await bob.core('GET', '/2/activity/subscriptions')
      const ids = (listed.json as { data: { subscription_id: string }[] }).data.map(
        (one) => one.subscription_id,
      )
      assert.equal(ids.length, 2)
      isDone(await call('DELETE', `?ids=${ids.join(',')}`))
    })

    test('posts of protected users are delivered to no one', async () => {
      await subscribe('post.create', { user_id: ada.id })
      await opened.plaza.context.store.write((tx) => tx.run(protect, { id: ada.id }))
      await post(ada, { text: 'A secret' })
      await subscribe('post.create', { user_id: bob.id })
      await post(bob, { text: 'No secret' })
      await next(bob)
      assert.deepEqual(arrived({ user: ada }), [])
    })

    test('messages arrive at both sides, with the users', async () => {
      await subscribe('dm.sent', { user_id: ada.id })
      await subscribe('dm.received', { user_id: bob.id, direction: 'inbound' })
      const sent = await ada.core('POST', `/2/dm_conversations/with/${bob.id}/messages`, {
        text: `Hello #you @${bob.screenName}`,
      })
      assert.equal(sent.status, 201, sent.text)
      const [[one], [other]] = [await next(ada), await next(bob)]
      for (const { payload } of [one, other].filter((received) => received !== undefined)) {
        const [message] = payload.direct_message_events as { message_create: Record<string, unknown> }[]
        const { message_data, target, sender_id } = message?.message_create ?? {}
        assert.deepEqual([sender_id, target], [ada.id, { recipient_id: bob.id }])
        const { text, entities } = message_data as { text: string; entities: Record<string, unknown> }
        assert.equal(text, `Hello #you @${bob.screenName}`)
        const [mention] = entities.user_mentions as Record<string, unknown>[]
        assert.deepEqual(
          [mention?.screen_name, mention?.name, mention?.id_str],
          [bob.screenName, 'Person', bob.id],
        )
        assert.deepEqual(Object.keys(payload.users as object).sort(), [ada.id, bob.id].sort())
      }
      assert.deepEqual([one?.event_type, other?.event_type], ['dm.sent', 'dm.received'])
    })

    test('encrypted messages arrive at both sides, with the key; and who joins a group', async () => {
      const keys = [ada, bob].map(({ id }) => participantKey(id))
      for (const who of [ada, bob])
        isDone(await who.core('POST', `/2/users/${who.id}/public_keys`, keyBody(chatKeys('1'))))
      await subscribe('chat.sent', { user_id: ada.id })
      await subscribe('chat.received', { user_id: bob.id, direction: 'received' })
      await subscribe('chat.conversation.join', { user_id: bob.id })
      const chat = `/2/chat/conversations/${bob.id}`
      const change = await ada.core('POST', `${chat}/keys`, keyChange('1', keys))
      isDone(change)
      const message = chatMessage()
      const reply = await ada.core('POST', `${chat}/messages`, message)
      isDone(reply)
      const [[one], [other]] = [await next(ada), await next(bob)]
      assert.deepEqual([one?.event_type, other?.event_type], ['chat.sent', 'chat.received'])
      const { payload } = other as Received
      assert.deepEqual(payload, one?.payload)
      const { encoded_message_event } = (reply.json as { data: Record<string, string> }).data
      assert.equal(payload.encoded_event, encoded_message_event)
      assert.equal(payload.id, message.message_id)
      assert.equal(payload.sender_id, ada.id)
      assert.equal(payload.conversation_id, `${ada.id}:${bob.id}`)
      assert.equal(payload.conversation_key_version, '1')
      assert.notEqual(payload.conversation_key_change_event, undefined)
      const made = await ada.core('POST', '/2/chat/conversations/group/initialize')
      const { conversation_id } = (made.json as { data: { conversation_id: string } }).data
      isDone(
        await ada.core('POST', '/2/chat/conversations/group', {
          ...{ conversation_id, group_members: [bob.id], conversation_key_version: '1' },
          conversation_participant_keys: keys,
          action_signatures: [groupCreateAction([ada.id, bob.id]), keyChangeAction('1', keys)],
        }),
      )
      const [, joined] = await next(bob, 2)
      assert.equal(joined?.event_type, 'chat.conversation.join')
      assert.equal(joined?.payload.conversation_id, conversation_id)
      assert.deepEqual(joined?.payload.user_ids, [ada.id, bob.id])
    })

    test('each change of a profile is reported, with both values', async () => {
      const kinds = ['bio', 'geo', 'url', 'screenname']
      for (const kind of kinds) await subscribe(`profile.update.${kind}`, { user_id: ada.id })
      const update = (values: Record<string, string>) =>
        client.signed('POST', '/1.1/account/update_profile.json', ada.keys, { form: values })
      isDone(await update({ description: 'Counts birds', location: 'Kyiv', url: 'https://ada.example/' }))
      const received = await next(ada, 3)
      assert.deepEqual(received.map(({ event_type, payload }) => [event_type, payload]).sort(), [
        ['profile.update.bio', { before: '', after: 'Counts birds' }],
        ['profile.update.geo', { before: '', after: 'Kyiv' }],
        ['profile.update.url', { before: '', after: 'https://ada.example/' }],
      ])
      isDone(await update({ name: 'Ada B.' }))
      const [, , , renamed] = await next(ada, 4)
      assert.equal(renamed?.event_type, 'profile.update.screenname')
      assert.equal(renamed?.payload.after, 'Ada B.')
    })

    test('profile changes by the operator are reported under the name in the subscription', async () => {
      await subscribe('profile.update.verified_badge', { user_id: ada.id })
      await subscribe('profile.update.handle', { user_id: ada.id })
      await subscribe('profile.update.profile_picture', { user_id: ada.id })
      await subscribe('ProfileBannerUpdate', { user_id: ada.id })
      const changed = {
        verified_type: 'blue',
        handle: `${ada.screenName}2`,
        profile_image_url: 'https://ada.example/face.png',
        profile_banner_url: 'https://ada.example/banner.png',
      } as const
      await opened.plaza.context.store.write((tx) => updateProfile(tx, ada.id, changed))
      const received = await next(ada, 4)
      assert.deepEqual(received.map(({ event_type, payload }) => [event_type, payload]).sort(), [
        ['profile.update.banner_picture', { before: '', after: 'https://ada.example/banner.png' }],
        ['profile.update.handle', { before: ada.screenName, after: `${ada.screenName}2` }],
        ['profile.update.profile_picture', { before: '', after: 'https://ada.example/face.png' }],
        ['profile.update.verified_badge', { before: 'none', after: 'blue' }],
      ])
    })

    test('the start and the end of a space are reported', async () => {
      await subscribe('SpacesStart', { user_id: ada.id })
      await subscribe('spaces.end', { user_id: ada.id })
      const { context } = opened.plaza
      const { id } = await makeSpace(context, { creatorId: ada.id })
      const [started] = await next(ada)
      assert.equal(started?.event_type, 'spaces.start')
      assert.ok(started)
      const { user, ...payload } = started.payload as { user: { data: { id: string } } }
      assert.deepEqual(payload, { broadcast_id: id, event_type: 'spaces_start' })
      assert.equal(user.data.id, ada.id)
      await context.store.write((tx) => endSpace(tx, id))
      const [, ended] = await next(ada, 2)
      assert.equal(ended?.payload.event_type, 'spaces_end')
    })

    test('the start, the chat and the end of a broadcast are reported', async () => {
      for (const event_type of ['broadcast.start', 'broadcast.end', 'broadcast.chat'])
        await subscribe(event_type, { user_id: ada.id })
      const { context } = opened.plaza
      const begun = opened.plaza.clock.now()
      await makeABroadcast(context, { user_id: ada.id, locked: 1 })
      const broadcast = await makeABroadcast(context, { user_id: ada.id, locale: 'fr_FR' })
      const chat = await writeIn(context, broadcast, bob)
      opened.plaza.clock.advance(5_000)
      await context.store.write((tx) => changeBroadcast(tx, { ...broadcast, ends_at: tx.now }))
      const received = await next(ada, 3)
      const payloads = new Map(received.map(({ event_type, payload }) => [event_type, payload]))
      const userOf = (type: string, member: string) =>
        (payloads.get(type) as Record<string, { data: { id: string } }>)[member]?.data.id
      assert.deepEqual(
        [userOf('broadcast.start', 'user'), userOf('broadcast.chat', 'author')],
        [ada.id, bob.id],
      )
      const { author: _, ...said } = payloads.get('broadcast.chat') as Record<string, unknown>
      assert.deepEqual(said, { broadcast_id: broadcast.id, message_id: chat.sent_ns, message: 'A message' })
      const { user: __, ...ended } = payloads.get('broadcast.end') as Record<string, unknown>
      assert.deepEqual(ended, {
        ...{ broadcast_id: broadcast.id, title: 'A broadcast', broadcast_state: 'Ended', language: 'fr' },
        ...{ event_timestamp_ms: begun + 5_000, created_timestamp_ms: begun, duration_ms: 5_000 },
        ...{ updated_timestamp_ms: begun + 5_000, available_for_replay: false },
      })
      const started = payloads.get('broadcast.start') as Record<string, unknown>
      assert.deepEqual([started.event_timestamp_ms, started.broadcast_state], [begun, 'Running'])
      assert.equal(started.duration_ms, undefined)
      assert.equal(received.length, 3, 'nobody is told of a locked one')
    })

    test('a former name is accepted with the time since when it is deprecated', async () => {
      const filter = { user_id: ada.id }
      const former = await call('POST', '', { event_type: 'ProfileBioUpdate', filter })
      assert.equal(former.headers.deprecation, '@1773792000')
      const { subscription } = (former.json as { data: { subscription: { event_type: string } } }).data
      assert.equal(subscription.event_type, 'profile.update.bio')
      const current = await call('POST', '', { event_type: 'profile.update.geo', filter })
      assert.equal(current.headers.deprecation, undefined)
      await subscribe('ProfileVerifiedBadgeUpdate', filter)
      await opened.plaza.context.store.write((tx) => updateProfile(tx, ada.id, { verified_type: 'blue' }))
      assert.equal((await next(ada))[0]?.event_type, 'profile.update.verified_badge')
    })

    test('every former name of the changes of profiles is accepted', async () => {
      // Core reference, 02 section 6.2.
      const names = {
        ProfileBioUpdate: 'profile.update.bio',
        ProfilePictureUpdate: 'profile.update.profile_picture',
        ProfileBannerPictureUpdate: 'profile.update.banner_picture',
        ProfileScreennameUpdate: 'profile.update.screenname',
        ProfileHandleUpdate: 'profile.update.handle',
        ProfileGeoUpdate: 'profile.update.geo',
        ProfileUrlUpdate: 'profile.update.url',
        ProfileVerifiedBadgeUpdate: 'profile.update.verified_badge',
        ProfileAffiliateBadgeUpdate: 'profile.update.affiliate_badge',
      }
      const ids: string[] = []
      for (const [event_type, current] of Object.entries(names)) {
        const reply = await call('POST', '', { event_type, filter: { user_id: ada.id } })
        assert.equal(reply.status, 200, reply.text)
        const { subscription } = (
          reply.json as { data: { subscription: { event_type: string; subscription_id: string } } }
        ).data
        assert.equal(subscription.event_type, current)
        ids.push(subscription.subscription_id)
      }
      isDone(await call('DELETE', `?ids=${ids.join(',')}`))
    })

    test('a keyword in the filter of another type is ignored', async () => {
      const filter = { user_id: ada.id, keyword: 'harbour' }
      const made = await call('POST', '', { event_type: 'post.delete', filter })
      assert.equal(made.status, 200, made.text)
      const { data } = made.json as { data: { subscription: { subscription_id: string; filter: object } } }
      const { subscription_id } = data.subscription
      assert.deepEqual(data.subscription.filter, filter)
      const same = await call('POST', '', { event_type: 'post.delete', filter: { user_id: ada.id } })
      assert.deepEqual(
        [same.status, (same.json as { errors?: object[] }).errors],
        [
          400,
          [
            {
              parameters: { event_type: ['post.delete'] },
              message: `DuplicateSubscription: the subscription ${subscription_id} has the same event type, filter and webhook`,
            },
          ],
        ],
      )
      isDone(await call('PUT', `/${subscription_id}`, { webhook_id: webhook }))
      const id = await post(ada, { text: 'No bridge' })
      isDone(await ada.core('DELETE', `/2/posts/${id}`))
      const of = { user: ada, keyword: 'harbour' }
      await until('the deletion', () => arrived(of).length > 0)
      assert.deepEqual(arrived(of)[0]?.payload, { id, author_id: ada.id })
    })

    test("changes of a suspended user's profile are not reported", async () => {
      const { store } = opened.plaza.context
      for (const { id } of [ada, bob]) await subscribe('profile.update.bio', { user_id: id })
      await store.write(async (tx) => {
        await tx.run(suspend, { id: ada.id })
        for (const { id } of [ada, bob]) await updateProfile(tx, id, { description: 'Changed' })
      })
      assert.deepEqual((await next(bob))[0]?.payload, { before: '', after: 'Changed' })
      assert.deepEqual(arrived({ user: ada }), [])
    })

    test('an emitted activity takes the same way', async () => {
      await subscribe('post.delete', { user_id: ada.id })
      const id = await post(ada, { text: 'The newest' })
      assert.deepEqual(JSON.parse(await emit('post.delete', { user: ada.id })), { id, author_id: ada.id })
      assert.deepEqual((await next(ada))[0]?.payload, { id, author_id: ada.id })
      await emit('post.delete', { user: ada.id, over: { id: '42' } })
      assert.deepEqual((await next(ada, 2))[1]?.payload, { id: '42', author_id: ada.id })
      await assert.rejects(emit('post.delete', { user: ada.id, over: { id: 'x' } }), /shape/)
      await assert.rejects(emit('post.delete', { user: ada.id, over: { text: 'x' } }), /shape/)
      await assert.rejects(emit('post.delete', { user: ada.id, over: 'x' }), /shape/)
      await opened.plaza.context.store.write((tx) => tx.run(protect, { id: bob.id }))
      await assert.rejects(emit('post.create', { user: bob.id }), {
        message: 'No one may see the activity: the user is protected or suspended.',
      })
    })

    test('what an emitted activity refers to exists, whichever its type is', async () => {
      const found: Record<'posts' | 'users' | 'messages' | 'spaces' | 'broadcasts', Set<string>> = {
        ...{
          posts: new Set(),
          users: new Set(),
          messages: new Set(),
          spaces: new Set(),
          broadcasts: new Set(),
        },
      }
      const note = (name: string, value: unknown) => {
        if (Array.isArray(value)) for (const one of value) note(name, one)
        else if (typeof value === 'object' && value !== null) {
          if (name === 'users') for (const id of Object.keys(value)) found.users.add(id)
          if (name === 'direct_message_events' || name === 'dm_event')
            found.messages.add((value as { id: string }).id)
          for (const [member, one] of Object.entries(value)) note(member, one)
        } else if (/^(author|sender|recipient|liked_post_author|in_reply_to_user)_id$/.test(name))
          found.users.add(String(value))
        else if (name === 'conversation_id' && !/^[0-9]+$/.test(String(value))) return
        else if (/^(liked_post|in_reply_to_post|conversation)_id$/.test(name)) found.posts.add(String(value))
        else if (name === 'last_read_event_id') found.messages.add(String(value))
        else if (name === 'broadcast_id') found.spaces.add(String(value))
      }
      const profile = async () => {
        const fields = 'affiliation,description,location,name,profile_image_url,url,username,verified_type'
        return (await ada.core('GET', `/2/users/${ada.id}?user.fields=${fields}`)).json
      }
      const before = await profile()
      for (const { name } of activityKinds.filter((one) => one.filter === 'user'))
        for (const direction of ['inbound', 'outbound'] as const) {
          const payload = JSON.parse(await emit(name, { user: ada.id, direction })) as Record<string, unknown>
          const { broadcast_id: broadcast, ...others } = payload
          if (name.startsWith('broadcast.')) found.broadcasts.add(String(broadcast))
          note('payload', name.startsWith('broadcast.') ? others : payload)
          if (name.startsWith('post.')) found.posts.add(String(payload.id))
          if ('source' in payload) {
            const ends = [payload.source, payload.target] as { data: { id: string } }[]
            for (const { data } of ends) found.users.add(data.id)
            assert.notEqual(ends[0]?.data.id, ends[1]?.data.id)
            if (name.startsWith('follow.'))
              assert.equal(ends[direction === 'inbound' ? 1 : 0]?.data.id, ada.id, name)
          }
        }
      const all = (path: string, ids: ReadonlySet<string>) =>
        ada.core('GET', `${path}?ids=${[...ids].join(',')}`)
      for (const [path, ids] of [
        ['/2/posts', found.posts],
        ['/2/users', found.users],
        ['/2/spaces', found.spaces],
        ['/2/broadcasts', found.broadcasts],
      ] as const) {
        const { text, json } = await all(path, ids)
        const { data, errors } = json as { data: object[]; errors?: object[] }
        assert.deepEqual([data?.length, errors], [ids.size, undefined], text)
      }
      for (const id of found.messages) isDone(await ada.core('GET', `/2/dm_events/${id}`))
      assert.ok(found.posts.size >= 8 && found.messages.size >= 8, 'each has objects of its own')
      await allEventsHandled(opened.plaza.context.store)
      const differences: Difference[] = []
      const options = { repair: false, found: (one: Difference) => void differences.push(one) }
      for await (const _ of compareAll(opened.plaza.context.store, comparisons, options));
      assert.deepEqual(differences, [])
      // Neither the profile nor a relation changed.
      assert.deepEqual(await profile(), before)
      assert.deepEqual((await ada.core('GET', `/2/users/${ada.id}/following`)).json, {
        meta: { result_count: 0 },
      })
    })

    test('an emitted activity is about a post of the user, and not about a repost', async () => {
      const original = await post(bob, { text: 'Worth repeating' })
      isDone(await ada.core('POST', `/2/users/${ada.id}/reposts`, { post_id: original }))
      const like = await emit('like.create', { user: ada.id, direction: 'inbound' })
      const { liked_post_id } = JSON.parse(like) as { liked_post_id: string }
      const liked = await ada.core('GET', `/2/posts/${liked_post_id}?post.fields=author_id,referenced_posts`)
      const { id, text, author_id, ...more } = (liked.json as { data: Record<string, unknown> }).data
      assert.deepEqual([id, text, author_id], [liked_post_id, 'This is a sample post.', ada.id])
      assert.ok(!('referenced_posts' in more))
    })

    test('an activity that is too large for a webhook holds up nothing behind it', async () => {
      await subscribe('profile.update.bio', { user_id: ada.id })
      for (const after of ['x'.repeat(300_000), 'short'])
        await emit('profile.update.bio', { user: ada.id, over: { after } })
      const [only, ...more] = await next(ada)
      assert.deepEqual([only?.payload, more], [{ before: '', after: 'short' }, []])
    })

    // On SQLite, one transaction writes at a time.
    if (stage.shared)
      test('no subscription gets a webhook that is being deleted', async () => {
        const { store } = opened.plaza.context
        const app = opened.plaza.seeded?.apps[0]?.id ?? ''
        const url = `${receiver.url}?deleted`
        const made = await client.signed('POST', '/2/webhooks', keys, { json: { url } })
        const { id: webhook_id } = (made.json as { data: { id: string } }).data
        const id = await subscribe('post.create', { user_id: ada.id })
        let deleted: Promise<Reply> | undefined
        await store.write(async (tx) => {
          await tx.run(lockApp, { appId: app })
          let isOver = false
          deleted = client.signed('DELETE', `/2/webhooks/${webhook_id}`, keys).finally(() => {
            isOver = true
          })
          await until('the deletion waits or is over', () => isOver || isAwaited(opened.plaza, 'apps'))
          await tx.run(changeSubscription, { app, id, tag: null, webhook_id, updated_at: tx.now })
        })
        assert.equal((await deleted)?.status, 200)
        const { json } = await call('GET', '')
        const { data } = json as { data: { subscription_id: string; webhook_id?: string }[] }
        assert.equal(data.find((one) => one.subscription_id === id)?.webhook_id, undefined)
        assert.ok(data.some((one) => one.subscription_id === id))
      })

    test('a change makes no subscription the same as another', async () => {
      const filter = { user_id: ada.id }
      const first = await subscribe('post.create', filter)
      const created = await call('POST', '', { event_type: 'post.create', filter })
      assert.equal(created.status, 200, created.text)
      const { subscription } = (
        created.json as { data: { subscription: { subscription_id: string; webhook_id?: string } } }
      ).data
      assert.equal(subscription.webhook_id, undefined)
      const changed = await call('PUT', `/${subscription.subscription_id}`, { webhook_id: webhook })
      assert.deepEqual(
        [changed.status, (changed.json as { errors?: object[] }).errors],
        [
          400,
          [
            {
              parameters: { webhook_id: [webhook] },
              message: `DuplicateSubscription: the subscription ${first} has the same event type, filter and webhook`,
            },
          ],
        ],
      )
      assert.equal((await call('PUT', `/${first}`, { tag: 'new', webhook_id: webhook })).status, 200)
      const deleted = await call('DELETE', `?ids=${first},${subscription.subscription_id}`)
      assert.equal(deleted.status, 200, deleted.text)
    })

    test('a subscription gets another tag, and receives nothing once it is deleted', async () => {
      const id = await subscribe('post.delete', { user_id: ada.id }, { tag: 'old' })
      isDone(await call('PUT', `/${id}`, { tag: 'new' }))
      const first = await post(ada, { text: 'The first' })
      isDone(await ada.core('DELETE', `/2/posts/${first}`))
      assert.equal((await next(ada))[0]?.tag, 'new')
      isDone(await call('DELETE', `/${id}`))
      await subscribe('post.create', { user_id: bob.id })
      const second = await post(ada, { text: 'The second' })
      isDone(await ada.core('DELETE', `/2/posts/${second}`))
      await post(bob, { text: 'After both' })
      await next(bob)
      assert.equal(arrived({ user: ada }).length, 1)
    })

    test('a news story reaches those whose keyword stands in its texts', async () => {
      await subscribe('news.new', { keyword: 'harbour Bridge' })
      await subscribe('NewsNew', { keyword: 'harbour cranes' })
      const text = 'The old Harbour bridge opens again'
      await emit('news.new', { text })
      const of = { keyword: 'harbour Bridge' }
      await until('the story', () => arrived(of).length > 0)
      const { id, name, hook, cluster_posts_results: posts } = arrived(of)[0]?.payload ?? {}
      assert.deepEqual([name, hook], [text, text])
      const story = await client.send('GET', `/2/news/${id}`, { headers: { authorization } })
      assert.equal((story.json as { data: { name: string } }).data.name, text, story.text)
      const ids = (posts as { post_id: string }[]).map(({ post_id }) => post_id)
      const shown = await client.send('GET', `/2/posts?ids=${ids}`, { headers: { authorization } })
      assert.deepEqual(
        (shown.json as { data: { text: string }[] }).data.map((one) => one.text),
        [text, text, text],
      )
      // The posts belong to the story: no other story is built from them.
      const { context } = opened.plaza
      await allEventsHandled(context.store)
      assert.deepEqual(await refreshNews(context), { appeared: 0, updated: 0 })
      assert.deepEqual(arrived({ keyword: 'harbour cranes' }), [])
    })

    test('subscriptions to the same activity receive the same event id', async () => {
      await subscribe('follow.follow', { user_id: ada.id })
      await subscribe('follow.follow', { user_id: ada.id, direction: 'outbound' })
      isDone(await ada.core('POST', `/2/users/${ada.id}/following`, { target_user_id: bob.id }))
      const [one, other] = await next(ada, 2)
      assert.equal(one?.event_uuid, other?.event_uuid)
      assert.notDeepEqual(one?.filter, other?.filter)
    })

    test('streams receive it too, on every node; backfill and recovery send the last minutes', async (t) => {
      const bearer = authorization.slice('Bearer '.length)
      const nodes = [opened.plaza, ...(stage.shared ? [await opened.second()] : [])]
      const open = async (query = '', at = 0) => {
        const node = nodes[at % nodes.length] as Plaza
        const reader = await StreamReader.open(node, bearer, query, '/2/activity/stream')
        t.after(() => reader.close())
        return reader
      }
      const of = (reader: StreamReader) =>
        reader.items
          .map(({ data }) => data as unknown as Received)
          .filter((one) => one.filter?.user_id === ada.id)
      const [one, other] = [await open(), await open('', 1)]
      assert.equal((await open()).status, 429)
      await subscribe('post.create', { user_id: ada.id }, { webhook_id: undefined, tag: 'streamed' })
      const id = await post(ada, { text: 'On the stream' })
      await until('the activity', () => of(one).length > 0 && of(other).length > 0)
      const [first, second] = [of(one)[0], of(other)[0]]
      assert.deepEqual([first?.payload.id, first?.tag], [id, 'streamed'])
      assert.deepEqual(first, second)
      one.close()
      other.close()
      await until('the end of a connection', async () => {
        const reader = await open('?backfill_minutes=5')
        if (reader.status !== 200) return false
        await until('the backfill', () => of(reader).length > 0)
        assert.deepEqual(of(reader)[0], first)
        return true
      })
      const now = opened.plaza.clock.now()
      const start = new Date(now - 60_000).toISOString()
      const past = await open(`?start_time=${start}`)
      assert.deepEqual((await past.ended()).end, 'whole')
    })

    test('a stream of the past omits what may no longer be seen', async (t) => {
      const eve = await Person.join(opened.plaza, client)
      for (const { id } of [ada, bob]) await subscribe('post.create', { user_id: id })
      for (const { id } of [ada, eve]) await subscribe('like.create', { user_id: id })
      const deleted = await post(ada, { text: 'I should not have said that' })
      await post(bob, { text: 'Before I was careful' })
      const kept = await post(ada, { text: 'This may stay' })
      isDone(await eve.core('POST', `/2/users/${eve.id}/likes`, { post_id: kept }))
      await next(ada, 3)
      await next(bob)
      await next(eve)
      isDone(await ada.core('DELETE', `/2/posts/${deleted}`))
      await opened.plaza.context.store.write((tx) => tx.run(protect, { id: bob.id }))
      await opened.plaza.context.store.write((tx) => tx.run(revoke, { id: eve.id }))
      const last = await post(ada, { text: 'The last one' })
      const bearer = authorization.slice('Bearer '.length)
      const users = [ada.id, bob.id, eve.id]
      await until('a connection', async () => {
        const path = '/2/activity/stream'
        const reader = await StreamReader.open(opened.plaza, bearer, '?backfill_minutes=5', path)
        t.after(() => reader.close())
        if (reader.status !== 200) return false
        const sent = () =>
          reader.items
            .map(({ data }) => data as unknown as Received)
            .filter(({ filter }) => users.includes(filter.user_id ?? ''))
        await until('the last activity', () => sent().some(({ payload }) => payload.id === last))
        const seen = sent().map(({ event_type, filter, payload }) => [
          filter.user_id,
          event_type === 'like.create' ? payload.liked_post_id : payload.id,
        ])
        assert.deepEqual(seen, [
          [ada.id, kept],
          [ada.id, kept],
          [ada.id, last],
        ])
        return true
      })
    })

    test('a user sees the subscriptions about that user only; the app sees all', async () => {
      const about = await subscribe('post.create', { user_id: ada.id })
      const second = await subscribe('post.delete', { user_id: ada.id })
      const other = await subscribe('post.create', { user_id: bob.id })
      type List = {
        data: { subscription_id: string }[]
        meta: { result_count: number; total_subscriptions: number; next_token?: string }
      }
      const listOf = ({ json }: Reply) => json as List
      const mine = listOf(await ada.core('GET', '/2/activity/subscriptions'))
      assert.deepEqual(
        [mine.data.map((one) => one.subscription_id), mine.meta],
        [[about, second], { result_count: 2, total_subscriptions: 2 }],
      )
      const page = listOf(await ada.core('GET', '/2/activity/subscriptions?max_results=1'))
      assert.deepEqual(
        [page.data.map((one) => one.subscription_id), page.meta.total_subscriptions],
        [[about], 2],
      )
      const token = page.meta.next_token ?? ''
      const rest = listOf(
        await ada.core('GET', `/2/activity/subscriptions?max_results=1&pagination_token=${token}`),
      )
      assert.deepEqual(
        [rest.data.map((one) => one.subscription_id), rest.meta],
        [[second], { result_count: 1, total_subscriptions: 2 }],
      )
      const all = listOf(await call('GET', '')).data.map((one) => one.subscription_id)
      for (const id of [about, second, other]) assert.ok(all.includes(id))
      for (const [method, path] of [
        ['PUT', `/${about}`],
        ['DELETE', `/${about}`],
        ['DELETE', `?ids=${about}`],
      ] as const) {
        const json = method === 'PUT' ? { tag: 'mine' } : undefined
        const reply = await ada.core(method, `/2/activity/subscriptions${path}`, json)
        assert.equal(reply.status, 403, reply.text)
      }
    })

    test('lists have pages, an app has no more than it may, and a webhook that is deleted is cleared', async () => {
      const replies: Reply[] = []
      const listed = async (query: string) =>
        (await call('GET', query)).json as {
          data: { subscription_id: string; webhook_id?: string }[]
          meta: { total_subscriptions: number; result_count: number; next_token?: string }
        }
      const { meta } = await listed('')
      for (let index = meta.total_subscriptions; index <= MAX_SUBSCRIPTIONS; index++)
        replies.push(
          await call('POST', '', {
            event_type: 'post.create',
            filter: { user_id: (await Person.join(opened.plaza, client)).id },
          }),
        )
      assert.equal(replies.pop()?.status, 400)
      assert.ok(replies.every(({ status }) => status === 200))
      const first = await listed('?max_results=3')
      const second = await listed(`?max_results=1000&pagination_token=${first.meta.next_token}`)
      assert.equal(first.data.length + second.data.length, MAX_SUBSCRIPTIONS)
      isDone(await client.signed('DELETE', `/2/webhooks/${webhook}`, keys))
      assert.ok((await listed('')).data.every(({ webhook_id }) => webhook_id === undefined))
      const ids = first.data.map(({ subscription_id }) => subscription_id).join()
      const gone = await call('DELETE', `?ids=${ids}`)
      assert.deepEqual(gone.json, {
        data: { deleted: true },
        meta: { total_subscriptions: MAX_SUBSCRIPTIONS - 3 },
      })
    })
  })
}
