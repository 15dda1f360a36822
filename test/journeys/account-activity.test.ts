import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { objects } from '../../src/api/core/objects/objects.ts'
import { type Emitted, emitActivity } from '../../src/delivery/activities/emit.ts'
import { activityEmitted } from '../../src/delivery/activities/events.ts'
import { kindNamed } from '../../src/delivery/activities/kinds/kinds.ts'
import { emit as emitEvent } from '../../src/platform/events/log.ts'
import { openWorld } from '../conformance/world.ts'
import { Client, demoKeys, type Keys, type Reply } from '../support/client.ts'
import { png, uploaded } from '../support/media.ts'
import { Person } from '../support/person.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

const MAX_USERS = 30

type Body = Record<string, unknown> & { for_user_id?: string }
interface ClassicUser {
  id_str: string
  screen_name: string
}
interface Relation {
  type: string
  created_timestamp: string
  source: ClassicUser
  target: ClassicUser
}

interface Shown {
  id: unknown
  id_str: string
  created_at: string
  truncated: boolean
  timestamp_ms: string
  status: object
  user: ClassicUser
  text: string
  entities: { urls: { expanded_url: string; indices: number[] }[]; media?: Medium[] }
  extended_post: { full_text: string; display_text_range: number[]; entities: object }
  favorited_status: { id_str: string }
  is_quote_status: boolean
  quote_count: number
  reply_count: number
  quoted_status_id_str?: string
  quoted_status?: Shown
  reposted_status?: Shown
}

interface Medium {
  url: string
  indices: number[]
}

const firstOf = (body: Body | undefined, member: string): Shown => {
  const [one] = (body?.[member] ?? []) as Shown[]
  assert.ok(one, `${member} has an entry`)
  return one
}

