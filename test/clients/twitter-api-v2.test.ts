import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  type ApiResponseError,
  ETwitterStreamEvent,
  EUploadMimeType,
  type TweetV2SingleStreamResult,
  TwitterApi,
} from 'twitter-api-v2'
import globals from 'twitter-api-v2/dist/cjs/globals.js'
import { systemClock } from '../../src/platform/common/clock.ts'
import { Client } from '../support/client.ts'
import { CLIENT_WORDS } from '../support/client-words.ts'
import { startConsumer } from '../support/consumer.ts'
import { localAgent } from '../support/local-agent.ts'
import { gif, mp4, png } from '../support/media.ts'
import { startPlaza } from '../support/plaza.ts'
import { makeSpace } from '../support/spaces.ts'
import { until } from '../support/until.ts'
import { Visitor } from '../support/visitor.ts'

/** The client's own words for Plaza's neutral ones. */
const VOCABULARY = {
  words: CLIENT_WORDS,
  identifiers: { svc_auth_access_type: 'x_auth_access_type' },
}

const HOST = new URL(globals.API_V2_PREFIX).hostname
/** By default, searches end some seconds ago. */
const NO_LATER = '9223372036854775807'
/** It sends uploads to a separate host. */
const UPLOADS = new URL(globals.API_V1_1_UPLOAD_PREFIX).origin

