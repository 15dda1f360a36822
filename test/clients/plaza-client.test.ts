import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Agent, fetch as undiciFetch } from 'undici'
import { type RunningPlaza, startPlaza } from '../../src/app/index.ts'
import {
  AdsError,
  appOnly,
  authorizeUrl,
  basic,
  bearer,
  type Client,
  type ClientOptions,
  ConnectionError,
  createClient,
  exchangeCode,
  LegacyError,
  OAuth2Error,
  type OAuth2Tokens,
  oauth1,
  oauth2,
  ProblemError,
  pkce,
  randomState,
  type SignatureKeys,
  uploadMedia,
} from '../../src/client/index.ts'
import { Client as Browser } from '../support/client.ts'
import { gif, mp4, png } from '../support/media.ts'
import { until } from '../support/until.ts'
import { consent, REDIRECT } from '../support/user-tokens.ts'
import { Visitor, verifierOf } from '../support/visitor.ts'

/** Searches end some seconds ago, unless they name a later end. */
const NO_LATER = '9223372036854775807'
const TEXT = "Ünïcode & (marks) + 100% !*'"

describe('plaza/client', () => {
  let plaza: RunningPlaza
  let client: Client
  let asApp: Client
  let keys: Required<SignatureKeys>
  let browser: Browser

  const with_ = (options: Partial<ClientOptions> = {}) =>
    createClient({ urls: plaza.urls, ca: plaza.ca, ...options })
  const user = () => plaza.users[0] as RunningPlaza['users'][number]
  const app = () => plaza.apps[0] as RunningPlaza['apps'][number]

  before(async () => {
    plaza = await startPlaza({ seedPopulation: 0, ffmpeg: 'none' })
    const { consumerKey, consumerSecret } = app()
    const [token] = user().tokens
    assert.ok(token)
    keys = { consumerKey, consumerSecret, token: token.token, tokenSecret: token.secret }
    client = with_({ auth: oauth1(keys) })
    asApp = client.with({ auth: appOnly(keys) })
    browser = new Browser({ urls: plaza.urls, caPem: plaza.ca } as never)
  })
  after(async () => {
    await browser.close()
    await client.close()
    await plaza.close()
  })

  describe('calls', () => {
    test('a user signs a JSON body, a query with lists and marks, and a path', async () => {
      const created = await client.core.createPost({ text: TEXT })
      const { id } = created.data
      const read = await client.core.getPost({
        id,
        'post.fields': ['created_at', 'author_id'],
        expansions: ['author_id'],
      })
      assert.equal(read.data?.text, TEXT)
      assert.equal(read.includes?.users?.[0]?.id, user().id)
      assert.deepEqual(await client.core.deletePost({ id }), { data: { deleted: true } })
    })

    test('an app gets its bearer at its first call, once', async () => {
      const sent: string[] = []
      const trusting = fetchTrusting(plaza.ca)
      const counting: typeof fetch = (input, init) => {
        sent.push(`${init?.method} ${new URL(String(input)).pathname}`)
        return trusting(input, init)
      }
      const one = createClient({ urls: plaza.urls, fetch: counting, auth: appOnly(keys) })
      const name = { username: 'demo' }
      const replies = await Promise.all([one.core.getUserByUsername(name), one.core.getUserByUsername(name)])
      assert.deepEqual(
        replies.map(({ data }) => data?.id),
        [user().id, user().id],
      )
      assert.deepEqual(sent.sort(), [
        'GET /2/users/by/username/demo',
        'GET /2/users/by/username/demo',
        'POST /oauth2/token',
      ])
    })

    test('a bearer that was invalidated is requested again', async () => {
      const auth = appOnly(keys)
      const one = client.with({ auth })
      await one.core.listWebhooks()
      const { access_token } = await client.core.bearerToken(
        { grant_type: 'client_credentials' },
        { auth: basic(keys.consumerKey, keys.consumerSecret) },
      )
      await client.core.invalidateBearer(
        { access_token: decodeURIComponent(access_token) },
        { auth: basic(keys.consumerKey, keys.consumerSecret) },
      )
      assert.deepEqual((await one.core.listWebhooks()).data, [])
    })

    test('the advertising API takes forms, whole bodies, and has a sandbox', async () => {
      const account_id = String(plaza.accounts.find(({ environment }) => environment === 'production')?.id)
      const { data: funding } = await client.ads.listFundingInstruments({ account_id })
      const funding_instrument_id = String(funding[0]?.id)
      const { data: campaign } = await client.ads.createCampaign({
        account_id,
        name: 'Spring & summer (100%)',
        funding_instrument_id,
        daily_budget_amount_local_micro: 55_500_000,
        entity_status: 'PAUSED',
      })
      assert.equal(campaign.name, 'Spring & summer (100%)')
      const batch = await client.ads.batchCampaigns({
        account_id,
        body: [
          {
            operation_type: 'Create',
            params: { name: 'Second', funding_instrument_id, daily_budget_amount_local_micro: 1_000_000 },
          },
        ],
      })
      assert.equal(batch.data[0]?.name, 'Second')
      const listed = await client.ads.listCampaigns({ account_id, campaign_ids: [campaign.id] })
      assert.deepEqual(
        listed.data.map(({ id }) => id),
        [campaign.id],
      )
      const { data: account } = await client.sandbox.createAccount()
      assert.match(account.id, /^[0-9a-z]+$/)
    })

    test('replies without a body and forms are values', async () => {
      const other = plaza.users[1] as RunningPlaza['users'][number]
      assert.equal(await client.core.indicateTyping({ recipient_id: other.id }), undefined)
      const pending = await client.core.requestToken(
        { oauth_callback: REDIRECT },
        {
          auth: oauth1({ consumerKey: keys.consumerKey, consumerSecret: keys.consumerSecret }),
        },
      )
      assert.match(pending.oauth_token, /^\S{20,}$/)
    })

    test('integers beyond 2^53 stay exact, in replies and in requests', async () => {
      const server = await echo()
      const one = createClient({ urls: { core: server.url } })
      const reply = await one.core.createWebhook({ url: 9_007_199_254_740_993n as never })
      assert.deepEqual(reply, { text: '{"url":9007199254740993}', number: 9_007_199_254_740_993n })
      server.close()
    })

    test('every operation of the documents is a method, on the hosts that have it', () => {
      for (const [name, groups] of Object.entries({
        core: [client.core],
        ads: [client.ads, client.sandbox],
      })) {
        const url = new URL(`../../openapi/${name}.json`, import.meta.url)
        const { paths } = JSON.parse(readFileSync(url, 'utf8')) as {
          paths: Record<string, Record<string, { operationId: string }>>
        }
        const ids = Object.values(paths).flatMap((item) => Object.values(item).map((one) => one.operationId))
        for (const group of groups) assert.deepEqual(Object.keys(group).sort(), ids.sort())
      }
    })

    test('a parameter of the path that is missing, or a URL, is named', async () => {
      await assert.rejects(client.core.getPost({} as never), /^TypeError: getPost needs the parameter id$/)
      const one = createClient({ urls: { core: plaza.urls.core }, ca: plaza.ca })
      await assert.rejects(one.ads.listAccounts(), /^TypeError: urls.ads is needed/)
    })

    test('an alias is the same operation on another path', async () => {
      const { access_token } = await client.core.bearerToken(
        { grant_type: 'client_credentials' },
        { auth: basic(keys.consumerKey, keys.consumerSecret) },
      )
      const one = client.with({ auth: bearer(access_token) })
      assert.deepEqual(await one.core.listStreamWebhooks2(), await one.core.listStreamWebhooks())
    })
  })

  describe('signing in', () => {
    test('with OAuth 1.0a: three calls and a page', async () => {
      const { consumerKey, consumerSecret } = keys
      const pending = await client.core.requestToken(
        { oauth_callback: REDIRECT },
        { auth: oauth1({ consumerKey, consumerSecret }) },
      )
      const page = `${plaza.urls.core}/oauth/authorize?oauth_token=${pending.oauth_token}`
      const answered = await new Visitor(browser).answer(page, user(), 'approve')
      const granted = await client.core.accessToken(
        { oauth_verifier: verifierOf(answered) },
        {
          auth: oauth1({
            consumerKey,
            consumerSecret,
            token: pending.oauth_token,
            tokenSecret: pending.oauth_token_secret,
          }),
        },
      )
      assert.equal(granted.user_id, user().id)
      keys = { ...keys, token: granted.oauth_token, tokenSecret: granted.oauth_token_secret }
      client = client.with({ auth: oauth1(keys) })
      assert.equal((await client.core.getOwnUser()).data?.username, 'demo')
    })

    /** From the page to the tokens of the user. */
    async function signIn(): Promise<OAuth2Tokens> {
      const { clientId = '', clientSecret } = app()
      const { verifier, challenge } = await pkce()
      const state = randomState()
      const scopes = ['post.read', 'users.read', 'offline.access']
      const page = authorizeUrl(plaza.urls.core, {
        clientId,
        redirectUri: REDIRECT,
        scopes,
        state,
        challenge,
      })
      const answer = await consent(browser, page, user())
      assert.equal(answer.get('state'), state)
      const code = answer.get('code') ?? ''
      return exchangeCode(client, { clientId, clientSecret, code, redirectUri: REDIRECT, verifier })
    }

    test('the challenge is the digest of the verifier', async () => {
      const { verifier, challenge } = await pkce()
      assert.equal(challenge, createHash('sha256').update(verifier).digest('base64url'))
      assert.match(verifier, /^[\w-]{64}$/)
    })

    test('an OAuth 2.0 token that has ended is refreshed once, for all calls at a time', async () => {
      const { clientId = '', clientSecret } = app()
      const tokens = await signIn()
      const renewed: OAuth2Tokens[] = []
      const one = client.with({
        auth: oauth2({ clientId, clientSecret, ...tokens, onTokens: (given) => void renewed.push(given) }),
      })
      assert.equal((await one.core.getOwnUser()).data?.id, user().id)
      assert.equal(renewed.length, 0)
      await plaza.clock.advance('3h')
      const replies = await Promise.all([one.core.getOwnUser(), one.core.getOwnUser(), one.core.getOwnUser()])
      assert.deepEqual(
        replies.map(({ data }) => data?.id),
        Array(3).fill(user().id),
      )
      assert.equal(renewed.length, 1)
      assert.notEqual(renewed.at(0)?.refreshToken, tokens.refreshToken)
      await plaza.clock.advance('3h')
      await one.core.getOwnUser()
      assert.equal(renewed.length, 2)
    })

    test('a refresh that is rejected rejects the calls that wait for it', async () => {
      const { clientId = '', clientSecret } = app()
      const auth = oauth2({ clientId, clientSecret, accessToken: 'ended', refreshToken: 'used before' })
      const one = client.with({ auth })
      for (const outcome of await Promise.allSettled([one.core.getOwnUser(), one.core.getOwnUser()])) {
        assert.ok(outcome.status === 'rejected' && outcome.reason instanceof OAuth2Error)
        assert.equal(outcome.reason.code, 'invalid_request')
      }
    })
  })

  describe('errors', () => {
    test('a Problem has its kind, its parameters, and the rate limit with its end', async () => {
      const error = await rejected(client.core.getPost({ id: 'abc' }), ProblemError)
      assert.equal(error.status, 400)
      assert.equal(error.kind, 'invalid-request')
      assert.deepEqual(error.problem.errors?.[0]?.parameters, { id: ['abc'] })
      assert.match(error.message, /^GET https:\S+\/2\/posts\/abc: 400 The `id` path parameter value \[abc\]/)
      assert.match(String(error.transactionId), /^[0-9a-f]{16}$/)
      const { limit = 0, remaining = 0, resetAt } = error.limits.call ?? {}
      assert.ok(limit > 0 && remaining < limit)
      const now = await plaza.clock.now()
      assert.ok(Number(resetAt) > now.getTime() - 1000 && Number(resetAt) <= now.getTime() + 901_000)
    })

    test('a legacy error has its code', async () => {
      const wrong = client.with({ auth: oauth1({ ...keys, tokenSecret: 'wrong' }) })
      const error = await rejected(wrong.core.verifyCredentials(), LegacyError)
      assert.deepEqual([error.status, error.code], [401, 32])
    })

    test('an error of the advertising API has its code, and those of each operation of a batch', async () => {
      const account_id = String(plaza.accounts[0]?.id)
      const error = await rejected(
        client.ads.createCampaign({ account_id, name: 'x', funding_instrument_id: 'none' }),
        AdsError,
      )
      assert.ok(error.errors.length > 0 && error.code === error.errors[0]?.code)
      const body = [{ operation_type: 'Update' as const, params: { campaign_id: 'none' } }]
      const batch = await rejected(client.ads.batchCampaigns({ account_id, body: body as never }), AdsError)
      assert.ok(batch.operationErrors[0]?.[0]?.code)
    })

    test('a server that cannot be reached, or does not answer in time, is a ConnectionError', async () => {
      const closed = await echo()
      closed.close()
      const one = createClient({ urls: { core: closed.url } })
      assert.match((await rejected(one.core.oauthMetadata(), ConnectionError)).message, /ECONNREFUSED/)
      const silent = createServer(() => undefined).listen(0, '127.0.0.1')
      await until('the server', () => silent.listening)
      const { port } = silent.address() as AddressInfo
      const two = createClient({ urls: { core: `http://127.0.0.1:${port}` } })
      const late = await rejected(two.core.oauthMetadata({}, { timeoutMs: 50 }), ConnectionError)
      assert.match(late.message, /no reply within 50 ms$/)
      const given = AbortSignal.abort(new Error('not wanted any more'))
      await assert.rejects(two.core.oauthMetadata({}, { signal: given }), /^Error: not wanted any more$/)
      silent.closeAllConnections()
      silent.close()
    })

    test('a certificate that no one trusts is a ConnectionError', async () => {
      const one = createClient({ urls: plaza.urls })
      assert.match((await rejected(one.core.oauthMetadata(), ConnectionError)).message, /certificate/)
    })
  })

  describe('repeating calls', () => {
    test('429 and 503 are repeated as often as the option says, after the time that they state', async () => {
      const server = await scripted([
        { status: 503, headers: { 'retry-after': '0' } },
        {
          status: 429,
          headers: { 'x-rate-limit-limit': '1', 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': '1' },
        },
        { status: 200 },
      ])
      const one = createClient({ urls: { core: server.url }, retry: { attempts: 2 } })
      const seen: number[] = []
      const onReply = ({ status }: { status: number }) => void seen.push(status)
      assert.deepEqual(await one.core.listWebhooks({}, { onReply }), { data: [] })
      assert.deepEqual(seen, [503, 429, 200])
      server.close()
    })

    test('a call is not repeated without the option, nor when its limit starts again too late', async () => {
      const headers = { 'retry-after': '3600' }
      const server = await scripted([
        { status: 503, headers },
        { status: 503, headers },
      ])
      const one = createClient({ urls: { core: server.url } })
      await assert.rejects(one.core.listWebhooks(), /503/)
      await assert.rejects(one.core.listWebhooks({}, { retry: { attempts: 5, maxWaitMs: 1000 } }), /503/)
      assert.equal(server.calls(), 2)
      server.close()
    })

    test('a limit of Plaza that is used up rejects with the time when it starts again', async () => {
      const wrong = client.with({ auth: appOnly(keys) })
      const { limits } = await new Promise<{ limits: ProblemError['limits'] }>((resolve, reject) => {
        wrong.core.listWebhooks({}, { onReply: resolve }).catch(reject)
      })
      assert.equal(limits.call?.limit, 450)
    })
  })

  describe('lists', () => {
    test('pages and items of the core API and of the advertising API come one after the other', async () => {
      const word = `page${Date.now().toString(36)}`
      for (const n of [1, 2, 3, 4, 5]) await client.core.createPost({ text: `${word} ${n}` })
      const query = { id: user().id, max_results: 5 }
      const texts: string[] = []
      for await (const post of client.core.listUserPosts.items(query)) texts.push(post.text)
      for (const n of [1, 2, 3, 4, 5]) assert.ok(texts.includes(`${word} ${n}`))
      const account_id = String(plaza.accounts[0]?.id)
      const { data: funding } = await client.ads.listFundingInstruments({ account_id })
      for (const n of [1, 2, 3])
        await client.ads.createCampaign({
          account_id,
          name: `${word} ${n}`,
          funding_instrument_id: String(funding[0]?.id),
          daily_budget_amount_local_micro: 1_000_000,
        })
      const sizes: number[] = []
      for await (const { data } of client.ads.listCampaigns.pages({ account_id, count: 2 }))
        sizes.push(data.length)
      assert.ok(sizes.length >= 2 && sizes.slice(0, -1).every((size) => size === 2), String(sizes))
      const names = new Set<string | undefined>()
      for await (const campaign of client.ads.listCampaigns.items({ account_id, count: 2 }))
        names.add(campaign.name)
      for (const n of [1, 2, 3]) assert.ok(names.has(`${word} ${n}`))
    })

    test('a search goes on with the token of its replies, and a loop that is left requests no more', async () => {
      const word = `seek${Date.now().toString(36)}`
      for (let n = 0; n < 12; n++) await client.core.createPost({ text: `${word} ${n}` })
      const query = { query: word, max_results: 10, until_id: NO_LATER }
      await until('the posts', async () => {
        const found: string[] = []
        for await (const { text } of asApp.core.searchRecentPosts.items(query)) found.push(text)
        return found.length === 12
      })
      let calls = 0
      const counting = asApp.with({ onReply: () => void calls++ })
      for await (const _ of counting.core.searchRecentPosts.items(query)) break
      assert.equal(calls, 1)
    })
  })

  describe('files', () => {
    test('a file is uploaded in segments, and a post shows it', async () => {
      const bytes = png(400, 300)
      const progress: number[] = []
      const medium = await uploadMedia(client, new Uint8Array(bytes), {
        mediaType: 'image/png',
        category: 'post_image' as never,
        segmentBytes: 64,
        onProgress: (sent) => void progress.push(sent),
      })
      assert.equal(progress.at(-1), bytes.length)
      assert.equal(progress.length, Math.ceil(bytes.length / 64))
      const post = await client.core.createPost({ text: 'With a picture', media: { media_ids: [medium.id] } })
      assert.ok(post.data.id)
    })

    test('a video is waited for until it is processed; one request uploads an image', async () => {
      const video = await uploadMedia(client, new Blob([new Uint8Array(mp4(320, 240))]), {
        mediaType: 'video/mp4',
      })
      assert.equal(video.processing_info?.state, 'succeeded')
      const { data } = await client.core.uploadMedium({ media: new Blob([new Uint8Array(gif(16, 16))]) })
      assert.match(data.id, /^[0-9]+$/)
    })
  })
})

/** What a user brings who has an agent of their own. */
function fetchTrusting(ca: string | undefined): typeof fetch {
  const dispatcher = new Agent({ connect: { ca: String(ca) } })
  return ((input: string, init: RequestInit) => undiciFetch(input, { ...init, dispatcher } as never)) as never
}

async function rejected<T extends Error>(
  call: Promise<unknown>,
  kind: abstract new (...given: never[]) => T,
): Promise<T> {
  const error = await call.then(
    () => undefined,
    (reason) => reason,
  )
  assert.ok(error instanceof kind, `${error}`)
  return error
}

interface Scripted {
  url: string
  calls(): number
  close(): void
}

/** A server that answers each request with the next of these. */
async function scripted(replies: { status: number; headers?: Record<string, string> }[]): Promise<Scripted> {
  let calls = 0
  const server = createServer((request, response) => {
    const { status, headers } = replies[calls++] ?? { status: 500, headers: {} }
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{"data":[]}')
  })
  return { ...(await listening(server)), calls: () => calls }
}

/** A server that sends back what it received, and a long integer. */
async function echo(): Promise<Omit<Scripted, 'calls'>> {
  return listening(
    createServer(async (request, response) => {
      const text = (await request.toArray()).join('')
      response.writeHead(201, { 'content-type': 'application/json' })
      response.end(`{"text":${JSON.stringify(text)},"number":9007199254740993}`)
    }),
  )
}

async function listening(server: Server) {
  server.listen(0, '127.0.0.1')
  await until('the server', () => server.listening)
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