for (const stage of stages) {
  describe(`account activity on ${stage.name}`, { skip: stage.skip }, () => {
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
        accountActivityUsersPerApp: MAX_USERS,
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

    const path = (rest: string) => `/2/account_activity/webhooks/${webhook}/subscriptions${rest}`
    const asApp = (method: string, target: string) =>
      client.send(method, target, { headers: { authorization } })
    const isDone = ({ status, text }: Reply) => assert.ok(status < 300, text)
    const subscribe = async (who: Person) => isDone(await who.core('POST', path('/all')))
    /** What arrived for a user, each with a right signature. */
    const arrived = (who: Person): Body[] =>
      receiver.deliveries
        .filter(({ trusted }) => trusted)
        .map(({ body }) => JSON.parse(body) as Body)
        .filter(({ for_user_id }) => for_user_id === who.id)
    const next = async (who: Person, count = 1): Promise<Body[]> => {
      await until(`${count} activities`, () => arrived(who).length >= count)
      return arrived(who)
    }
    const post = async (who: Person, json: object): Promise<string> => {
      const reply = await who.core('POST', '/2/posts', json)
      assert.equal(reply.status, 201, reply.text)
      return (reply.json as { data: { id: string } }).data.id
    }

    test('a user subscribes, is listed and counted, and the app ends it', async () => {
      const is = async () => (await ada.core('GET', path('/all'))).json
      assert.deepEqual(await is(), { data: { subscribed: false } })
      const made = await ada.core('POST', path('/all'), {})
      assert.deepEqual([made.status, made.json], [200, { data: { subscribed: true } }])
      assert.deepEqual(await is(), { data: { subscribed: true } })
      const again = await ada.core('POST', path('/all'))
      assert.deepEqual(
        [
          again.status,
          again.text.includes('DuplicateSubscriptionFailed: the webhook is already subscribed to this user'),
        ],
        [400, true],
      )
      const { data } = (await asApp('GET', path('/all/list'))).json as {
        data: { subscriptions: { user_id: string }[] } & Record<string, unknown>
      }
      const { subscriptions, ...rest } = data
      const application_id = opened.plaza.seeded?.apps[0]?.id
      assert.deepEqual(rest, { application_id, webhook_id: webhook, webhook_url: receiver.url })
      assert.ok(subscriptions.some(({ user_id }) => user_id === ada.id))

      const ended = await asApp('DELETE', path(`/${ada.id}/all`))
      assert.deepEqual([ended.status, ended.json], [200, { data: { subscribed: false } }])
      const missing = await asApp('DELETE', path(`/${ada.id}/all`))
      assert.deepEqual([missing.status, missing.text.includes('SubscriptionNotFound')], [400, true])
    })

    test('posts by and at the user arrive in the older form, each once', async () => {
      await subscribe(ada)
      const long = `${'word '.repeat(40)}end`
      const first = await post(ada, { text: long })
      const [own] = await next(ada)
      const shown = firstOf(own, 'post_create_events')
      assert.deepEqual(Object.keys(own ?? {}), ['for_user_id', 'post_create_events'])
      assert.equal(shown.id_str, first)
      assert.equal(shown.user.screen_name, ada.screenName)
      assert.match(shown.created_at, /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d [\d:]{8} \+0000 \d{4}$/)
      assert.equal(shown.truncated, true)
      assert.deepEqual(shown.extended_post, {
        full_text: long,
        display_text_range: [0, 203],
        entities: { hashtags: [], symbols: [], user_mentions: [], urls: [] },
      })
      // A link weighs 23 of the 140 characters.
      const link = `${opened.plaza.urls.core}/${ada.screenName}/status/${first}`
      const kept = `${'word '.repeat(22)}word…`
      assert.equal(shown.text, `${kept} ${link}`)
      const [url, ...more] = shown.entities.urls
      assert.deepEqual(
        [url?.expanded_url, url?.indices, more],
        [link, [kept.length + 1, kept.length + 1 + link.length], []],
      )

      await ada.core('POST', `/2/users/${ada.id}/blocking`, { target_user_id: bob.id })
      await next(ada, 2)
      const carol = await Person.join(opened.plaza, client)
      // It mentions ada and answers her: one event.
      const answer = { text: `Hello @${ada.screenName}`, reply: { in_reply_to_post_id: first } }
      const reply = await post(carol, answer)
      const received = await next(ada, 3)
      assert.equal(received.length, 3)
      const answered = firstOf(received[2], 'post_create_events')
      assert.deepEqual([received[2]?.user_has_blocked, answered.id_str], ['false', reply])

      isDone(await ada.core('DELETE', `/2/posts/${first}`))
      const deletion = firstOf((await next(ada, 4))[3], 'post_delete_events')
      assert.deepEqual(deletion.status, { id: first, user_id: ada.id })
      assert.match(deletion.timestamp_ms, /^\d{13}$/)
    })

    test('quotes and reposts contain the posts that they are of', async () => {
      await subscribe(ada)
      const first = await post(bob, { text: 'The first' })
      const quote = await post(ada, { text: 'See this', quote_post_id: first })
      isDone(await bob.core('POST', `/2/users/${bob.id}/reposts`, { post_id: quote }))
      const answer = await post(ada, { text: 'So it is', reply: { in_reply_to_post_id: quote } })
      const received = await next(ada, 3)
      const [quoting, reposting, answering] = received.map((body) => firstOf(body, 'post_create_events'))
      const quoted = ({ id_str, text, is_quote_status, quoted_status_id_str, quoted_status }: Shown) => [
        ...[id_str, text, is_quote_status, quoted_status_id_str],
        ...[quoted_status?.id_str, quoted_status?.text, quoted_status?.user.screen_name],
        ...[quoted_status?.quote_count, quoted_status?.reply_count, quoted_status?.is_quote_status],
      ]
      const shown = [quote, 'See this', true, first, first, 'The first', bob.screenName, 1, 0, false]
      assert.ok(quoting && reposting?.reposted_status && answering)
      assert.deepEqual(quoted(quoting), shown)
      assert.deepEqual(quoted(reposting.reposted_status), shown)
      assert.deepEqual(
        [reposting.is_quote_status, reposting.quoted_status_id_str, reposting.quoted_status],
        [true, first, undefined],
      )
      assert.deepEqual(
        [answering.id_str, answering.is_quote_status, answering.quote_count, answering.reply_count],
        [answer, false, 0, 0],
      )
      for (const member of ['quoted_status', 'quoted_status_id', 'quoted_status_id_str', 'reposted_status'])
        assert.ok(!(member in answering), member)
    })

    test('media have addresses and sizes, in posts and in messages, and every user has a picture', async () => {
      await subscribe(ada)
      const { context } = opened.plaza
      const [one, other] = [
        await uploaded(context, ada.id, png(2000, 500)),
        await uploaded(context, ada.id, png(60, 30)),
      ]
      const file = ({ hash }: { hash: string | null }) => `${opened.plaza.urls.core}/media/${hash}.png`
      await post(ada, { text: 'A picture', media: { media_ids: [one.id] } })
      const { user, entities } = firstOf((await next(ada))[0], 'post_create_events')
      const [{ id, display_url, ...medium } = { id: 0, display_url: '' }] = (entities.media ??
        []) as (Medium & {
        id: number
        display_url: string
      })[]
      assert.equal(typeof id, 'number')
      assert.match(display_url, /^[^/]+\/media\/[0-9a-f]+…$/)
      assert.deepEqual(medium, {
        id_str: one.id,
        media_key: `3_${one.id}`,
        media_url: file(one),
        media_url_https: file(one),
        url: file(one),
        expanded_url: file(one),
        indices: [9, 9],
        type: 'photo',
        sizes: {
          thumb: { w: 150, h: 150, resize: 'crop' },
          small: { w: 680, h: 170, resize: 'fit' },
          medium: { w: 1200, h: 300, resize: 'fit' },
          large: { w: 2000, h: 500, resize: 'fit' },
        },
        original_info: { width: 2000, height: 500 },
      })
      const message = { text: 'Look', attachments: [{ media_id: other.id }] }
      isDone(await ada.core('POST', `/2/dm_conversations/with/${bob.id}/messages`, message))
      const [, sent = {}] = await next(ada, 2)
      const [event] = sent.direct_message_events as {
        message_create: { message_data: { attachment?: { type: string; media: Medium } } }
      }[]
      const { attachment } = event?.message_create.message_data ?? {}
      assert.deepEqual(
        [attachment?.type, attachment?.media.url, attachment?.media.indices],
        ['media', file(other), [4, 4]],
      )
      const picture = (who: unknown) => (who as { profile_image_url_https: string }).profile_image_url_https
      const [address, ...same] = [user, ...Object.values(sent.users as object)].map(picture)
      assert.deepEqual(same, [address, address])
      const served = await client.send('GET', String(address))
      assert.deepEqual([served.status, served.headers['content-type']], [200, 'image/png'])
      assert.match(served.text, /^.PNG/)
      const part = await client.send('GET', String(address), { headers: { range: 'bytes=1-3' } })
      assert.deepEqual([part.status, part.text], [206, 'PNG'])
    })

    test('likes and relations arrive with their users', async () => {
      await subscribe(ada)
      const liked = await post(bob, { text: 'Likeable' })
      isDone(await ada.core('POST', `/2/users/${ada.id}/likes`, { post_id: liked }))
      const [body] = await next(ada)
      const like = firstOf(body, 'favorite_events')
      assert.match(String(like.id), /^[0-9a-f]{32}$/)
      assert.equal(new Date(like.created_at).getTime(), Math.floor(Number(like.timestamp_ms) / 1000) * 1000)
      assert.deepEqual([like.favorited_status.id_str, like.user.id_str], [liked, ada.id])
      isDone(await bob.core('POST', `/2/users/${bob.id}/following`, { target_user_id: ada.id }))
      isDone(await bob.core('DELETE', `/2/users/${bob.id}/following/${ada.id}`))
      isDone(await ada.core('POST', `/2/users/${ada.id}/muting`, { target_user_id: bob.id }))
      isDone(await ada.core('POST', `/2/users/${ada.id}/blocking`, { target_user_id: bob.id }))
      isDone(await ada.core('DELETE', `/2/users/${ada.id}/muting/${bob.id}`))
      isDone(await ada.core('DELETE', `/2/users/${ada.id}/blocking/${bob.id}`))
      // Muted and blocked users are not notified.
      isDone(await bob.core('POST', `/2/users/${bob.id}/muting`, { target_user_id: ada.id }))
      isDone(await bob.core('DELETE', `/2/users/${bob.id}/muting/${ada.id}`))
      await post(ada, { text: 'The end' })
      const received = await next(ada, 8)
      const relations = received.flatMap((body) =>
        ['follow_events', 'mute_events', 'block_events'].flatMap((member) =>
          ((body[member] ?? []) as Relation[]).map(({ type, source, target }) => [
            member,
            type,
            source.id_str,
            target.id_str,
          ]),
        ),
      )
      assert.deepEqual(
        relations.sort(),
        [
          ['block_events', 'block', ada.id, bob.id],
          ['block_events', 'unblock', ada.id, bob.id],
          ['follow_events', 'follow', bob.id, ada.id],
          ['follow_events', 'unfollow', bob.id, ada.id],
          ['mute_events', 'mute', ada.id, bob.id],
          ['mute_events', 'unmute', ada.id, bob.id],
        ].sort(),
      )
    })

    test('messages need the permission for them', async () => {
      const reader = await Person.join(opened.plaza, client, 'read-write')
      await subscribe(ada)
      await subscribe(reader)
      const counted = (await asApp('GET', '/2/account_activity/subscriptions/count')).json as {
        data: Record<string, string>
      }
      const all = Number(counted.data.subscriptions_count_all)
      assert.equal(counted.data.provisioned_count, String(MAX_USERS))
      assert.equal(Number(counted.data.subscriptions_count_direct_messages), all - 1)
      for (const other of [reader, bob])
        isDone(
          await ada.core('POST', `/2/dm_conversations/with/${other.id}/messages`, {
            text: `Hello @${bob.screenName}`,
          }),
        )
      await post(reader, { text: 'The end' })
      await next(reader)
      const received = await next(ada, 2)
      const targets = received.map(({ direct_message_events }) => {
        const [message] = direct_message_events as {
          message_create: {
            target: object
            sender_id: string
            message_data: { entities: { user_mentions: Record<string, unknown>[] } }
          }
        }[]
        const [mention] = message?.message_create.message_data.entities.user_mentions ?? []
        assert.deepEqual([mention?.screen_name, mention?.name], [bob.screenName, 'Person'])
        assert.equal(message?.message_create.sender_id, ada.id)
        return message?.message_create.target
      })
      assert.deepEqual(
        new Set(targets.map((one) => JSON.stringify(one))),
        new Set([reader, bob].map(({ id }) => JSON.stringify({ recipient_id: id }))),
      )
      const [{ users, apps } = {}] = received
      const me = (users as Record<string, Record<string, unknown>>)[ada.id]
      assert.deepEqual([me?.screen_name, me?.protected], [ada.screenName, false])
      assert.equal(
        Object.values(apps as Record<string, { id: string }>)[0]?.id,
        opened.plaza.seeded?.apps[0]?.id,
      )
      assert.deepEqual(
        arrived(reader).map((body) => Object.keys(body)),
        [['for_user_id', 'post_create_events']],
      )
    })

    test('typing and reading are reported to both users, with the permission for messages', async () => {
      const reader = await Person.join(opened.plaza, client, 'read-write')
      for (const one of [ada, bob, reader]) await subscribe(one)
      const classic = async (who: Person, path: string, form: Record<string, string>) =>
        isDone(await client.signed('POST', `/1.1/direct_messages/${path}.json`, who.keys, { form }))
      const send = async (to: Person): Promise<string> => {
        const reply = await ada.core('POST', `/2/dm_conversations/with/${to.id}/messages`, { text: 'Hello' })
        isDone(reply)
        return (reply.json as { data: { dm_event_id: string } }).data.dm_event_id
      }
      const last_read_event_id = await send(bob)
      await classic(ada, 'indicate_typing', { recipient_id: bob.id })
      await classic(bob, 'mark_read', { recipient_id: ada.id, last_read_event_id })
      await send(reader)
      await classic(ada, 'indicate_typing', { recipient_id: reader.id })
      await post(reader, { text: 'The end' })
      await next(reader)
      const toldTo = async (who: Person, count: number) => {
        const bodies = await next(who, count)
        return (member: string) =>
          bodies.flatMap(({ [member]: events, users }) =>
            ((events ?? []) as { target?: object }[]).map((event) => ({
              ...event,
              users: Object.keys(users as object).sort(),
            })),
          )
      }
      const created_timestamp = String(opened.plaza.clock.now())
      const users = [ada.id, bob.id].sort()
      const typing = { created_timestamp, sender_id: ada.id, target: { recipient_id: bob.id }, users }
      const read = {
        ...{ created_timestamp, sender_id: bob.id, target: { recipient_id: ada.id }, users },
        last_read_event_id,
      }
      // With the messages; what ada writes to the reader is told to her alone.
      const [toAda, toBob] = [await toldTo(ada, 5), await toldTo(bob, 3)]
      const typings = 'direct_message_indicate_typing_events'
      const reads = 'direct_message_mark_read_events'
      assert.deepEqual([toBob(typings), toBob(reads), toAda(reads)], [[typing], [read], [read]])
      assert.deepEqual(
        new Set(toAda(typings).map(({ target }) => JSON.stringify(target))),
        new Set([bob, reader].map(({ id }) => JSON.stringify({ recipient_id: id }))),
      )
      assert.deepEqual(
        arrived(reader).map((body) => Object.keys(body)),
        [['for_user_id', 'post_create_events']],
      )
    })

    test('what is emitted by hand arrives too, and can have other members', async () => {
      await subscribe(ada)
      const emit = (name: string, about: Omit<Emitted, 'kind'>) => {
        const kind = kindNamed(name)?.kind
        assert.ok(kind)
        return emitActivity({ kind, ...about }, { ...opened.plaza.context, graph: objects })
      }
      const user = ada.id
      const reported = {
        post_create_events: ['post.create', 'post.mention.create', 'post.reply.create', 'post.quote.create'],
        post_delete_events: ['post.delete'],
        favorite_events: ['like.create'],
        follow_events: ['follow.follow', 'follow.unfollow'],
        block_events: ['block.block', 'block.unblock'],
        mute_events: ['mute.mute', 'mute.unmute'],
        direct_message_events: ['dm.received', 'dm.sent'],
        direct_message_indicate_typing_events: ['dm.indicate_typing'],
        direct_message_mark_read_events: ['dm.read'],
      }
      const emitted = Object.entries(reported).flatMap(([member, names]) =>
        names.map((name) => [member, name] as const),
      )
      for (const [, name] of emitted) await emit(name, { user })
      await emit('post.repost.create', { user })
      const received = await next(ada, emitted.length + 1)
      const members = received.map((body) => Object.keys(body).find((one) => one.endsWith('_events')))
      assert.deepEqual(members.slice(0, -1).sort(), emitted.map(([member]) => member).sort())
      const repost = firstOf(received.at(-1), 'post_create_events')
      assert.equal(repost.reposted_status?.user.screen_name, ada.screenName)

      await emit('post.create', { user, over: { post_create_events: [{ text: 'Replaced', lang: 'fr' }] } })
      const text = { direct_message_events: [{ message_create: { message_data: { text: 'Replaced too' } } }] }
      await emit('dm.received', { user, over: text })
      const [first, second = {}] = (await next(ada, emitted.length + 3)).slice(-2)
      const replaced = firstOf(first, 'post_create_events')
      assert.equal(replaced.text, 'Replaced')
      const stored = await ada.core('GET', `/2/posts/${replaced.id_str}`)
      assert.equal((stored.json as { data: { text: string } }).data.text, 'This is a sample post.')
      const [message] = second.direct_message_events as {
        message_create: { target: object; message_data: { text: string; entities: object } }
      }[]
      assert.deepEqual(message?.message_create.target, { recipient_id: user })
      assert.equal(message?.message_create.message_data.text, 'Replaced too')
      await assert.rejects(
        emit('post.create', { user, over: { post_create_events: [{ text: 7 }] } }),
        /shape/,
      )
      // What the event does not have is not completed.
      for (const [name, over, missing] of [
        ['post.create', { post_create_events: [{}, { text: 'Another' }] }, 'created_at'],
        ['post.create', { post_create_events: [{ quoted_status: { text: 'Part' } }] }, 'created_at'],
        ['post.create', { entities: { mentions: [{ username: 'x' }] } }, 'start'],
      ] as const)
        await assert.rejects(emit(name, { user, over }), {
          name: 'Incomplete',
          message: `An object that the event does not have needs all its members: ${missing} is missing.`,
        })
      // What is gone when the event is sent is not completed either, and holds up nothing.
      const { store } = opened.plaza.context
      const { id } = (stored.json as { data: { id: string } }).data
      const about = { kind: 'post.create', user_id: user, text: '', app_id: '', direction: '' }
      const over = { payload: {}, account: { post_create_events: [{ quoted_status: { text: 'Part' } }] } }
      const data = { ...about, facts: JSON.stringify({ post_id: id }), over: JSON.stringify(over) }
      await store.write((tx) => emitEvent(tx, activityEmitted, data))
      await emit('post.create', { user })
      const last = (await next(ada, emitted.length + 4)).at(-1)
      assert.equal(firstOf(last, 'post_create_events').text, 'This is a sample post.')

      await emit('oauth.revoke', { user, app: opened.plaza.seeded?.apps[0]?.id })
      await until('the end', () =>
        receiver.deliveries.some(({ body }) => body.includes('"user_event"') && body.includes(user)),
      )
      // It did not happen.
      assert.deepEqual((await ada.core('GET', path('/all'))).json, { data: { subscribed: true } })
    })

    test('a user who revokes the app ends the subscription, and the webhook is notified', async () => {
      await subscribe(ada)
      isDone(await ada.core('POST', '/1.1/oauth/invalidate_token'))
      const revoked = () =>
        receiver.deliveries
          .map(({ body }) => JSON.parse(body) as { user_event?: { revoke: { source: { user_id: string } } } })
          .find(({ user_event }) => user_event?.revoke.source.user_id === ada.id)
      await until('the event', () => revoked() !== undefined)
      assert.deepEqual(Object.keys(revoked() ?? {}), ['user_event'])
      const { data } = (await asApp('GET', path('/all/list'))).json as {
        data: { subscriptions: { user_id: string }[] }
      }
      assert.ok(!data.subscriptions.some(({ user_id }) => user_id === ada.id))
    })

    test('an app cannot exceed its limit of users, also with concurrent requests', async () => {
      const people = await Promise.all(
        Array.from({ length: MAX_USERS }, () => Person.join(opened.plaza, client)),
      )
      const replies = await Promise.all(people.map((one) => one.core('POST', path('/all'))))
      const refused = replies.filter(({ status }) => status !== 200)
      assert.ok(refused.length > 0)
      for (const { status, text } of refused)
        assert.deepEqual(
          [status, text.includes(`SubscriptionLimitExceeded: an app may subscribe to ${MAX_USERS} users`)],
          [400, true],
        )
      const { data } = (await asApp('GET', path('/all/list'))).json as { data: { subscriptions: unknown[] } }
      assert.equal(data.subscriptions.length, MAX_USERS)
    })
  })
}

test('with an OAuth 1.0a token of the user, its level decides and not the scopes of OAuth 2.0', async () => {
  const [memory] = stages
  assert.ok(memory)
  const world = await openWorld(memory)
  try {
    const user = await world.newUser()
    const bearer = await world.userToken(user, ['users.read'])
    const target = '/2/account_activity/webhooks/7/subscriptions/all'
    const headers: [string, string][] = [['authorization', `Bearer ${bearer}`]]
    const refused = await world.send('core', { method: 'GET', target, headers })
    assert.equal(refused.status, 403, refused.text)
    await world.grant(user, 'read')
    const allowed = await world.send('core', { method: 'GET', target, headers })
    assert.deepEqual([allowed.status, allowed.text.includes('WebhookIdInvalid')], [400, true])
  } finally {
    await world.close()
  }
})
