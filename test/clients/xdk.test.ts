import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  ApiError,
  generateCodeChallenge,
  generateCodeVerifier,
  OAuth1,
  OAuth2,
  type OAuth2Token,
  type PaginatedResponse,
  PostPaginator,
  type Schemas,
  Client as Sdk,
  type StreamClient,
  UserPaginator,
} from '@xdevplatform/xdk'
import { Agent, buildConnector, type Dispatcher, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { createApp } from '../../src/identity/apps/apps.ts'
import { systemClock } from '../../src/platform/common/clock.ts'
import { Client } from '../support/client.ts'
import { NEWER_CLIENT_VOCABULARY } from '../support/client-words.ts'
import { gif, mp4, png, vtt } from '../support/media.ts'
import { startPlaza } from '../support/plaza.ts'
import { startReceiver } from '../support/receiver.ts'
import { makeCommunity } from '../support/communities.ts'
import { makeSpace } from '../support/spaces.ts'
import { until } from '../support/until.ts'
import { Visitor } from '../support/visitor.ts'

/** The client has its hosts built in, with an option for that of the API alone. */
const API = new Sdk({}).baseUrl
const HOST = new URL(API).hostname

/** By default, searches end some seconds ago. */
const NO_LATER = '9223372036854775807'
const CALLBACK = 'http://127.0.0.1:3000/callback'

/** What the client passes on from a stream: items as they were sent, and its own messages. */
interface Item {
  data?: Record<string, unknown>
  matching_rules?: { tag: string }[]
  includes?: { users?: { username: string }[] }
}

/** Collects what a stream of the client receives. */
function reading(stream: Awaited<ReturnType<Sdk['stream']['posts']>>) {
  const items: Item[] = []
  const reader = {
    items,
    isClosed: false,
    item: (id: string) => until(`item ${id}`, () => items.find(({ data }) => data?.id === id)),
  }
  stream.on('data', (item: Item) => void items.push(item))
  stream.on('close', () => {
    reader.isClosed = true
  })
  return reader
}

const failed = (status: number) => (error: unknown) => error instanceof ApiError && error.status === status

describe('@xdevplatform/xdk, unmodified', () => {
  let folder: string
  let plaza: Awaited<ReturnType<typeof startPlaza>>
  let dispatcher: Dispatcher
  let agent: Agent
  let browser: Client
  let app: NonNullable<typeof plaza.seeded>['apps'][number]
  let user: { id: string; screenName: string; password: string }
  let bearer: Sdk

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plaza-client-'))
    const vocabulary = join(folder, 'vocabulary.json')
    await writeFile(vocabulary, JSON.stringify(NEWER_CLIENT_VOCABULARY))
    const page = new URL(await signIn().getAuthorizationUrl('any')).origin
    plaza = await startPlaza(
      { vocabulary, coreUrl: API, coreAliases: [page], rateLimits: 'off' },
      { clock: systemClock, backgroundTasks: true },
    )
    const port = plaza.listening.core
    // The client calls `fetch`, which finds the names of the real hosts here.
    dispatcher = getGlobalDispatcher()
    agent = new Agent({ connect: toPlaza(plaza.caPem as string, port) })
    setGlobalDispatcher(agent)
    browser = new Client(plaza, { host: HOST, port })
    assert.ok(plaza.seeded?.apps[0] && plaza.seeded.users[0])
    app = plaza.seeded.apps[0]
    user = plaza.seeded.users[0]
    const keys = { consumerKey: app.consumerKey, consumerSecret: app.consumerSecret }
    bearer = new Sdk({ bearerToken: await browser.bearer(keys) })
  })
  after(async () => {
    setGlobalDispatcher(dispatcher)
    await agent.destroy()
    await browser.close()
    await plaza.close()
    await rm(folder, { recursive: true, force: true })
  })

  function toPlaza(ca: string, port: number): buildConnector.connector {
    const connect = buildConnector({ ca })
    return (options, callback) =>
      connect(
        options.hostname === HOST
          ? { ...options, hostname: '127.0.0.1', port: String(port), servername: HOST }
          : options,
        callback,
      )
  }

  function signIn(more: object = {}) {
    return new OAuth2({
      clientId: app?.clientId ?? 'any',
      redirectUri: CALLBACK,
      scope: ['tweet.read', 'tweet.write', 'users.read', 'like.read', 'like.write', 'offline.access'],
      ...more,
    })
  }

  async function signedIn(more: object = {}): Promise<{ oauth2: OAuth2; tokens: OAuth2Token }> {
    const oauth2 = signIn({ clientSecret: app.clientSecret, ...more })
    const verifier = generateCodeVerifier()
    await oauth2.setPkceParameters(verifier, await generateCodeChallenge(verifier))
    const page = new URL(await oauth2.getAuthorizationUrl('a state'))
    const answer = await new Visitor(browser).answer(API + page.pathname + page.search, user, 'approve')
    const back = new URL(answer.headers.location ?? '').searchParams
    assert.equal(back.get('state'), 'a state')
    return { oauth2, tokens: await oauth2.exchangeCode(back.get('code') ?? '', verifier) }
  }

  const newPublicApp = () =>
    plaza.context.store.write((tx) =>
      createApp(
        tx,
        {
          name: 'Paper Kite',
          website: 'https://app.example.com/',
          ownerUserId: user.id,
          callbacks: [CALLBACK],
          permission: 'read-write',
          kind: 'web',
          signIn: false,
          clientType: 'public',
        },
        plaza.context,
      ),
    )

  /** The app with the OAuth 1.0a token that the demo has. */
  function ofUser(): Sdk {
    const grant = app.grants[0]
    return new Sdk({
      oauth1: new OAuth1({
        apiKey: app.consumerKey,
        apiSecret: app.consumerSecret,
        callback: 'oob',
        accessToken: grant?.token ?? '',
        accessTokenSecret: grant?.secret ?? '',
      }),
    })
  }

  const publish = async (text: string) => (await ofUser().posts.create({ text })).data?.id as string

  test('signs a user in with OAuth 2.0 and PKCE, renews the tokens and acts within the scopes', async () => {
    const { oauth2, tokens } = await signedIn()
    assert.equal(tokens.expires_in, 7200)
    assert.equal(tokens.scope, 'tweet.read tweet.write users.read like.read like.write offline.access')
    const first = new Sdk({ accessToken: tokens.access_token })
    assert.equal((await first.users.getMe()).data?.id, user.id)
    const next = await oauth2.refreshToken()
    assert.notEqual(next.refresh_token, tokens.refresh_token)
    assert.equal(oauth2.isTokenExpired(), false)
    const { posts, users } = new Sdk({ accessToken: next.access_token })
    const { data } = await posts.create({ text: 'Posted with a scope' })
    const id = data?.id ?? ''
    assert.deepEqual((await users.likePost(user.id, { tweetId: id })).data, { liked: true })
    assert.deepEqual(
      (await users.getLikedPosts(user.id)).data?.map((one) => one.id),
      [id],
    )
    await assert.rejects(users.getBookmarks(user.id), failed(403))
    const counts = await posts.getCountsRecent('scope', { granularity: 'day' })
    assert.equal(counts.data?.length, 8)
    assert.deepEqual((await posts.delete(id)).data, { deleted: true })
    // The first refresh token was exchanged before: the whole grant ends.
    await assert.rejects(oauth2.refreshToken(tokens.refresh_token), /400.*invalid_request/)
    await assert.rejects(users.getMe(), failed(401))
  })

  test('signs a user in with OAuth 1.0a', async () => {
    const other = plaza.seeded?.users[1]
    assert.ok(other)
    const config = { apiKey: app.consumerKey, apiSecret: app.consumerSecret, callback: CALLBACK }
    const signing = new OAuth1(config)
    await signing.getRequestToken()
    const page = new URL(await signing.getAuthorizationUrl(false))
    const answer = await new Visitor(browser).answer(API + page.pathname + page.search, other, 'approve')
    const verifier = new URL(answer.headers.location ?? '').searchParams.get('oauth_verifier') ?? ''
    const token = await signing.getAccessToken(verifier)
    const { users } = new Sdk({ oauth1: new OAuth1({ ...config, ...token }) })
    assert.equal((await users.getMe()).data?.id, other.id)
  })

  test('signs a user in as a public client', async () => {
    const open = await newPublicApp()
    const { tokens } = await signedIn({ clientId: open.clientId, clientSecret: undefined })
    assert.equal((await new Sdk({ accessToken: tokens.access_token }).users.getMe()).data?.id, user.id)
  })

  test('posts, searches and pages through what it found', async () => {
    const ids: string[] = []
    for (let index = 0; index < 12; index++) ids.unshift(await publish(`An okapi, ${index}`))
    await until('the posts are found', async () => {
      const { data } = await bearer.posts.searchRecent('okapi', { maxResults: 100, untilId: NO_LATER })
      return data?.length === 12
    })
    const found = () =>
      new PostPaginator(async (paginationToken) => {
        const page = await bearer.posts.searchRecent('okapi', {
          maxResults: 10,
          untilId: NO_LATER,
          postFields: ['created_at'],
          expansions: ['author_id'],
          ...(paginationToken !== undefined && { paginationToken }),
        })
        return page as PaginatedResponse<Schemas.Post>
      })
    const first = found()
    await first.fetchNext()
    assert.deepEqual([first.posts.length, first.done], [10, false])
    assert.ok(first.posts[0]?.createdAt)
    assert.equal(first.includes?.users?.[0]?.username, user.screenName)
    const all: (string | undefined)[] = []
    for await (const { id } of found()) all.push(id)
    assert.deepEqual(all, ids)
    const [oldest, newest] = [ids.at(-1) ?? '', ids[0] ?? '']
    const second = await first.next()
    assert.deepEqual(
      second.items.map(({ id }) => id),
      ids.slice(10),
    )
    const since = {
      untilId: NO_LATER,
      sinceId: oldest,
      startTime: new Date(Date.now() - 3_600_000).toISOString(),
    }
    assert.equal((await bearer.posts.searchRecent('okapi', { ...since, maxResults: 100 })).data?.length, 11)
    const [whole] = (await bearer.posts.getByIds([newest], { postFields: ['public_metrics'] })).data ?? []
    assert.deepEqual(
      [whole?.publicMetrics?.repostCount, whole?.publicMetrics?.likeCount, whole?.editHistoryPostIds],
      [0, 0, [newest]],
    )
    const { data: counts } = await bearer.posts.getCountsRecent('okapi', { granularity: 'day' })
    assert.equal(counts?.length, 8)
  })

  test('takes every field and expansion that its types have', async () => {
    const id = await publish('An addax')
    const quote = await ofUser().posts.create({ text: 'Quoted', quoteTweetId: id })
    const postFields = [
      ...([
        'article',
        'article_title',
        'attachments',
        'card_uri',
        'community_id',
        'context_annotations',
      ] as const),
      ...([
        'conversation_id',
        'created_at',
        'display_text_range',
        'edit_controls',
        'entities',
        'geo',
      ] as const),
      ...(['id', 'lang', 'matched_media_notes', 'media_metadata', 'note_post', 'scopes', 'source'] as const),
      ...([
        'note_request_suggestions',
        'paid_partnership',
        'possibly_sensitive',
        'promoted_metrics',
      ] as const),
      ...(['public_metrics', 'reply_settings', 'suggested_source_links', 'text', 'withheld'] as const),
      'suggested_source_links_with_counts' as const,
    ]
    const userFields = [
      ...(['confirmed_email', 'connection_status', 'created_at', 'description', 'entities', 'id'] as const),
      ...(['is_identity_verified', 'location', 'name', 'parody', 'profile_banner_url', 'protected'] as const),
      ...(['profile_image_url', 'public_metrics', 'receives_your_dm', 'subscribes_to_you', 'url'] as const),
      ...(['subscription', 'subscription_type', 'username', 'verified', 'verified_followers_count'] as const),
      ...(['verified_type', 'withheld'] as const),
    ]
    const expansions = [
      ...(['article.cover_media', 'article.media_entities', 'attachments.media_keys', 'author_id'] as const),
      ...(['attachments.media_source_tweet', 'attachments.poll_ids', 'edit_history_post_ids'] as const),
      ...(['entities.mentions.username', 'geo.place_id', 'in_reply_to_user_id', 'username'] as const),
      'referenced_posts' as const,
    ]
    const found = await bearer.posts.getByIds([quote.data?.id ?? ''], { postFields, userFields, expansions })
    // Nothing else is refused: promoted metrics are readable for the author of a promoted post.
    assert.deepEqual(
      [...new Set(found.errors?.map((error) => 'field' in error && String(error.field).split('.')[0]))],
      ['promoted_metrics'],
    )
    assert.deepEqual(
      [found.includes?.posts?.map((one) => one.id), found.includes?.users?.[0]?.id],
      [[quote.data?.id, id], user.id],
    )
    const users = await bearer.users.getByIds([user.id], {
      userFields,
      postFields,
      expansions: ['affiliation', 'most_recent_post_id', 'pinned_post_id'],
    })
    assert.equal(users.includes?.posts?.[0]?.id, quote.data?.id)
  })

  test('keeps rules, reads the stream, and opens it again with what it missed', async () => {
    const added = await bearer.stream.updateRules({ add: [{ value: 'quokka', tag: 'pets' }] })
    assert.equal(added.meta?.summary?.created, 1)
    const { data: rules } = await bearer.stream.getRules()
    assert.deepEqual(
      rules?.map(({ value, tag }) => [value, tag]),
      [['quokka', 'pets']],
    )
    assert.deepEqual((await bearer.stream.getRuleCounts()).data?.clientAppRulesCount?.ruleCount, 1)
    const options: Parameters<StreamClient['posts']>[0] = {
      tweetFields: ['created_at', 'edit_history_tweet_ids'],
      expansions: ['author_id', 'referenced_tweets.id'],
      userFields: ['username'],
    }
    const first = reading(await bearer.stream.posts(options))
    const id = await publish('A quokka')
    const item = await first.item(id)
    assert.equal(item.matching_rules?.[0]?.tag, 'pets')
    assert.equal(item.includes?.users?.[0]?.username, user.screenName)
    assert.match(String(item.data?.created_at), /Z$/)
    assert.deepEqual(item.data?.edit_history_post_ids, [id])

    const { data: connections } = await bearer.connections.getConnectionHistory({ status: 'active' })
    assert.equal(connections?.length, 1)
    const ended = await bearer.connections.deleteAll()
    assert.equal((ended.data as { successfulKills?: number }).successfulKills, 1)
    await until('the stream is closed', () => first.isClosed)
    const missed = await publish('A second quokka')
    const second = reading(await bearer.stream.posts({ ...options, backfillMinutes: 1 }))
    await second.item(missed)
    await bearer.connections.deleteAll()
    await until('the stream is closed again', () => second.isClosed)
    const { meta } = await bearer.stream.updateRules({ delete: { values: ['quokka'] } })
    assert.equal(meta?.summary?.deleted, 1)
    const back = await bearer.stream.updateRules({ add: rules as { value: string }[] })
    assert.equal(back.meta?.summary?.created, 1)
    const none = await bearer.stream.updateRules({} as never, { deleteAll: true })
    assert.equal(none.meta?.summary?.deleted, 1)
  })

  test('subscribes to activities, and reads them on the stream and at a webhook', async () => {
    const receiver = await startReceiver(app.consumerSecret)
    const { webhooks, activity, stream } = bearer
    try {
      const { data: webhook } = (await webhooks.create({ url: receiver.url })) as { data?: { id: string } }
      assert.deepEqual(
        (await webhooks.get({ webhookConfigFields: ['url', 'valid'] })).data?.map((one) => [
          one.url,
          one.valid,
        ]),
        [[receiver.url, true]],
      )
      assert.deepEqual((await webhooks.validate(webhook?.id ?? '')).data, { attempted: true })

      const created = await activity.createSubscription({
        eventType: 'post.create',
        filter: { userId: user.id },
        tag: 'mine',
        webhookId: webhook?.id ?? '',
      })
      const id = created.data?.subscription?.subscriptionId ?? ''
      const reader = reading(await stream.activity())
      const post = await publish('Something happened')
      const seen = await until('the activity arrives', () =>
        reader.items.find(({ data }) => data?.event_type === 'post.create'),
      )
      assert.deepEqual(
        [seen.data?.tag, (seen.data?.payload as { id: string } | undefined)?.id],
        ['mine', post],
      )
      const delivery = await until('the delivery arrives', () => receiver.deliveries[0])
      assert.equal(delivery.trusted, true)
      assert.equal(JSON.parse(delivery.body).data.payload.id, post)

      const loaded = (await activity.getSubscriptions()).data?.[0]
      const changed = await activity.updateSubscription(id, { ...loaded, tag: 'changed' } as { tag: string })
      assert.equal(changed.data?.subscription?.tag, 'changed')
      const { data: listed } = await activity.getSubscriptions({ maxResults: 1 })
      assert.deepEqual(
        listed?.map((one) => [one.subscriptionId, one.tag]),
        [[id, 'changed']],
      )
      assert.deepEqual((await activity.deleteSubscription(id)).data?.deleted, true)
      const other = await activity.createSubscription({
        eventType: 'post.delete',
        filter: { userId: user.id },
      })
      await activity.deleteSubscriptionsByIds([other.data?.subscription?.subscriptionId ?? ''])
      assert.deepEqual((await activity.getSubscriptions()).data ?? [], [])

      const minute = (ago: number) =>
        new Date(Date.now() - ago * 60_000)
          .toISOString()
          .replace(/[^0-9]/g, '')
          .slice(0, 12)
      const replay = await webhooks.createWebhookReplayJob({
        webhookId: webhook?.id ?? '',
        fromDate: minute(120),
        toDate: minute(60),
      })
      assert.match((replay.data as { jobId?: string }).jobId ?? '', /^[0-9]+$/)
      await until('the job is told', () => receiver.deliveries.some(({ body }) => body.includes('Complete')))
      assert.deepEqual((await webhooks.delete(webhook?.id ?? '')).data, { deleted: true })
      assert.deepEqual((await webhooks.get()).data, [])
    } finally {
      await bearer.connections.deleteAll()
      await receiver.close()
    }
  })

  test('follows a user, writes to them, and pages through who follows', async () => {
    const { users, directMessages } = ofUser()
    const other = plaza.seeded?.users[1]?.id ?? ''
    assert.equal((await users.followUser(user.id, { targetUserId: other })).data?.following, true)
    const followers = new UserPaginator(async (paginationToken) => {
      const page = await bearer.users.getFollowers(other, {
        maxResults: 1,
        ...(paginationToken !== undefined && { paginationToken }),
      })
      return page as PaginatedResponse<Schemas.User>
    })
    for await (const one of followers) assert.equal(one.id, user.id)
    assert.equal(followers.users.length, 1)
    assert.equal((await users.unfollowUser(user.id, other)).data?.following, false)

    const sent = await directMessages.createByParticipantId(other, { text: 'Hello' })
    const { data: events } = await directMessages.getEventsByParticipantId(other, {
      dmEventFields: ['dm_conversation_id', 'text'],
    })
    assert.deepEqual(
      events?.map((one) => [one.id, one.text]),
      [[(sent.data as { dmEventId?: string }).dmEventId, 'Hello']],
    )
    assert.deepEqual((await directMessages.deleteEvents(events?.[0]?.id ?? '')).data, { deleted: true })
  })

  test('reads the usage, spaces and news', async () => {
    const space = await makeSpace(plaza.context, { creatorId: user.id, title: 'Okapis live' })
    assert.equal(Number((await bearer.usage.get({ days: 1 })).data?.projectCap), 10_000_000)
    const fields = { spaceFields: ['title'], expansions: ['topic_ids'], topicFields: ['name'] }
    assert.equal((await bearer.spaces.getById(space.id, fields as object)).data?.title, 'Okapis live')
    assert.deepEqual(
      (await bearer.spaces.search('okapis')).data?.map(({ id }) => id),
      [space.id],
    )
    assert.deepEqual((await bearer.news.search('okapi')).data ?? [], [])
  })

  test('uploads an image, a GIF and a video, describes, posts and looks them up', async () => {
    const { media, posts } = ofUser()
    const image = png(40, 30)
    const whole = async (content: Buffer, mediaCategory: 'tweet_image' | 'tweet_gif' | 'subtitles') =>
      (await media.upload({ media: content.toString('base64'), mediaCategory })).data
    const photo = await whole(image, 'tweet_image')
    assert.deepEqual(
      [photo?.mediaKey, photo?.size, photo?.image],
      [`3_${photo?.id}`, image.length, { imageType: 'image/png', w: 40, h: 30 }],
    )
    const moving = await whole(gif(9, 9), 'tweet_gif')
    assert.equal(moving?.processingInfo?.state, 'pending')
    const film = await inSegments(media, mp4(1280, 720, { bytes: 300_000 }))
    for (const [medium, type] of [
      [photo, 'photo'],
      [moving, 'animated_gif'],
      [film, 'video'],
    ] as const) {
      const id = medium?.id ?? ''
      const mediaKey = medium?.mediaKey ?? ''
      if (type !== 'photo')
        await until(`the ${type} is ready`, async () => {
          const { data } = await media.getUploadStatus(id, { command: 'STATUS' })
          return data?.processingInfo?.state === 'succeeded'
        })
      const metadata = { altText: { text: `A ${type}` } }
      const described = await media.createMetadata({ id, metadata })
      assert.deepEqual(described.data?.associatedMetadata, metadata)
      const post = (await posts.create({ text: `With a ${type}`, media: { mediaIds: [id] } })).data?.id ?? ''
      const shown = { mediaKey, type, altText: `A ${type}` }
      const { includes } = await posts.getById(post, {
        expansions: ['attachments.media_keys'],
        mediaFields: ['alt_text'],
      })
      assert.deepEqual(includes?.media, [shown])
      assert.deepEqual((await bearer.media.getByKey(mediaKey, { mediaFields: ['alt_text'] })).data, shown)
    }
    const keys = [film?.mediaKey ?? '', photo?.mediaKey ?? '']
    assert.deepEqual(
      (await bearer.media.getByKeys(keys)).data?.map((one) => one.mediaKey),
      keys,
    )
    const words = await whole(vtt(), 'subtitles')
    const subtitles = { id: words?.id ?? '', languageCode: 'EN', displayName: 'English' }
    const ofFilm = { id: film?.id ?? '', mediaCategory: 'TweetVideo' as const }
    const added = await media.createSubtitles({ ...ofFilm, subtitles })
    assert.deepEqual(added.data, { ...ofFilm, associatedSubtitles: [subtitles] })
    const removed = await media.deleteSubtitles({ ...ofFilm, languageCode: 'EN' })
    assert.deepEqual(removed.data, { deleted: true })
    await assert.rejects(whole(image, 'tweet_gif'), failed(400))
  })

  /** A video in segments of 100,000 bytes. */
  async function inSegments(media: Sdk['media'], content: Buffer) {
    const { data: begun } = await media.initializeUpload({
      mediaCategory: 'tweet_video',
      mediaType: 'video/mp4',
      totalBytes: content.length,
    })
    const id = begun?.id ?? ''
    for (let segmentIndex = 0; segmentIndex * 100_000 < content.length; segmentIndex++) {
      const segment = content.subarray(segmentIndex * 100_000, (segmentIndex + 1) * 100_000)
      const appended = await media.appendUpload(id, { media: segment.toString('base64'), segmentIndex })
      assert.ok(Number(appended.data?.expiresAt) > Date.now() / 1000)
    }
    return (await media.finalizeUpload(id)).data
  }

  test('evaluates, writes, lists and deletes community notes', async () => {
    const { communityNotes } = ofUser()
    const postId = await publish('A claim about okapis')
    const noteText = 'Okapis are giraffids: https://example.com/okapi'
    const score = (await communityNotes.evaluate({ postId, noteText })).data as { claimOpinionScore?: number }
    assert.equal(typeof score?.claimOpinionScore, 'number')
    const eligible = await communityNotes.searchEligiblePosts(true, {
      maxResults: 5,
      postFields: ['created_at'],
    })
    assert.equal(eligible.meta?.resultCount, eligible.data?.length ?? 0)
    const note = await communityNotes.create({
      testMode: true,
      postId,
      info: {
        text: noteText,
        classification: 'misinformed_or_potentially_misleading',
        misleadingTags: ['disputed_claim_as_fact'],
        trustworthySources: true,
      },
    } as Parameters<typeof communityNotes.create>[0])
    const { id } = note.data as { id: string }
    const { data: written } = await communityNotes.searchWritten(true, { noteFields: ['id', 'status'] })
    assert.deepEqual(
      written?.map((one) => one.id),
      [id],
    )
    assert.deepEqual((await communityNotes.delete(id)).data, { deleted: true })
  })

  test('reads and searches communities', async () => {
    const id = await makeCommunity(plaza.context, { name: 'Okapi keepers' })
    const { communities } = ofUser()
    const communityFields = ['access' as const, 'member_count' as const]
    assert.deepEqual((await communities.getById(id, { communityFields })).data, {
      ...{ id, name: 'Okapi keepers', access: 'Public', memberCount: 0 },
    })
    assert.equal((await communities.search('okapi')).data?.[0]?.id, id)
  })

  test('keeps lists: changes, members, follows, pins and their posts', async () => {
    const { lists, users } = ofUser()
    const id = (await lists.create({ name: 'Council', private: true })).data?.id ?? ''
    assert.deepEqual((await lists.update(id, { private: false, description: 'Who decides' })).data, {
      updated: true,
    })
    assert.deepEqual((await lists.addMember(id, { userId: user.id })).data, { isMember: true })
    assert.deepEqual((await users.followList(user.id, { listId: id })).data, { following: true })
    assert.deepEqual((await users.pinList(user.id, { listId: id })).data, { pinned: true })
    const { data: list, includes } = await bearer.lists.getById(id, {
      listFields: ['description', 'member_count', 'private'],
      expansions: ['owner_id'],
    })
    const { ownerId, ...shown } = list as { ownerId?: string }
    assert.deepEqual(shown, {
      ...{ id, name: 'Council', description: 'Who decides', memberCount: 1, private: false },
    })
    assert.deepEqual([ownerId, includes?.users?.[0]?.id], [user.id, user.id])
    assert.equal((await bearer.lists.getMembers(id, { maxResults: 1 })).data?.[0]?.id, user.id)
    assert.equal((await bearer.lists.getFollowers(id)).data?.[0]?.id, user.id)
    const post = await publish('Of a member of a list')
    assert.equal((await bearer.lists.getPosts(id, { maxResults: 1 })).data?.[0]?.id, post)
    for (const found of [
      await users.getOwnedLists(user.id, { maxResults: 1 }),
      await users.getFollowedLists(user.id),
      await users.getPinnedLists(user.id),
      await users.getListMemberships(user.id),
    ])
      assert.equal(found.data?.[0]?.id, id)
    assert.deepEqual((await users.unpinList(user.id, id)).data, { pinned: false })
    assert.deepEqual((await users.unfollowList(user.id, id)).data, { following: false })
    assert.deepEqual((await lists.removeMemberByUserId(id, user.id)).data, { isMember: false })
    assert.deepEqual((await lists.delete(id)).data, { deleted: true })
  })

  test('is told in its own error class what was rejected', async () => {
    const nobody = new Sdk({ bearerToken: 'nobody' })
    await assert.rejects(nobody.users.getByUsername('demo'), failed(401))
    await assert.rejects(bearer.posts.searchRecent(''), (error) => {
      assert.ok(error instanceof ApiError)
      assert.deepEqual([error.status, error.data.title], [400, 'Invalid Request'])
      return true
    })
    const missing = await bearer.posts.getById('456')
    assert.equal(missing.errors?.[0]?.title, 'Not Found Error')
  })
})
