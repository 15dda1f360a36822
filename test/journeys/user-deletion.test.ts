import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { comparisons } from '../../src/app/checks/all.ts'
import { compareAll } from '../../src/app/checks/comparison.ts'
import { query } from '../../src/app/tables.ts'
import { putMute } from '../../src/domain/broadcasts/chat/queries.ts'
import { readEvents } from '../../src/platform/events/log.ts'
import { Admin } from '../support/admin.ts'
import { articlesOf } from '../support/articles.ts'
import { makeABroadcast, makeASource } from '../support/broadcasts.ts'
import { chatKeys, chatMessage, keyBody, keyChange, participantKey } from '../support/chats.ts'
import { Client, type Keys } from '../support/client.ts'
import { allEventsHandled } from '../support/events.ts'
import { png } from '../support/media.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Opened, stages } from '../support/stages.ts'
import { sweepMedia } from '../support/tasks.ts'
import { placesOf, referencesToUsers } from '../support/user-traces.ts'

// A user who is deleted is gone at once for everyone. Then tasks remove everything.

type Data = Record<string, unknown>
interface MadeApp {
  id: string
  consumer_key: string
  consumer_secret: string
  tokens: { access_token: string; access_token_secret: string }[]
}

/** Columns that still name a deleted user, with the reasons. */
const KEPT: Readonly<Record<string, string>> = {
  'compliance_records.id': 'when the user was deleted, which results of jobs say for a while',
  'deliveries.body': 'what was sent, which is kept for a while',
  'events.subject': 'the log is kept for a while: consumers read it',
  'events.data': 'the log is kept for a while: consumers read it',
  'posts.entities': 'what others wrote',
  'posts.reposted_user_id': 'reposts of others, which are deleted with the post',
  'posts.in_reply_to_user_id': 'what others replied to',
  'post_mentions.user_id': 'derived from the posts of others',
  'dm_conversations.id': 'the conversations of others',
  'dm_conversations.creator_id': 'the conversations of others',
  'dm_participants.conversation_id': 'the conversations of others',
  'dm_inbox.conversation_id': 'the conversations of others',
  'dm_events.conversation_id': 'what others received',
  'dm_events.sender_id': 'what others received',
  'media.owner_id': 'media that messages show which others received',
  'media_uses.account_id': 'media that messages show which others received',
  'chat_conversations.id': 'the conversations of others',
  'chat_conversations.creator_id': 'the conversations of others',
  'chat_members.conversation_id': 'the conversations of others',
  'chat_inbox.conversation_id': 'the conversations of others',
  'chat_events.conversation_id': 'what others received',
  'chat_events.sender_id': 'what others received',
  'chat_media.conversation_id': 'what others received',
  'chat_media.owner_id': 'what others received',
  'spaces.host_ids': 'the spaces of others',
  'tasks.owner': 'a task that finds nothing when its time has come',
  'tasks.payload': 'a task that finds nothing when its time has come',
  'promotable_users.user_id': 'what an account may promote',
}

// Rows of a user that no endpoint makes in a few calls.

const addSettings = query<{ user: string; account: string }>('addSettingsOfUser', (db, at) =>
  db.insertInto('account_user_settings').values({
    ...{ user_id: at.user, account_id: at.account, notification_email: null, contact_phone: '' },
    ...{ contact_phone_extension: '', subscribed_email_types: '[]' },
  }),
)
const addCounts = query<{ user: string }>('addCountsOfUser', (db, at) =>
  db.insertInto('imported_user_counts').values({
    ...{ user_id: at.user, followers_count: 0, following_count: 0, listed_count: 0, like_count: 0 },
  }),
)
const addSession = query<{ user: string }>('addSessionOfUser', (db, at) =>
  db.insertInto('browser_sessions').values({
    ...{ session_hash: 'x', user_id: at.user, created_at: 0, expires_at: 9e15 },
  }),
)

