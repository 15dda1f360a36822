import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect } from 'node:tls'
import { EUploadMimeType, TwitterApi } from 'twitter-api-v2'
import globals from 'twitter-api-v2/dist/cjs/globals.js'
import { systemClock } from '../../src/common/clock.ts'
import { Client } from '../support/client.ts'
import { startConsumer } from '../support/consumer.ts'
import { gif, mp4, png } from '../support/media.ts'
import { startPlaza } from '../support/plaza.ts'
import { Visitor } from '../support/visitor.ts'

/** The words that the client speaks where Plaza is neutral. */
const VOCABULARY = {
  words: { post: 'tweet', posts: 'tweets', service: 'twitter', svc: 'twitter' },
  identifiers: { svc_auth_access_type: 'x_auth_access_type' },
}

const HOST = new URL(globals.API_V2_PREFIX).hostname
/** It sends uploads to a host of their own. */
const UPLOADS = new URL(globals.API_V1_1_UPLOAD_PREFIX).origin

describe('twitter-api-v2, unmodified', () => {
  let folder: string
  let plaza: Awaited<ReturnType<typeof startPlaza>>
  let agent: Agent
  let browser: Client
  let app: { appKey: string; appSecret: string }
  let user: { id: string; screenName: string; password: string }
  /** Of the last sign-in: each app holds one token for a user, and another access level takes the place of the former. */
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
    const port = plaza.listening[0]?.port as number
    agent = new Agent({ ca: plaza.caPem as string })
    agent.createConnection = ((options: object) =>
      connect({
        ...options,
        host: '127.0.0.1',
        port,
        servername: HOST,
      })) as unknown as typeof agent.createConnection
    browser = new Client(plaza, { host: HOST, port })
    const seeded = plaza.seeded
    assert.ok(seeded?.apps[0] && seeded.users[0])
    app = { appKey: seeded.apps[0].consumerKey, appSecret: seeded.apps[0].consumerSecret }
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