describe('twitter-api-v2, unmodified', () => {
  let folder: string
  let plaza: Awaited<ReturnType<typeof startPlaza>>
  let agent: Agent
  let browser: Client
  let app: { appKey: string; appSecret: string }
  let oauth2: { clientId?: string; clientSecret?: string }
  let user: { id: string; screenName: string; password: string }
  /**
   * Of the last sign-in: each app holds one token for a user, and another access level takes the
   * place of the former.
   */
  let tokens: { accessToken: string; accessSecret: string }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plaza-client-'))
    const vocabulary = join(folder, 'vocabulary.json')
    await writeFile(vocabulary, JSON.stringify(VOCABULARY))
    // The client has its host built in: Plaza takes that name, and the agent finds it here.
    plaza = await startPlaza(
      { vocabulary, coreUrl: `https://${HOST}`, coreAliases: [UPLOADS] },
      { clock: systemClock, backgroundTasks: true },
    )
    const port = plaza.listening.core
    agent = localAgent({ ca: plaza.caPem as string, host: HOST, port })
    browser = new Client(plaza, { host: HOST, port })
    const seeded = plaza.seeded
    assert.ok(seeded?.apps[0] && seeded.users[0])
    app = { appKey: seeded.apps[0].consumerKey, appSecret: seeded.apps[0].consumerSecret }
    oauth2 = seeded.apps[0]
    user = seeded.users[0]
  })
  after(async () => {
    agent.destroy()
    await browser.close()
    await plaza.close()
    await rm(folder, { recursive: true, force: true })
  })

  const api = (tokens: object) => new TwitterApi({ ...app, ...tokens }, { httpAgent: agent })

  test('signs a user in over three legs and calls in their name', async () => {
    const link = await api({}).generateAuthLink('http://127.0.0.1:3000/callback?next=1', {
      linkMode: 'authorize',
      authAccessType: 'write',
    })
    assert.equal(link.oauth_callback_confirmed, 'true')
    const reply = await new Visitor(browser).answer(link.url, user, 'approve')
    assert.equal(reply.status, 302)
    const back = new URL(reply.headers.location as string)
    assert.equal(back.searchParams.get('next'), '1')
    assert.equal(back.searchParams.get('oauth_token'), link.oauth_token)

    const pending = api({ accessToken: link.oauth_token, accessSecret: link.oauth_token_secret })
    const { client, userId, screenName } = await pending.login(
      back.searchParams.get('oauth_verifier') as string,
    )
    assert.deepEqual([userId, screenName], [user.id, user.screenName])
    const webhooks = await client.v2.get('webhooks')
    assert.deepEqual(webhooks, { data: [], meta: { result_count: 0 } })
  })

  test('signs a user in with a pin', async () => {
    const link = await api({}).generateAuthLink('oob', { linkMode: 'authorize' })
    const page = await new Visitor(browser).answer(link.url, user, 'approve')
    const pin = /\b([0-9]{7})\b/.exec(page.text.replace(/<style>[\s\S]*<\/style>/, ''))?.[1]
    assert.ok(pin, page.text)
    const pending = api({ accessToken: link.oauth_token, accessSecret: link.oauth_token_secret })
    const { userId, accessToken, accessSecret } = await pending.login(pin)
    assert.equal(userId, user.id)
    tokens = { accessToken, accessSecret }
  })

  test('signs a user in with OAuth 2.0, renews its tokens and revokes them', async () => {
    const client = { clientId: oauth2.clientId, clientSecret: oauth2.clientSecret }
    const at = (tokens: object | string) => new TwitterApi(tokens as never, { httpAgent: agent })
    const link = at(client).generateOAuth2AuthLink('http://127.0.0.1:3000/callback', {
      scope: ['tweet.read', 'tweet.write', 'media.write', 'users.read', 'follows.read', 'offline.access'],
    })
    const page = link.url.replace(new URL(link.url).origin, `https://${HOST}`)
    const answer = await new Visitor(browser).answer(page, user, 'approve')
    const back = new URL(answer.headers.location ?? '').searchParams
    assert.equal(back.get('state'), link.state)
    const login = { codeVerifier: link.codeVerifier, redirectUri: 'http://127.0.0.1:3000/callback' }
    const first = await at(client).loginWithOAuth2({ ...login, code: back.get('code') ?? '' })
    assert.deepEqual(first.scope, [
      'tweet.read',
      'tweet.write',
      'media.write',
      'users.read',
      'follows.read',
      'offline.access',
    ])
    assert.equal(first.expiresIn, 7200)
    assert.equal((await at(first.accessToken).v2.me()).data.id, user.id)
    const next = await at(client).refreshOAuth2Token(first.refreshToken ?? '')
    const { v1, v2 } = at(next.accessToken)
    const picture = await v1.uploadMedia(png(12, 12), { mimeType: EUploadMimeType.Png })
    await v1.createMediaMetadata(picture, { alt_text: { text: 'A square' } })
    const other = await v2.uploadMedia(png(13, 13), { media_type: EUploadMimeType.Png })
    const { data } = await v2.tweet('Posted with a scope', { media: { media_ids: [picture, other] } })
    assert.equal(data.text, 'Posted with a scope')
    const clip = await v1.uploadMedia(mp4(1280, 720, { bytes: 300_000 }), { mimeType: EUploadMimeType.Mp4 })
    assert.match(clip, /^[0-9]{19}$/)
    await at(next.accessToken).v2.deleteTweet(data.id)
    await at(client).revokeOAuth2Token(next.refreshToken ?? '', 'refresh_token')
    await assert.rejects(at(next.accessToken).v2.me(), { code: 401 })
    await assert.rejects(at(client).refreshOAuth2Token(next.refreshToken ?? ''), { code: 400 })
  })

  test('signs the app in and uses its bearer; registers, checks and deletes a webhook', async () => {
    const client = await api({}).appLogin()
    const consumer = await startConsumer(app.appSecret)
    try {
      const { data } = await client.v2.post<{ data: { id: string } }>('webhooks', { url: consumer.url })
      assert.deepEqual(await client.v2.put(`webhooks/${data.id}`), { data: { attempted: true } })
      assert.deepEqual(await client.v2.delete(`webhooks/${data.id}`), { data: { deleted: true } })
    } finally {
      await consumer.close()
    }
  })

  test('sends, lists and pages direct messages, in conversations of two and in groups', async () => {
    const { v2 } = api(tokens)
    const [other = ''] = (plaza.seeded?.users ?? []).map(({ id }) => id).filter((id) => id !== user.id)
    // The client's type omits `data`, which the reply has, as its other replies do.
    const made = (reply: unknown) =>
      (reply as { data: { dm_conversation_id: string; dm_event_id: string } }).data
    const first = made(await v2.sendDmToParticipant(other, { text: 'One' }))
    const second = made(await v2.sendDmInConversation(first.dm_conversation_id, { text: 'Two' }))
    assert.equal(second.dm_conversation_id, first.dm_conversation_id)

    const withOther = await v2.listDmEventsWithParticipant(other, {
      max_results: 1,
      'dm_event.fields': ['sender_id', 'dm_conversation_id'],
      expansions: ['sender_id'],
    })
    assert.deepEqual(
      withOther.events.map(({ id, sender_id }) => [id, sender_id]),
      [[second.dm_event_id, user.id]],
    )
    assert.equal(withOther.includes.users[0]?.username, user.screenName)
    const older = await withOther.next()
    assert.deepEqual(
      older.events.map(({ id }) => id),
      [first.dm_event_id],
    )
    const ofOne = await v2.listDmEventsOfConversation(first.dm_conversation_id)
    assert.deepEqual(
      ofOne.events.map((event) => event.event_type === 'MessageCreate' && event.text),
      ['Two', 'One'],
    )
    const all = await v2.listDmEvents({ event_types: ['MessageCreate'] })
    assert.equal(all.events.length, 2)
    const wrong = v2.createDmConversation({
      conversation_type: 'Group',
      participant_ids: [other, user.id],
      message: { text: 'All' },
    })
    await assert.rejects(wrong, (error: ApiResponseError) => error.code === 400)
  })

  test('reads and searches spaces', async () => {
    const space = await makeSpace(plaza.context, { creatorId: user.id, title: 'Cats and clients' })
    const { v2 } = api(tokens)
    const one = await v2.space(space.id, {
      'space.fields': ['title'],
      'topic.fields': ['name'],
      expansions: ['creator_id', 'topic_ids'],
    } as object)
    assert.deepEqual(one.data, {
      id: space.id,
      state: 'live',
      title: 'Cats and clients',
      creator_id: user.id,
    })
    assert.equal(one.includes?.users?.[0]?.username, user.screenName)
    const found = await v2.searchSpaces({ query: 'clients', state: 'live' })
    const listed = await v2.spaces([space.id])
    const made = await v2.spacesByCreators([user.id])
    for (const { data } of [found, listed, made])
      assert.deepEqual(
        data.map(({ id }) => id),
        [space.id],
      )
    assert.deepEqual(await v2.spaceTweets(space.id), { meta: { result_count: 0 } })
  })

  test('publishes, looks up and deletes posts; looks up users', async () => {
    const { v1, v2 } = api(tokens)
    const mediaId = await v1.uploadMedia(png(12, 12), { mimeType: EUploadMimeType.Png })
    const { data: first } = await v2.tweet('Hello from a client', { media: { media_ids: [mediaId] } })
    assert.match(first.id, /^[0-9]{19}$/)
    assert.equal(first.text, 'Hello from a client')
    const { data: answer } = await v2.reply('An answer', first.id)
    const { data: quote } = await v2.quote('A quote', first.id)
    const poll = { options: ['Yes', 'No'], duration_minutes: 5 }
    const { data: asking } = await v2.tweet('A question', { poll })

    const one = await v2.singleTweet(answer.id, {
      expansions: ['author_id', 'referenced_tweets.id', 'referenced_tweets.id.attachments.media_keys'],
      'tweet.fields': ['created_at', 'conversation_id', 'public_metrics'],
      'user.fields': ['verified'],
      'media.fields': ['width', 'height'],
    })
    assert.equal(one.data.conversation_id, first.id)
    assert.match(one.data.created_at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)
    assert.deepEqual(one.data.referenced_tweets, [{ type: 'replied_to', id: first.id }])
    assert.deepEqual(one.data.edit_history_tweet_ids, [answer.id])
    assert.equal(one.data.author_id, user.id)
    assert.equal(one.includes?.users?.[0]?.username, user.screenName)
    assert.deepEqual(
      one.includes?.tweets?.map(({ id }) => id),
      [first.id],
    )
    assert.deepEqual(
      one.includes?.media?.map(({ type, width, height }) => [type, width, height]),
      [['photo', 12, 12]],
    )

    const all = await v2.tweets([asking.id, '456', quote.id], { expansions: ['attachments.poll_ids'] })
    assert.deepEqual(
      all.data.map(({ id }) => id),
      [asking.id, quote.id],
    )
    assert.deepEqual(
      all.includes?.polls?.[0]?.options.map(({ label }) => label),
      ['Yes', 'No'],
    )
    assert.equal(all.errors?.[0]?.detail, 'Could not find tweet with ids: [456].')

    const me = await v2.me({ 'user.fields': ['public_metrics'] })
    assert.deepEqual([me.data.id, me.data.username], [user.id, user.screenName])
    assert.equal(me.data.public_metrics?.tweet_count, 4)
    assert.equal((await v2.userByUsername(user.screenName)).data.id, user.id)
    assert.deepEqual(
      (await v2.usersByUsernames([user.screenName])).data.map(({ id }) => id),
      [user.id],
    )
    assert.deepEqual((await v2.user(user.id)).data.username, user.screenName)

    assert.deepEqual((await v2.deleteTweet(first.id)).data, { deleted: true })
    assert.equal((await v2.singleTweet(first.id)).errors?.[0]?.title, 'Not Found Error')
    await v2.tweet('Said twice')
    await assert.rejects(
      v2.tweet('Said twice'),
      (error: { code?: number; data?: { detail?: string } }) =>
        error.code === 403 &&
        error.data?.detail === 'You are not allowed to create a Tweet with duplicate content.',
    )
  })

  test('follows, blocks and mutes a user, and lists them', async () => {
    const { v2 } = api(tokens)
    const other = plaza.seeded?.users[1]
    assert.ok(other)
    assert.deepEqual((await v2.follow(user.id, other.id)).data, { following: true, pending_follow: false })
    const followers = await v2.followers(other.id, { asPaginator: true, max_results: 1 })
    assert.deepEqual(
      followers.users.map(({ id }) => id),
      [user.id],
    )
    assert.equal(followers.done, true)
    assert.deepEqual(
      (await v2.following(user.id, { 'user.fields': ['connection_status'] })).data.map((one) => [
        one.id,
        (one as { connection_status?: string[] }).connection_status,
      ]),
      [[other.id, ['following']]],
    )
    assert.deepEqual((await v2.unfollow(user.id, other.id)).data, { following: false })
    assert.deepEqual((await v2.mute(user.id, other.id)).data, { muting: true })
    assert.equal((await v2.userMutingUsers(user.id)).users[0]?.id, other.id)
    assert.deepEqual((await v2.unmute(user.id, other.id)).data, { muting: false })
    assert.deepEqual((await v2.block(user.id, other.id)).data, { blocking: true })
    assert.equal((await v2.userBlockingUsers(user.id)).users[0]?.id, other.id)
    assert.deepEqual((await v2.unblock(user.id, other.id)).data, { blocking: false })
  })

  test('likes, reposts, quotes, bookmarks and hides posts, and lists all of that', async () => {
    const { v2 } = api(tokens)
    const { data: post } = await v2.tweet('To react to')
    assert.deepEqual((await v2.like(user.id, post.id)).data, { liked: true })
    assert.equal((await v2.tweetLikedBy(post.id)).data[0]?.id, user.id)
    assert.equal((await v2.userLikedTweets(user.id, { max_results: 5 })).tweets[0]?.id, post.id)
    assert.deepEqual((await v2.unlike(user.id, post.id)).data, { liked: false })
    assert.equal((await v2.retweet(user.id, post.id)).data.retweeted, true)
    assert.equal((await v2.tweetRetweetedBy(post.id)).data[0]?.id, user.id)
    const counted = await v2.singleTweet(post.id, { 'tweet.fields': ['public_metrics'] })
    assert.equal(counted.data.public_metrics?.retweet_count, 1)
    assert.deepEqual((await v2.unretweet(user.id, post.id)).data, { retweeted: false })
    const { data: quote } = await v2.quote('A reaction', post.id)
    assert.deepEqual(
      (await v2.quotes(post.id, { max_results: 10 })).tweets.map(({ id }) => id),
      [quote.id],
    )
    assert.deepEqual((await v2.bookmark(post.id)).data, { bookmarked: true })
    assert.deepEqual(
      (await v2.bookmarks()).tweets.map(({ id }) => id),
      [post.id],
    )
    assert.deepEqual((await v2.deleteBookmark(post.id)).data, { bookmarked: false })
    const { data: reply } = await v2.reply('To hide', post.id)
    assert.deepEqual((await v2.hideReply(reply.id, true)).data, { hidden: true })
  })

  test('adds rules, reads the stream, and connects again by itself when the stream is ended', async () => {
    const bearer = await api({}).appLogin()
    const rule = await bearer.v2.updateStreamRules({ add: [{ value: 'axolotl', tag: 'pets' }] })
    // An app that adds its rules at each start goes on.
    const again = await bearer.v2.updateStreamRules({ add: [{ value: 'axolotl', tag: 'pets' }] })
    assert.deepEqual([again.meta.summary.not_created, again.errors?.length], [1, 1])
    assert.equal(rule.meta.summary.created, 1)
    const stream = await bearer.v2.searchStream({ 'tweet.fields': ['lang'], expansions: ['author_id'] })
    // A first attempt may come before the node has closed the former connection.
    Object.assign(stream, { autoReconnect: true, autoReconnectRetries: 100, nextRetryTimeout: () => 20 })
    const received: TweetV2SingleStreamResult[] = []
    stream.on(ETwitterStreamEvent.Data, (item: TweetV2SingleStreamResult) => void received.push(item))
    let reconnected = 0
    stream.on(ETwitterStreamEvent.Reconnected, () => reconnected++)
    const came = (text: string) => until(text, () => received.find((one) => one.data?.text === text))
    try {
      const { data: first } = await api(tokens).v2.tweet('An axolotl')
      const item = await came('An axolotl')
      assert.deepEqual([item.data.id, item.matching_rules[0]?.tag], [first.id, 'pets'])
      assert.equal(item.includes?.users?.[0]?.id, user.id)
      const ended = await bearer.v2.delete<{ data: { successful_kills: number } }>('connections/all')
      assert.equal(ended.data.successful_kills, 1)
      await until('the client connects again', () => reconnected > 0)
      await api(tokens).v2.tweet('A second axolotl')
      await came('A second axolotl')
    } finally {
      stream.close()
      await bearer.v2.updateStreamRules({ delete: { values: ['axolotl'] } } as never)
    }
  })

  test('pages through a search in both directions, and to its end', async () => {
    const { v2 } = api(tokens)
    const ids: string[] = []
    for (let index = 0; index < 23; index++) ids.unshift((await v2.tweet(`A numbat, ${index}`)).data.id)
    const search = (more: object = {}) =>
      v2.search('numbat', { max_results: 10, until_id: NO_LATER, ...more })
    const idsOf = ({ tweets }: Awaited<ReturnType<typeof search>>) => tweets.map(({ id }) => id)
    await until('the posts are found', async () => (await search({ max_results: 100 })).tweets.length === 23)
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString()
    for (const bounds of [{}, { start_time: anHourAgo }, { start_time: `${anHourAgo.slice(0, 19)}+00:00` }]) {
      const first = await search(bounds)
      assert.deepEqual(idsOf(first), ids.slice(0, 10))
      const second = await first.next()
      assert.deepEqual(idsOf(second), ids.slice(10, 20))
      assert.deepEqual(idsOf(await second.previous()), ids.slice(0, 10))
      const last = await second.next()
      assert.deepEqual([idsOf(last), last.done], [ids.slice(20), true])
      assert.deepEqual(idsOf(await last.next()), [])
      assert.deepEqual(idsOf(await (await last.previous()).next()), ids.slice(10, 20))

      const all = await search(bounds)
      await all.fetchNext()
      assert.deepEqual([idsOf(all), all.meta.oldest_id], [ids.slice(0, 20), ids[19]])
      await all.fetchLast()
      assert.deepEqual([idsOf(all), all.meta.result_count, all.done], [ids, 23, true])
      const seen: string[] = []
      for await (const { id } of await search(bounds)) seen.push(id)
      assert.deepEqual(seen, ids)
      await v2.tweet(`A late numbat ${Object.keys(bounds).length}`)
      const late = await until('the late post is found', async () => {
        const page = await first.previous()
        return page.tweets.length === 1 && page.tweets[0]
      })
      await v2.deleteTweet(late.id)
      await until('the late post is gone', async () => (await first.previous()).tweets.length === 0)
    }
    assert.ok((await search()).rateLimit.remaining < (await search()).rateLimit.limit)
  })

  test('pages through timelines', async () => {
    const { v2 } = api(tokens)
    const posts: string[] = []
    for (let index = 0; index < 6; index++)
      posts.unshift((await v2.tweet(`Page ${index} of @${plaza.seeded?.users[1]?.screenName}`)).data.id)
    const first = await v2.userTimeline(user.id, { max_results: 5, exclude: ['replies', 'retweets'] })
    assert.deepEqual(
      first.tweets.map(({ id }) => id),
      posts.slice(0, 5),
    )
    const second = await first.next()
    assert.equal(second.tweets[0]?.id, posts[5])
    assert.deepEqual(
      (await second.previous()).tweets.map(({ id }) => id),
      posts.slice(0, 5),
    )
    const home = await v2.homeTimeline({ max_results: 1, expansions: ['author_id'] })
    assert.equal(home.tweets[0]?.id, posts[0])
    assert.equal(home.includes.users[0]?.id, user.id)
    const mentions = await v2.userMentionTimeline(plaza.seeded?.users[1]?.id as string, { max_results: 5 })
    assert.equal(mentions.tweets[0]?.id, posts[0])
  })

  test('describes media for those who do not see them', async () => {
    const { v1, v2 } = api(tokens)
    const id = await v1.uploadMedia(png(11, 11), { mimeType: EUploadMimeType.Png })
    await v1.createMediaMetadata(id, { alt_text: { text: 'A square' } })
    const { data } = await v2.tweet('With a description', { media: { media_ids: [id] } })
    const shown = async () => {
      const fields = { expansions: ['attachments.media_keys'], 'media.fields': ['alt_text'] } as const
      const { includes } = await v2.singleTweet(data.id, fields as never)
      return includes?.media?.[0]?.alt_text
    }
    assert.equal(await shown(), 'A square')
    await v2.createMediaMetadata(id, { alt_text: { text: 'A smaller square' } })
    assert.equal(await shown(), 'A smaller square')
  })

  test('changes the own profile', async () => {
    const { v1 } = api(tokens)
    const changed = await v1.updateAccountProfile({ name: 'Renamed', location: 'Here' })
    assert.deepEqual([changed.id_str, changed.name, changed.location], [user.id, 'Renamed', 'Here'])
    assert.equal((await v1.verifyCredentials()).name, 'Renamed')
  })

  test('uploads an image, a GIF and videos in segments, and waits until they are ready', async () => {
    const { v1 } = api(tokens)
    const video = mp4(1280, 720, { bytes: 300_000 })
    for (const [content, mimeType, prefix] of [
      [png(40, 30), EUploadMimeType.Png, '3'],
      [gif(9, 9), EUploadMimeType.Gif, '16'],
      [video, EUploadMimeType.Mp4, '7'],
    ] as const) {
      const options = { mimeType, chunkLength: 100_000, maxConcurrentUploads: 2 }
      const medium = await v1.uploadMedia(content, options, true)
      assert.match(medium.media_id_string, /^[0-9]{19}$/)
      const told = await v1.mediaInfo(medium.media_id_string)
      assert.equal((told as { media_key?: string }).media_key, `${prefix}_${medium.media_id_string}`)
      assert.equal(told.size, content.length)
    }
    const long = await v1.uploadMedia(video, { mimeType: EUploadMimeType.Mp4, longVideo: true }, true)
    assert.match((long as { media_key?: string }).media_key ?? '', /^13_/)
    await assert.rejects(
      v1.uploadMedia(Buffer.from('no image'), { mimeType: EUploadMimeType.Png }),
      (error: { code?: number; hasErrorCode(code: number): boolean }) =>
        error.code === 400 && error.hasErrorCode(324),
    )
  })

  test('calls every method for lists', async () => {
    const { v2 } = api(tokens)
    const member = plaza.seeded?.users[1]?.id ?? ''
    const { data: older } = await v2.createList({ name: 'To read' })
    const { data: made } = await v2.createList({ name: 'Council', description: 'Who decides', private: true })
    assert.deepEqual(made, { id: made.id, name: 'Council' })
    assert.deepEqual((await v2.addListMember(made.id, member)).data, { is_member: true })
    assert.deepEqual((await v2.updateList(made.id, { name: 'The council', private: false })).data, {
      updated: true,
    })
    assert.deepEqual((await v2.subscribeToList(user.id, made.id)).data, { following: true })
    assert.deepEqual((await v2.pinList(user.id, made.id)).data, { pinned: true })
    const { data: list, includes } = await v2.list(made.id, {
      'list.fields': ['description', 'follower_count', 'member_count', 'owner_id', 'private'],
      expansions: ['owner_id'],
    })
    assert.deepEqual(list, {
      ...{ id: made.id, name: 'The council', description: 'Who decides', owner_id: user.id },
      ...{ follower_count: 1, member_count: 1, private: false },
    })
    assert.equal(includes?.users?.[0]?.username, user.screenName)
    const { data: post } = await v2.tweet('Of nobody in the list')
    const pages = {
      members: await v2.listMembers(made.id, { max_results: 1 }),
      followers: await v2.listFollowers(made.id),
      owned: await v2.listsOwned(user.id, { max_results: 1 }),
      memberships: await v2.listMemberships(member),
      followed: await v2.listFollowed(user.id),
    }
    assert.deepEqual(
      pages.members.users.map(({ id }) => id),
      [member],
    )
    assert.deepEqual(
      pages.followers.users.map(({ id }) => id),
      [user.id],
    )
    assert.deepEqual(
      pages.memberships.lists.map(({ id }) => id),
      [made.id],
    )
    assert.deepEqual(
      pages.followed.lists.map(({ id }) => id),
      [made.id],
    )
    assert.deepEqual(
      pages.owned.lists.map(({ id }) => id),
      [made.id],
    )
    await pages.owned.fetchLast(1)
    assert.deepEqual(
      pages.owned.lists.map(({ name }) => name),
      ['The council', 'To read'],
    )
    assert.deepEqual(
      (await v2.listTweets(made.id)).tweets.filter(({ id }) => id === post.id),
      [],
    )
    await v2.addListMember(made.id, user.id)
    assert.equal((await v2.listTweets(made.id, { max_results: 1 })).tweets[0]?.id, post.id)
    await until('a search by the list finds it', async () => {
      const found = await v2.search(`list:${made.id}`, { until_id: NO_LATER, max_results: 10 })
      return found.tweets.some(({ id }) => id === post.id)
    })
    assert.deepEqual((await v2.unpinList(user.id, made.id)).data, { pinned: false })
    assert.deepEqual((await v2.unsubscribeOfList(user.id, made.id)).data, { following: false })
    assert.deepEqual((await v2.removeListMember(made.id, member)).data, { is_member: false })
    for (const { id } of [made, older]) assert.deepEqual((await v2.removeList(id)).data, { deleted: true })
    assert.equal((await v2.list(made.id)).errors?.[0]?.title, 'Not Found Error')
  })

  test('uploads an image, a GIF and a video with version 2, describes and posts them', async () => {
    const { v2 } = api(tokens)
    const clip = mp4(1280, 720, { bytes: 300_000 })
    for (const [content, media_type, category, shown] of [
      [png(40, 30), EUploadMimeType.Png, undefined, { type: 'photo', prefix: '3', width: 40 }],
      [gif(9, 9), EUploadMimeType.Gif, 'tweet_gif', { type: 'animated_gif', prefix: '16', width: 9 }],
      [clip, EUploadMimeType.Mp4, undefined, { type: 'video', prefix: '7', width: 1280 }],
      [clip, EUploadMimeType.Mp4, 'amplify_video', { type: 'video', prefix: '13', width: 1280 }],
    ] as const) {
      const options = { media_type, ...(category && { media_category: category }) }
      const id = await v2.uploadMedia(content, options, 100_000)
      assert.match(id, /^[0-9]{19}$/)
      const described = await v2.createMediaMetadata(id, { alt_text: { text: `A ${shown.type}` } })
      assert.deepEqual(described.data, {
        id,
        associated_metadata: { alt_text: { text: `A ${shown.type}` } },
      })
      const { data } = await v2.tweet(`With ${id}`, { media: { media_ids: [id] } })
      const { includes } = await v2.singleTweet(data.id, {
        expansions: ['attachments.media_keys'],
        'media.fields': ['alt_text', 'width'],
      })
      assert.deepEqual(includes?.media, [
        {
          media_key: `${shown.prefix}_${id}`,
          type: shown.type,
          alt_text: `A ${shown.type}`,
          width: shown.width,
        },
      ])
    }
    // The declared type of an image may be another than that of its file.
    assert.match(await v2.uploadMedia(gif(3, 3), { media_type: EUploadMimeType.Png }), /^[0-9]{19}$/)
    await assert.rejects(
      v2.uploadMedia(clip, { media_type: EUploadMimeType.Png }),
      (error: ApiResponseError) =>
        error.code === 400 &&
        JSON.stringify(error.data).includes('The file is a video, which tweet_image does not hold.'),
    )
  })

  test('is told in its own error class what was rejected', async () => {
    const forged = api({ accessToken: 'nobody', accessSecret: 'nothing' })
    await assert.rejects(
      forged.v2.get('webhooks'),
      (error: { code?: number; hasErrorCode?: (code: number) => boolean }) => {
        assert.equal(error.code, 401)
        return true
      },
    )
  })
})