for (const stage of stages) {
  describe(`a deleted user on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let admin: Admin
    let app: MadeApp
    const keys: Record<string, Keys> = {}
    const ids: Record<string, string> = {}
    /** Posts, lists and other things by the names that the tests give them. */
    const made: Record<string, string> = {}
    let receiver: Awaited<ReturnType<typeof startReceiver>>

    const as = (who: string, method: string, path: string, json?: unknown) =>
      client.signed(method, path, keys[who] as Keys, json === undefined ? {} : { json })
    const post = async (author: string, text: string, more: object = {}) =>
      String((await admin.call('POST', '/posts', { author, text, ...more })).id)
    const put = (path: string, json?: unknown) => admin.call('PUT', path, json)

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' }, { usesOwnClock: true })
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
      for (const screen_name of ['ann', 'bob', 'cyd', 'dot', 'org']) {
        const user = await admin.call('POST', '/users', {
          screen_name,
          name: screen_name,
          password: 'secret',
        })
        ids[screen_name] = String(user.id)
      }
      app = await admin.call<MadeApp>('POST', '/apps', {
        ...{ name: 'Tool', website: 'https://tool.example/', owner: 'bob', grants: ['ann', 'bob', 'cyd'] },
        permission: 'read-write-directmessages',
      })
      for (const [index, name] of ['ann', 'bob', 'cyd'].entries())
        keys[name] = {
          consumerKey: app.consumer_key,
          consumerSecret: app.consumer_secret,
          token: app.tokens[index]?.access_token as string,
          tokenSecret: app.tokens[index]?.access_token_secret as string,
        }
      await fillPosts()
      await articlesOf(opened.plaza.context).draft(ids.ann as string)
      await fillRelations()
      await fillConversations()
      await fillChats()
      await fillBroadcasts()
      await fillNotes()
      await fillSubscriptions()
      await allEventsHandled(opened.plaza.context.store)
    })
    after(async () => {
      await client?.close()
      await receiver?.close()
      await opened?.close()
    })

    async function fillPosts() {
      made.own = await post('ann', 'A zebra of ann', { created_at: '-2h' })
      made.other = await post('bob', 'A zebra of bob', { created_at: '-2h' })
      made.reply = await post('bob', 'I agree, @ann', { in_reply_to_post_id: made.own })
      await put('/users/bob', { subscription_type: 'Premium' })
      const mention = await as('bob', 'POST', '/2/posts', { text: 'Hello @ann' })
      assert.equal(mention.status, 201, mention.text)
      made.mention = String((mention.json as { data: Data }).data.id)
      made.quote = await post('cyd', 'See', { quote_post_id: made.own })
      await post('ann', 'Yes', { in_reply_to_post_id: made.other })
      await post('ann', 'This', { quote_post_id: made.other })
      await post('ann', 'Well?', { poll: { options: ['yes', 'no'], duration_minutes: 60 } })
      const asked = await post('bob', 'And you?', { poll: { options: ['yes', 'no'], duration_minutes: 60 } })
      await put(`/users/ann/posts/${asked}/vote`, { position: 1 })
      for (const [who, what] of [
        ['ann', made.other],
        ['bob', made.own],
        ['cyd', made.other],
      ] as const)
        for (const reaction of ['likes', 'bookmarks', 'reposts'])
          await put(`/users/${who}/posts/${what}/${reaction}`)
      const folder = await as('ann', 'POST', `/2/users/${ids.ann}/bookmarks/folders`, { name: 'Later' })
      assert.ok(folder.status < 300, folder.text)
      const { id } = (folder.json as { data: Data }).data
      const kept = await as('ann', 'POST', `/2/users/${ids.ann}/bookmarks`, {
        ...{ post_id: made.other, folder_id: id },
      })
      assert.ok(kept.status < 300, kept.text)
      for (const category of ['post_image', 'dm_image']) {
        const json = { media: png(8, 8).toString('base64'), media_category: category }
        const uploaded = await as('ann', 'POST', '/2/media/upload', json)
        assert.ok(uploaded.status < 300, uploaded.text)
        made[category] = String((uploaded.json as { data: Data }).data.id)
      }
      const shown = await as('ann', 'POST', '/2/posts', {
        ...{ text: 'Look', media: { media_ids: [made.post_image] } },
      })
      assert.equal(shown.status, 201, shown.text)
    }

    async function fillRelations() {
      for (const path of ['ann/following/bob', 'bob/following/ann', 'ann/muting/cyd', 'ann/blocking/dot'])
        await put(`/users/${path}`)
      await put('/users/bob', { affiliation: 'ann' })
      await put('/users/ann', { affiliation: 'org' })
      for (const [name, owner] of [
        ['ownList', 'ann'],
        ['otherList', 'bob'],
      ] as const)
        made[name] = String((await admin.call('POST', '/lists', { owner, name })).id)
      await put(`/lists/${made.ownList}/members/bob`)
      for (const relation of ['members', 'followers', 'pins'])
        await put(`/lists/${made.otherList}/${relation}/ann`)
      await put(`/lists/${made.otherList}/members/cyd`)
      const community = { name: 'Zebra friends', members: ['cyd', 'ann'] }
      made.community = String((await admin.call('POST', '/communities', community)).id)
    }

    async function fillConversations() {
      const sent = await as('ann', 'POST', `/2/dm_conversations/with/${ids.bob}/messages`, {
        ...{ text: 'Hello', attachments: [{ media_id: made.dm_image }] },
      })
      assert.equal(sent.status, 201, sent.text)
      await admin.call('POST', '/direct_messages', { from: 'bob', to: ['ann'], text: 'Hello back' })
      await admin.call('POST', '/direct_messages', { from: 'ann', to: ['bob', 'cyd'], text: 'All' })
      const space = { creator: 'ann', title: 'Zebras live' }
      made.space = String((await admin.call('POST', '/spaces', space)).id)
      const other = { creator: 'bob', title: 'More', hosts: ['ann'], ticketed: true }
      made.otherSpace = String((await admin.call('POST', '/spaces', other)).id)
      await put(`/spaces/${made.otherSpace}/buyers/ann`)
    }

    async function fillBroadcasts() {
      const { context } = opened.plaza
      const [ann, bob] = [{ id: String(ids.ann) }, { id: String(ids.bob) }]
      const source_id = await makeASource(context, ann)
      const own = await makeABroadcast(context, { user_id: ann.id, source_id })
      const others = await makeABroadcast(context, { user_id: bob.id })
      Object.assign(made, { ownBroadcast: own.id, otherBroadcast: others.id })
      for (const [owner, by, broadcast] of [
        ['bob', 'ann', others],
        ['ann', 'bob', own],
      ] as const) {
        const path = `/2/broadcasts/${broadcast.id}/chat`
        assert.equal((await as(by, 'POST', path, { text: `zebra of ${by}` })).status, 200)
        assert.equal((await as(owner, 'POST', `${path}/mutes`, { user_id: ids[by] })).status, 200)
      }
      assert.equal((await as('ann', 'DELETE', `/2/broadcasts/${own.id}/chat/mutes/${bob.id}`)).status, 200)
      await context.store.write((tx) =>
        tx.run(putMute, { owner_id: ann.id, user_id: String(ids.cyd), ends_at: null }),
      )
      const start = context.clock.now() + 3_600_000
      const series = await as('ann', 'POST', '/2/broadcasts/scheduled', {
        ...{ source_id, scheduled_start_ms: String(start), scheduled_end_ms: String(start + 1) },
        recurrence: { frequency: 'Daily', repeats: '3' },
      })
      assert.equal(series.status, 201, series.text)
    }

    async function fillChats() {
      const [ann = '', bob = ''] = [ids.ann, ids.bob]
      for (const who of ['ann', 'bob']) {
        const added = await as(who, 'POST', `/2/users/${ids[who]}/public_keys`, keyBody(chatKeys('1')))
        assert.equal(added.status, 200, added.text)
      }
      const id = await as('ann', 'POST', '/2/chat/conversations/group/initialize')
      assert.equal(id.status, 200, id.text)
      const chat = `/2/chat/conversations/${bob}`
      const keys = await as(
        'ann',
        'POST',
        `${chat}/keys`,
        keyChange(
          '1',
          [ann, bob].map((one) => participantKey(one)),
        ),
      )
      assert.equal(keys.status, 200, keys.text)
      const sent = await as('ann', 'POST', `${chat}/messages`, chatMessage())
      assert.equal(sent.status, 201, sent.text)
      const conversation_id = `${ann}:${bob}`
      const upload = await as('ann', 'POST', '/2/chat/media/upload/initialize', { conversation_id })
      assert.equal(upload.status, 200, upload.text)
    }

    async function fillNotes() {
      for (const [writer, about] of [
        ['ann', made.other],
        ['bob', made.own],
      ] as const) {
        await put(`/users/${writer}`, { note_writer: 'regular' })
        const text = 'Context: https://example.com/'
        const info = {
          text,
          classification: 'not_misleading',
          misleading_tags: [],
          trustworthy_sources: true,
        }
        const json = { test_mode: false, post_id: about, info }
        const written = await as(writer, 'POST', '/2/notes', json)
        assert.equal(written.status, 200, written.text)
        made[`note of ${writer}`] = String((written.json as { data: Data }).data.id)
      }
      await put(`/notes/${made['note of bob']}/ratings/ann`, { helpfulness: 'helpful' })
      await put(`/notes/${made['note of bob']}/ratings/cyd`, { helpfulness: 'helpful' })
      await allEventsHandled(opened.plaza.context.store)
      await put(`/posts/${made.other}/note_requests/ann`)
    }

    async function fillSubscriptions() {
      receiver = await startReceiver(app.consumer_secret)
      const webhook = await admin.call('POST', '/webhooks', { app_id: app.id, url: receiver.url })
      await put(`/webhooks/${webhook.id}/account_subscriptions/ann`)
      await admin.call('POST', `/apps/${app.id}/activity_subscriptions`, {
        ...{ event_type: 'post.create', filter: { user_id: ids.ann } },
      })
      await admin.call('POST', '/tokens', {
        ...{ kind: 'oauth2', app_id: app.id, user: 'ann', scopes: ['post.read', 'users.read'] },
      })
      const account = await admin.call('POST', '/accounts', { name: 'Bridges', owner: 'ann' })
      made.account = String(account.id)
      await opened.plaza.context.store.write(async (tx) => {
        const user = ids.ann as string
        await tx.run(addSettings, { user, account: made.account as string })
        await tx.run(addCounts, { user })
        await tx.run(addSession, { user })
      })
    }

    const found = async (path: string, who = 'bob') => {
      const reply = await as(who, 'GET', path)
      const { data, errors } = reply.json as { data?: unknown; errors?: { title: string }[] }
      return { status: reply.status, data, titles: errors?.map(({ title }) => title), text: reply.text }
    }

    test('every column that refers to users has a row of the user, so that the last test sees them go', async () => {
      const places = await placesOf(opened.plaza.context.store, ids.ann as string)
      assert.deepEqual(
        referencesToUsers().filter((place) => !places.includes(place)),
        [],
      )
    })

    test('is not deleted while apps and accounts would have no owner, and the answer names them', async () => {
      const own = await admin.call('POST', '/apps', {
        name: 'Own',
        website: 'https://own.example/',
        owner: 'ann',
      })
      assert.deepEqual(await admin.wrong('DELETE', '/users/ann'), [
        409,
        `@ann owns the apps ${own.id} and has roles in the advertising accounts ${made.account}. Delete the apps and remove the roles first.`,
      ])
      await admin.call('DELETE', `/apps/${own.id}`)
      const [status, says] = await admin.wrong('DELETE', '/users/ann')
      assert.equal(status, 409)
      assert.match(says, /^@ann has roles in the advertising accounts/)
      await put(`/accounts/${made.account}/users/bob`, { roles: ['ACCOUNT_ADMIN'] })
      await admin.call('DELETE', `/accounts/${made.account}/users/ann`)
      assert.deepEqual(await admin.wrong('DELETE', '/users/nobody'), [404, 'There is no user nobody.'])
      assert.equal((await admin.call('GET', '/users/ann')).suspended, false)
    })

    test('does not exist for anyone from then on', async () => {
      assert.equal((await as('ann', 'GET', '/2/users/me')).status, 200)
      assert.deepEqual(new Set(await zebras()), new Set([made.own, made.other]))
      for (const path of [`lists/${made.ownList}`, `spaces/${made.space}`, `users/${ids.ann}/followers`])
        assert.notEqual((await found(`/2/${path}`)).data, undefined, path)
      assert.deepEqual(await admin.call('DELETE', '/users/ann'), { deleted: true })
      assert.equal((await admin.wrong('DELETE', '/users/ann'))[0], 404)
      assert.equal((await admin.wrong('DELETE', `/users/${ids.ann}`))[0], 404)
      assert.equal((await as('ann', 'GET', '/2/users/me')).status, 401)
      await seesNothing()
    })

    /** The posts that a search finds. */
    async function zebras() {
      await allEventsHandled(opened.plaza.context.store)
      const bearer = await client.bearer(keys.bob as Keys)
      const search = await client.send('GET', '/2/posts/search/recent?query=zebra', {
        headers: { authorization: `Bearer ${bearer}` },
      })
      return (search.json as { data: Data[] }).data.map(({ id }) => id)
    }

    /** What others see of a deleted user: nothing, whether or not anything was removed yet. */
    async function seesNothing() {
      for (const path of [`/2/users/${ids.ann}`, '/2/users/by/username/ann', `/2/posts/${made.own}`]) {
        const { data, titles } = await found(path)
        assert.deepEqual([path, data, titles], [path, undefined, ['Not Found Error']])
      }
      for (const path of ['followers', 'following', 'posts', 'liked_posts', 'owned_lists', 'mentions']) {
        const { data, titles } = await found(`/2/users/${ids.ann}/${path}`)
        assert.deepEqual([path, data, titles], [path, undefined, ['Not Found Error']])
      }
      for (const [path, seen] of [
        [`/2/users/${ids.bob}/followers`, []],
        [`/2/users/${ids.bob}/following`, []],
        [`/2/posts/${made.other}/liking_users`, ['cyd']],
        [`/2/posts/${made.other}/reposted_by`, ['cyd']],
        [`/2/lists/${made.otherList}/members`, ['cyd']],
        [`/2/lists/${made.otherList}/followers`, []],
        [`/2/spaces/${made.otherSpace}/buyers`, []],
        [`/2/broadcasts/${made.otherBroadcast}/chat`, []],
      ] as const) {
        const { data } = await found(path)
        const names = ((data ?? []) as { username: string }[]).map(({ username }) => username)
        assert.deepEqual([path, names], [path, seen])
      }
      for (const path of [`/2/lists/${made.ownList}`, `/2/spaces/${made.space}`])
        assert.equal((await found(path)).data, undefined, path)
      const expanded = await found(
        `/2/posts?ids=${made.reply},${made.quote}&expansions=in_reply_to_user_id,referenced_posts.id,entities.mentions.username`,
      )
      assert.equal((expanded.data as unknown[]).length, 2)
      assert.doesNotMatch(expanded.text, /zebra of ann/)
      const messages = await found('/2/dm_events?dm_event.fields=sender_id&expansions=sender_id')
      assert.equal(messages.status, 200, messages.text)
      const senders = (messages.data as { sender_id: string }[]).map(({ sender_id }) => sender_id)
      assert.ok(senders.includes(ids.ann as string))
      assert.doesNotMatch(messages.text, /"username":"ann"/)
      const sent = await as('bob', 'POST', `/2/dm_conversations/with/${ids.ann}/messages`, { text: 'You?' })
      assert.ok(sent.status >= 400 && sent.status < 500, sent.text)
      const chatted = await as('bob', 'POST', `/2/broadcasts/${made.ownBroadcast}/chat`, { text: 'You?' })
      assert.match(chatted.text, /Not Found Error/)
      const followed = await as('bob', 'POST', `/2/users/${ids.bob}/following`, { target_user_id: ids.ann })
      assert.match(followed.text, /Not Found Error/)
      const added = await as('bob', 'POST', `/2/lists/${made.otherList}/members`, { user_id: ids.ann })
      assert.ok(added.status >= 400 || /errors/.test(added.text), added.text)
      assert.deepEqual(await zebras(), [made.other])
      for (const path of ['ann', String(ids.ann)])
        assert.equal((await admin.wrong('GET', `/users/${path}`))[0], 404)
      const names = (await admin.all<{ screen_name: string }>('/users')).map((user) => user.screen_name)
      assert.ok(!names.includes('ann'))
      const prefixed = await admin.all<{ screen_name: string }>('/users?screen_name_prefix=an')
      assert.deepEqual(prefixed, [])
      for (const path of [
        'notes',
        'spaces',
        'broadcasts',
        'broadcast-sources',
        'deliveries',
        'news',
        'users/bob/direct_messages',
        'users/bob/lists',
        `communities/${made.community}/members`,
      ]) {
        const listed = await admin.send('GET', `/${path}`)
        assert.equal(listed.status, 200, `${path}: ${listed.text}`)
      }
      const thread = await admin.send('GET', `/conversations/${made.own}/posts`)
      assert.ok(thread.status < 500, thread.text)
      assert.equal((await admin.wrong('GET', `/posts/${made.own}`))[0], 404)
      const spaces = await admin.send('GET', '/spaces')
      assert.doesNotMatch(spaces.text, /Zebras live/)
      assert.doesNotMatch(thread.text, /zebra of ann/)
      const seed = await admin.send('GET', '/seed')
      assert.equal(seed.status, 200, seed.text)
      assert.doesNotMatch(seed.text, /zebra of ann|screen_name: ann\b|"ann"/)
    }

    const differences = async () => {
      const found: unknown[] = []
      const options = { repair: false, found: (one: unknown) => found.push(one) }
      for await (const _ of compareAll(opened.plaza.context.store, comparisons, options));
      return found
    }

    test('leaves nothing that plaza check reports, before and after the removal', async () => {
      const { tasks } = opened.plaza
      assert.deepEqual(await differences(), [])
      assert.ok((await tasks.runDue('delete user')) > 0)
      await seesNothing()
      assert.deepEqual(await differences(), [])
      await admin.call('POST', '/clock/advance', { by: '61s', timeout_seconds: 1 })
      await tasks.runDue()
      await seesNothing()
      assert.deepEqual(await differences(), [])
    })

    test('counts for nobody', async () => {
      const members = await admin.all<{ screen_name: string }>(`/communities/${made.community}/members`)
      assert.deepEqual(
        members.map(({ screen_name }) => screen_name),
        ['cyd'],
      )
      assert.equal((await admin.call('GET', `/communities/${made.community}`)).member_count, 1)
      const counts = await found(`/2/posts/${made.other}?post.fields=public_metrics`)
      const { public_metrics } = counts.data as { public_metrics: Record<string, number> }
      const { like_count, reply_count, quote_count, bookmark_count } = public_metrics
      assert.deepEqual([like_count, reply_count, quote_count, bookmark_count], [1, 0, 0, 1])
      assert.equal(public_metrics.repost_count, 1)
      const bob = await admin.call('GET', '/users/bob')
      assert.deepEqual([bob.followers_count, bob.following_count, bob.affiliation_user_id], [0, 0, null])
      const profile = await found(`/2/users/${ids.cyd}?user.fields=public_metrics`)
      const cyd = (profile.data as { public_metrics: Record<string, number> }).public_metrics
      assert.deepEqual([cyd.like_count, cyd.listed_count], [1, 1])
      const list = await found(`/2/lists/${made.otherList}?list.fields=member_count,follower_count`)
      const { member_count, follower_count } = list.data as Record<string, number>
      assert.deepEqual([member_count, follower_count], [1, 0])
    })

    test('is in no row of any table, except in what belongs to others', async () => {
      await sweepMedia(opened.plaza.context)
      await opened.plaza.tasks.runDue()
      const places = await placesOf(opened.plaza.context.store, ids.ann as string)
      // The index of the embedded store is a file of its own.
      const indexed = stage.shared ? ['search_documents.words'] : []
      assert.deepEqual(places.sort(), [...Object.keys(KEPT), ...indexed].sort())
    })

    test('is nobody whom others mention when they edit what they wrote', async () => {
      const edit = { text: 'Hello again @ann', edit_options: { previous_post_id: made.mention } }
      const edited = await as('bob', 'POST', '/2/posts', edit)
      assert.equal(edited.status, 201, edited.text)
      const { id } = (edited.json as { data: Data }).data
      const read = await found(`/2/posts/${id}?post.fields=entities`)
      assert.deepEqual([read.status, read.titles], [200, undefined])
      assert.doesNotMatch(read.text, /mentions/)
      assert.deepEqual(await differences(), [])
    })

    test('has events: of the deletion, and of each post', async () => {
      const events = await readEvents(opened.plaza.context.store, { after: 0, limit: 10_000 })
      const of = (kind: string) => events.filter((event) => event.kind === kind)
      assert.deepEqual(
        of('user.deleted').map(({ data }) => data),
        [{ user_id: ids.ann }],
      )
      const posts = of('post.deleted').filter(({ data }) => data.author_id === ids.ann)
      // Four of text, one with an image, and a repost.
      assert.equal(posts.length, 6)
    })

    test('takes along a conversation whose other user is deleted at the same time', async () => {
      const pair = []
      for (const screen_name of ['eve', 'fay'])
        pair.push(String((await admin.call('POST', '/users', { screen_name, name: screen_name })).id))
      await admin.call('POST', '/direct_messages', { from: 'eve', to: ['fay'], text: 'Secret' })
      await put('/users/eve/following/fay')
      await put('/users/fay/following/eve')
      await Promise.all(['eve', 'fay'].map((who) => admin.call('DELETE', `/users/${who}`)))
      await opened.plaza.tasks.runDue('delete user')
      await admin.call('POST', '/clock/advance', { by: '61s', timeout_seconds: 1 })
      await opened.plaza.tasks.runDue()
      for (const id of pair) {
        const places = await placesOf(opened.plaza.context.store, id)
        assert.deepEqual(
          places.filter((place) => !place.startsWith('events.') && !place.startsWith('compliance_records.')),
          [],
        )
      }
      assert.deepEqual(await differences(), [])
    })

    test('frees the screen name, and whoever takes it is somebody else', async () => {
      const again = await admin.call('POST', '/users', { screen_name: 'Ann', name: 'Ann' })
      assert.notEqual(again.id, ids.ann)
      assert.equal((await admin.call('GET', '/users/ann')).id, again.id)
      assert.equal(again.post_count, 0)
    })
  })
}
