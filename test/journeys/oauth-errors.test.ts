import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Type } from 'typebox'
import { addRequest } from '../../src/api/oauth/requests.ts'
import { endpoints } from '../../src/app/endpoints.ts'
import type { Plaza } from '../../src/app/server.ts'
import { createApp } from '../../src/identity/apps/apps.ts'
import { setSuspended } from '../../src/identity/apps/suspension.ts'
import { basicHeader } from '../../src/identity/auth/basic.ts'
import { signRequest } from '../../src/identity/auth/signature/sign.ts'
import { createUser, prepareUser } from '../../src/identity/users/users.ts'
import type { ManualClock } from '../../src/platform/common/clock.ts'
import { randomText, systemRandom } from '../../src/platform/common/random.ts'
import { json } from '../../src/platform/http/reply-kinds.ts'
import { Client, demoKeys, type Keys, type Reply } from '../support/client.ts'
import { endpoint } from '../support/endpoint.ts'
import { startPlaza } from '../support/plaza.ts'
import {
  codeOf,
  demoUser,
  exchange,
  isSignIn,
  requestToken,
  textOf,
  Visitor,
  verifierOf,
} from '../support/visitor.ts'

const MINUTE_MS = 60_000
const CALLBACK = 'https://app.example.com/callback'
const HOSTILE = `"><script>alert(1)</script>'&amp;`

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** An endpoint of each level of access, so that every level can be missing. */
const needing = (access: 'read' | 'write' | 'direct-messages') =>
  endpoint({
    id: `needs ${access}`,
    host: 'core',
    method: 'GET',
    path: `/1.1/needs/${access}`,
    summary: access,
    description: access,
    source: 'test',
    auth: ['user'],
    scopes: [access],
    reply: Type.Object({}),
    handle: async () => json({}),
  })

let plaza: Plaza & { clock: ManualClock }
let client: Client
let user: ReturnType<typeof demoUser>
let visitor: Visitor

before(async () => {
  const extra = (['read', 'write', 'direct-messages'] as const).map(needing)
  plaza = await startPlaza({}, { endpoints: [...endpoints, ...extra] })
  client = new Client(plaza)
  user = demoUser(plaza, 'demo')
  visitor = new Visitor(client)
})
after(async () => {
  await client?.close()
  await plaza?.close()
})
// Every limit begins again.
beforeEach(() => plaza.clock.advance(16 * MINUTE_MS))

function newApp(more: Partial<Parameters<typeof createApp>[1]> = {}): Promise<Keys> {
  const { context } = plaza
  const app = {
    name: 'Fresh app',
    website: 'https://app.example.com/',
    ownerUserId: user.id,
    callbacks: [CALLBACK],
    permission: 'read-write-directmessages' as const,
    kind: 'web' as const,
    signIn: false,
    ...more,
  }
  return context.store.write((tx) => createApp(tx, app, context))
}

const suspend = (kind: 'user' | 'app', id: string, suspended = true) =>
  plaza.context.store.write((tx) => setSuspended(tx, { kind, id, suspended }))

const idOf = async ({ consumerKey }: Keys) =>
  (await plaza.context.credentials.appByKey(consumerKey))?.id ?? ''

async function begin(app: Keys, form: Record<string, string> = { oauth_callback: CALLBACK }) {
  const { reply, keys } = await requestToken(client, app, form)
  assert.equal(reply.status, 200, reply.text)
  const at = (step: 'authorize' | 'authenticate') => `/oauth/${step}?oauth_token=${keys.token}`
  return { pending: keys, authorize: at('authorize'), authenticate: at('authenticate') }
}

async function approved(app: Keys, form?: Record<string, string>) {
  const { pending, authorize } = await begin(app, form)
  return { pending, verifier: verifierOf(await visitor.answer(authorize, user, 'approve')) }
}

async function granted(app: Keys, form?: Record<string, string>) {
  const { pending, verifier } = await approved(app, form)
  const { reply, keys } = await exchange(client, pending, verifier)
  assert.equal(reply.status, 200, reply.text)
  return keys
}

function assertRejected(reply: Reply, status: number, code: number, message?: string) {
  assert.deepEqual([reply.status, codeOf(reply)], [status, code], reply.text)
  const [error] = (reply.json as { errors: { message: string }[] }).errors
  if (message !== undefined) assert.equal(error?.message, message)
}

describe('request_token', () => {
  test('the callback must be there, be a URL and be registered', async () => {
    const app = await newApp()
    const post = async (form: Record<string, string>, keys = app) =>
      (await requestToken(client, keys, form)).reply
    assertRejected(await post({}), 400, 38, 'oauth_callback parameter is missing.')
    assertRejected(await post({ oauth_callback: '' }), 400, 38)
    const malformed = 'The client application failed validation: Not a valid callback URL format.'
    for (const url of [
      'not a url',
      'javascript:alert(1)',
      'https:///callback',
      'data:text/html,x',
      `${CALLBACK}#x`,
    ])
      assertRejected(await post({ oauth_callback: url }), 403, 415, malformed)
    const other =
      'Callback URL not approved for this client application. Approved callback URLs can be adjusted in your application settings'
    for (const url of [
      `${CALLBACK}/`,
      'http://app.example.com/callback',
      'https://app.example.com:444/callback',
    ])
      assertRejected(await post({ oauth_callback: url }), 403, 415, other)
    const desktop = await newApp({ kind: 'desktop' })
    const message = "Desktop applications only support the oauth_callback value 'oob'"
    assertRejected(await post({ oauth_callback: CALLBACK }, desktop), 401, 417, message)
    assert.equal((await post({ oauth_callback: 'oob' }, desktop)).status, 200)
  })

  test('the callback may stand in the header, the query or the form', async () => {
    const { consumerKey, consumerSecret } = await newApp()
    const path = '/oauth/request_token'
    const inQuery = `${path}?oauth_callback=${encodeURIComponent(CALLBACK)}`
    assert.equal((await client.signed('POST', inQuery, { consumerKey, consumerSecret })).status, 200)
    const { header } = signRequest({
      method: 'POST',
      url: plaza.urls.core + path,
      callback: CALLBACK,
      consumerKey,
      consumerSecret,
      nonce: randomText(systemRandom, 32),
      timestampSeconds: Math.floor(plaza.clock.now() / 1000),
    })
    assert.equal((await client.send('POST', path, { headers: { authorization: header } })).status, 200)
  })

  test('is signed by the app alone', async () => {
    const form = { oauth_callback: CALLBACK }
    assertRejected(await client.send('POST', '/oauth/request_token', { form }), 400, 215)
    const wrong = { ...(await newApp()), consumerSecret: 'wrong' }
    assertRejected((await requestToken(client, wrong, form)).reply, 401, 32)
    const asUser = await client.signed('POST', '/oauth/request_token', demoKeys(plaza), { form })
    assertRejected(asUser, 403, 220)
    const app = await newApp()
    await suspend('app', await idOf(app))
    assertRejected((await requestToken(client, app, form)).reply, 401, 416)
  })

  test('access can be lowered, never raised', async () => {
    const levels = async (app: Keys, type?: string) => {
      const form = { oauth_callback: CALLBACK, ...(type && { svc_auth_access_type: type }) }
      const keys = await granted(app, form)
      const replies = []
      for (const access of ['read', 'write', 'direct-messages'])
        replies.push(await client.signed('GET', `/1.1/needs/${access}`, keys))
      const level = replies[0]?.headers['x-access-level']
      return [level, ...replies.map((reply) => codeOf(reply) ?? reply.status)]
    }
    const all = await newApp()
    assert.deepEqual(await levels(all), ['read-write-directmessages', 200, 200, 200])
    assert.deepEqual(await levels(all, 'write'), ['read-write', 200, 200, 93])
    assert.deepEqual(await levels(all, 'read'), ['read', 200, 261, 93])
    const least = await newApp({ permission: 'read' })
    assert.deepEqual(await levels(least, 'write'), ['read', 200, 261, 93])
    const form = { oauth_callback: CALLBACK, svc_auth_access_type: 'admin' }
    assertRejected((await requestToken(client, all, form)).reply, 400, 44)
  })

  test('an app may ask 180 times in a quarter of an hour', async () => {
    const app = await newApp()
    for (let i = 0; i < 180; i++) await begin(app)
    const { reply } = await requestToken(client, app, { oauth_callback: CALLBACK })
    assertRejected(reply, 429, 88)
    assert.equal(reply.headers['x-rate-limit-remaining'], '0')
    plaza.clock.advance(15 * MINUTE_MS)
    await begin(app)
  })
})

describe('the pages', () => {
  test('need a request token that is good', async () => {
    for (const step of ['authorize', 'authenticate']) {
      const missing = await visitor.get(`/oauth/${step}`)
      assert.equal(missing.status, 400)
      assert.match(missing.headers['content-type'] ?? '', /^text\/html/)
      assert.match(textOf(missing), /oauth_token is missing/)
      const unknown = await visitor.get(`/oauth/${step}?oauth_token=nobody`)
      assert.equal(unknown.status, 401)
      assert.match(textOf(unknown), /has already been used, or it is too old/)
    }
  })

  test('are kept to themselves', async () => {
    const page = await new Visitor(client).get((await begin(await newApp())).authorize)
    assert.equal(page.headers['cache-control'], 'no-cache, no-store, max-age=0')
    assert.equal(page.headers['x-frame-options'], 'DENY')
    const policy = page.headers['content-security-policy'] ?? ''
    assert.match(
      policy,
      /default-src 'none'; .*form-action 'self' https:\/\/app\.example\.com; frame-ancestors 'none'/,
    )
    assert.doesNotMatch(page.text, /<script|<link|<img|src=/)
    const cookie = page.headers['set-cookie'] ?? ''
    assert.match(
      cookie,
      /^__Host-plaza_visit=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  test('a custom scheme can be gone back to', async () => {
    const app = await newApp({ callbacks: ['paperboat://'] })
    const { authorize } = await begin(app, { oauth_callback: 'paperboat://done?x=ü' })
    const page = await visitor.get(authorize)
    assert.match(page.headers['content-security-policy'] ?? '', /form-action 'self' paperboat:;/)
    const back = await visitor.answer(authorize, user, 'cancel')
    assert.match(back.headers.location ?? '', /^paperboat:\/\/done\?x=%C3%BC&denied=\w+$/)
  })

  test('say what was typed in and what an app is called, and mean nothing by it', async () => {
    const { authorize } = await begin(await newApp({ name: HOSTILE, website: HOSTILE }))
    const page = await new Visitor(client).get(`${authorize}&screen_name=${encodeURIComponent(HOSTILE)}`)
    assert.doesNotMatch(page.text, /<script/)
    assert.ok(page.text.includes('value="&quot;&gt;&lt;script&gt;'))
    await visitor.answer((await begin(await newApp())).authorize, user, 'cancel')
    assert.doesNotMatch((await visitor.get(authorize)).text, /<script/)
  })

  test('say the same of an unknown name and of a wrong password', async () => {
    const { authorize } = await begin(await newApp())
    const texts = []
    for (const screen_name of ['demo', 'nobody', 'not a name', '']) {
      const stranger = new Visitor(client)
      const page = await stranger.get(authorize)
      const failed = await stranger.press(page, 'sign-in', { screen_name, password: 'wrong' })
      assert.equal(failed.status, 401)
      assert.ok(!stranger.cookies.has('__Host-plaza_session'))
      texts.push(textOf(failed))
    }
    assert.equal(new Set(texts).size, 1)
    assert.match(texts[0] ?? '', /Incorrect username or password\./)
  })

  test('a user signs in as often as they like: only failures are counted', async () => {
    for (const rateLimits of ['documented', 'off'] as const) {
      const own = await startPlaza({ rateLimits })
      const client = new Client(own)
      try {
        const { screenName, password } = demoUser(own, 'demo')
        const browser = new Visitor(client)
        const page = await browser.get('/oauth/apps')
        const attempt = (password: string) =>
          new Visitor(client, browser.cookies).press(page, 'sign-in', { screen_name: screenName, password })
        for (let i = 0; i < 12; i++) assert.equal((await attempt(password)).status, 303)
        for (let i = 0; i < 10; i++) assert.equal((await attempt('wrong')).status, 401)
        assert.equal((await attempt(password)).status, 429)
      } finally {
        await client.close()
        await own.close()
      }
    }
  })

  test('ten parallel guesses are all that are checked', async () => {
    const own = await startPlaza()
    const client = new Client(own)
    try {
      const browser = new Visitor(client)
      const page = await browser.get('/oauth/apps')
      const guesses = Array.from({ length: 30 }, (_, n) =>
        browser.press(page, 'sign-in', { screen_name: 'demo', password: `wrong${n}` }),
      )
      const statuses = (await Promise.all(guesses)).map(({ status }) => status)
      assert.deepEqual(
        [statuses.filter((one) => one === 401).length, statuses.filter((one) => one === 429).length],
        [10, 20],
      )
    } finally {
      await client.close()
      await own.close()
    }
  })

  test('an address has ten failures for each name, and a hundred in all', async () => {
    const stranger = new Visitor(client)
    const page = await stranger.get('/oauth/apps')
    const attempt = (screen_name: string, password = 'wrong') =>
      stranger.press(page, 'sign-in', { screen_name, password })
    for (let i = 0; i < 10; i++) assert.equal((await attempt('demo')).status, 401)
    plaza.clock.advance(MINUTE_MS)
    const rejected = await attempt('DEMO', user.password)
    assert.deepEqual([rejected.status, rejected.headers['retry-after']], [429, '840'])
    assert.match(textOf(rejected), /Too many attempts Wait 14 minutes and try again\./)
    const { screenName, password } = demoUser(plaza, 'advertiser')
    assert.equal((await attempt(screenName, password)).status, 303)
    // Ten failures of this address are counted; the rest is counted here, without the time that
    // passwords take.
    const { cluster } = plaza.context
    for (let i = 10; i < 100; i++)
      assert.equal((await cluster.count('sign-in from 127.0.0.1', 100, 900)).allowed, true)
    assert.equal((await attempt(screenName, password)).status, 429)
    plaza.clock.advance(14 * MINUTE_MS - 1)
    const last = await attempt('demo', user.password)
    assert.deepEqual([last.status, last.headers['retry-after']], [429, '1'])
    assert.match(textOf(last), /Wait 1 minute and try again\./)
    plaza.clock.advance(1)
    assert.equal((await attempt('demo', user.password)).status, 303)
  })

  test('guesses from another address do not lock the user out', async () => {
    const port = await freePort()
    const coreUrl = 'https://api.plaza.example'
    const proxied = await startPlaza({ behindProxy: true, corePort: port, coreUrl })
    const origin = `http://127.0.0.1:${port}`
    const direct = new Client({ ...proxied, urls: { ...proxied.urls, core: origin } })
    const { password } = demoUser(proxied, 'demo')
    try {
      const attempt = async (address: string, typed: string) => {
        const from = { 'x-forwarded-for': address, 'x-forwarded-proto': 'https', origin: coreUrl }
        const { page, browser } = await signInPage(proxied, direct, from)
        return (await browser.press(page, 'sign-in', { screen_name: 'demo', password: typed }, from)).status
      }
      const guesses = []
      // Some proxies add the port of the client, which is another one for each connection.
      const from = (i: number) => (i % 2 === 0 ? '198.51.100.1' : `198.51.100.1:${50_000 + i}`)
      for (let i = 0; i < 11; i++) guesses.push(await attempt(from(i), `wrong${i}`))
      assert.deepEqual(guesses, [...Array(10).fill(401), 429])
      assert.equal(await attempt('198.51.100.1', password), 429)
      assert.equal(await attempt('198.51.100.1:60000', password), 429)
      const site = (i: number) =>
        [`[2001:db8::${i}]:${50_000 + i}`, `2001:db8::${i}`, `[2001:db8::${i}]`][i % 3] ?? ''
      for (let i = 0; i < 10; i++) assert.equal(await attempt(site(i), `wrong${i}`), 401)
      assert.equal(await attempt('[2001:db8::a]:60000', password), 429)
      assert.equal(await attempt('203.0.113.9', password), 303)
    } finally {
      await direct.close()
      await proxied.close()
    }
  })

  async function signInPage({ context, seeded }: Plaza, direct: Client, headers: Record<string, string>) {
    const app = await context.credentials.appById(seeded?.apps[0]?.id ?? '')
    assert.ok(app)
    const { token } = await addRequest({ app, callback: 'oob', access: 'read' }, context)
    const browser = new Visitor(direct)
    return { browser, page: await browser.get(`/oauth/authorize?oauth_token=${token}`, headers) }
  }

  test('a session is new at each sign-in, ends the one before, and lives half a day', async () => {
    const browser = new Visitor(client)
    const app = await newApp()
    const { authorize } = await begin(app)
    const typed = { screen_name: 'DEMO', password: user.password }
    const first = await browser.press(await browser.get(authorize), 'sign-in', typed)
    assert.equal(first.status, 303)
    const cookie = first.headers['set-cookie'] ?? ''
    assert.match(
      cookie,
      /^__Host-plaza_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; Secure; SameSite=Lax$/,
    )
    const before = new Map(browser.cookies)

    const again = await browser.get(`${authorize}&force_login=true`)
    assert.ok(isSignIn(again))
    await browser.press(again, 'sign-in', typed)
    assert.notEqual(browser.cookies.get('__Host-plaza_session'), before.get('__Host-plaza_session'))
    assert.ok(!isSignIn(await browser.get(authorize)))
    const old = new Visitor(client)
    for (const [name, value] of before) old.cookies.set(name, value)
    assert.ok(isSignIn(await old.get(authorize)))

    plaza.clock.advance(12 * 60 * MINUTE_MS - 1)
    const late = await begin(app)
    const question = await browser.get(late.authorize)
    assert.ok(!isSignIn(question))
    plaza.clock.advance(1)
    assert.ok(isSignIn(await browser.get(late.authorize)))
    assert.equal((await browser.press(question, 'approve')).status, 403)
  })

  test('a form of another browser, another request or another site changes nothing', async () => {
    const app = await newApp()
    await visitor.answer((await begin(app)).authorize, user, 'cancel')
    const mine = await begin(app)
    const page = await visitor.get(mine.authorize)
    const other = await visitor.get((await begin(app)).authorize)
    const stranger = await new Visitor(client).get(mine.authorize)
    const token = (one: Reply) => /name="form_token" value="([^"]+)"/.exec(one.text)?.[1] ?? ''
    for (const form_token of ['x', token(other), token(stranger)])
      assert.equal((await visitor.press(page, 'approve', { form_token })).status, 403)
    assert.equal((await visitor.press(page, 'approve', { form_token: '' })).status, 400)
    const elsewhere = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[]
    for (const headers of elsewhere) {
      for (const decision of ['approve', 'cancel', 'sign-in'] as const)
        assert.equal((await visitor.press(page, decision, {}, headers)).status, 403)
    }
    assert.equal((await new Visitor(client).press(page, 'approve')).status, 403)
    const here = { origin: plaza.urls.core, 'sec-fetch-site': 'same-origin' }
    assert.equal((await visitor.press(page, 'approve', {}, here)).status, 302)
  })

  test('speak the words of the operator', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plaza-words-'))
    const words = join(folder, 'words.json')
    const identifiers = {
      screen_name: 'handle',
      decision: 'answer',
      approve: 'yes',
      denied: 'no',
      force_login: 'anew',
    }
    await writeFile(words, JSON.stringify({ identifiers, paths: { '/oauth/authorize': '/oauth/ask' } }))
    const renamedPlaza = await startPlaza({ vocabulary: words })
    const speaker = new Client(renamedPlaza)
    try {
      const app = demoKeys(renamedPlaza)
      const { keys } = await requestToken(speaker, app, { oauth_callback: 'http://127.0.0.1:3000/callback' })
      const browser = new Visitor(speaker)
      const target = `/oauth/ask?oauth_token=${keys.token}`
      const page = await browser.get(`${target}&anew=true&handle=demo`)
      assert.match(page.text, /name="handle" value="demo"/)
      const typed = { handle: 'demo', password: demoUser(renamedPlaza, 'demo').password, answer: 'sign-in' }
      const signedIn = await browser.press(page, 'sign-in', typed)
      assert.deepEqual([signedIn.status, signedIn.headers.location], [303, target])
      const question = await browser.get(target)
      assert.match(question.text, /name="answer" value="yes"/)
      assert.equal(
        (await browser.press(question, 'cancel', { answer: 'cancel' })).headers.location?.includes('?no='),
        true,
      )
    } finally {
      await speaker.close()
      await renamedPlaza.close()
      await rm(folder, { recursive: true })
    }
  })

  test('a password in the address is not taken', async () => {
    const browser = new Visitor(client)
    const page = await browser.get((await begin(await newApp())).authorize)
    const query = `?screen_name=demo&password=${user.password}`
    const moved = {
      ...page,
      text: page.text.replace('action="/oauth/authorize"', `action="/oauth/authorize${query}"`),
    }
    assert.equal((await browser.press(moved, 'sign-in')).status, 401)
  })

  test('a suspended user or app gets no further', async () => {
    const app = await newApp()
    const { pending, verifier } = await approved(app)
    const { authorize } = await begin(app)
    const question = await visitor.get(authorize)
    await suspend('user', user.id)
    assert.ok(isSignIn(await visitor.get(authorize)))
    assert.equal((await visitor.press(question, 'approve')).status, 403)
    const rejected = await new Visitor(client).answer(authorize, user, 'approve')
    assert.equal(rejected.status, 403)
    assert.match(textOf(rejected), /account is suspended/)
    assertRejected((await exchange(client, pending, verifier)).reply, 403, 64)
    await suspend('user', user.id, false)
    assert.equal((await exchange(client, pending, verifier)).reply.status, 200)
    await suspend('app', await idOf(app))
    assert.match(textOf(await visitor.get(authorize)), /app is suspended/)
  })

  test('an address may look 180 times in a quarter of an hour', async () => {
    for (let i = 0; i < 180; i++)
      assert.equal((await visitor.get('/oauth/authorize?oauth_token=no')).status, 401)
    const page = await visitor.get('/oauth/authorize?oauth_token=no')
    assert.deepEqual([page.status, textOf(page).includes('Too many attempts')], [429, true])
  })
})

describe('authenticate', () => {
  test('does not use a request token up for a browser that only looks ahead', async () => {
    const app = await newApp({ signIn: true })
    await granted(app)
    const { authenticate } = await begin(app)
    const ahead = await visitor.get(authenticate, { 'sec-purpose': 'prefetch;prerender' })
    assert.equal(ahead.status, 200)
    assert.equal((await visitor.get(authenticate)).status, 302)
  })

  test('does not ask again where the app may take the former answer', async () => {
    const app = await newApp({ signIn: true })
    const first = await begin(app)
    assert.equal((await visitor.answer(first.authenticate, user, 'cancel')).status, 302)
    await granted(app, { oauth_callback: CALLBACK, svc_auth_access_type: 'read' })
    // More than was granted: the user is asked.
    assert.equal((await visitor.get((await begin(app)).authenticate)).status, 200)
    const less = await begin(app, { oauth_callback: CALLBACK, svc_auth_access_type: 'read' })
    const back = await visitor.get(less.authenticate)
    assert.equal(back.status, 302)
    assert.equal((await exchange(client, less.pending, verifierOf(back))).reply.status, 200)
    assert.equal((await visitor.get(less.authenticate)).status, 401)

    const full = await granted(app)
    const second = await begin(app)
    assert.ok(isSignIn(await visitor.get(`${second.authenticate}&force_login=true`)))
    assert.equal((await visitor.get(second.authorize)).status, 200)
    assert.equal((await visitor.get(second.authenticate)).status, 302)
    await client.signed('POST', '/1.1/oauth/invalidate_token', full)
    assert.equal((await visitor.get((await begin(app)).authenticate)).status, 200)
  })

  test('asks where the sign-in setting is off', async () => {
    const app = await newApp({ signIn: false })
    await granted(app)
    assert.equal((await visitor.get((await begin(app)).authenticate)).status, 200)
  })

  test('is not for desktop apps', async () => {
    const app = await newApp({ kind: 'desktop', callbacks: [], signIn: true })
    for (const [keys, form] of [[app, { oauth_callback: 'oob' }]] as const) {
      const { authenticate, authorize } = await begin(keys, form)
      const page = await visitor.get(authenticate)
      assert.equal(page.status, 403)
      assert.match(textOf(page), /signs in differently/)
      assert.equal((await visitor.get(authorize)).status, 200)
    }
  })
})

describe('access_token', () => {
  const WRONG = 'Error processing your OAuth request: Invalid oauth_verifier parameter'

  test('needs the verifier', async () => {
    const { pending, verifier } = await approved(await newApp())
    const none = await client.signed('POST', '/oauth/access_token', pending)
    assert.deepEqual([none.status, none.text], [401, WRONG])
    assert.equal(none.headers['content-type'], 'text/plain; charset=utf-8')
    const empty = await exchange(client, pending, '')
    assert.deepEqual([empty.reply.status, empty.reply.text], [401, WRONG])
    const inQuery = `/oauth/access_token?oauth_verifier=${verifier}`
    assert.equal((await client.signed('POST', inQuery, pending)).status, 200)
  })

  test('takes the verifier from the header', async () => {
    const { pending, verifier } = await approved(await newApp())
    const { header } = signRequest({
      method: 'POST',
      url: `${plaza.urls.core}/oauth/access_token`,
      ...pending,
      verifier,
      nonce: randomText(systemRandom, 32),
      timestampSeconds: Math.floor(plaza.clock.now() / 1000),
    })
    const reply = await client.send('POST', '/oauth/access_token', { headers: { authorization: header } })
    assert.equal(reply.status, 200)
    const again = await exchange(client, pending, verifier)
    assertRejected(again.reply, 401, 89)
  })

  test('needs a request token that was approved, and is of this app', async () => {
    const app = await newApp()
    const { pending: undecided } = await begin(app)
    assertRejected((await exchange(client, undecided, 'x')).reply, 401, 89)
    const { pending, verifier } = await approved(app)
    const { consumerKey, consumerSecret } = await newApp()
    assertRejected(
      (await exchange(client, { ...pending, consumerKey, consumerSecret }, verifier)).reply,
      401,
      89,
    )
    assertRejected((await exchange(client, { ...pending, token: 'unknown' }, verifier)).reply, 401, 89)
    assertRejected((await exchange(client, { ...pending, tokenSecret: 'wrong' }, verifier)).reply, 401, 32)
    const form = { oauth_verifier: verifier, oauth_token: pending.token ?? '' }
    assertRejected(await client.send('POST', '/oauth/access_token', { form }), 400, 215)
    assert.equal((await exchange(client, pending, verifier)).reply.status, 200)
  })
})

describe('the bearer', () => {
  const token = (headers: Record<string, string>, form?: Record<string, string>) =>
    client.send('POST', '/oauth2/token', { headers, ...(form && { form }) })
  const grant = { grant_type: 'client_credentials' }

  test('is for the app itself, which asks in the one way', async () => {
    const { consumerKey, consumerSecret } = await newApp()
    const right = { authorization: basicHeader(consumerKey, consumerSecret) }
    const wrong = [
      await token({}, grant),
      await token({ authorization: basicHeader(consumerKey, 'wrong') }, grant),
      await token({ authorization: basicHeader('nobody', consumerSecret) }, grant),
      await token({ authorization: 'Basic !' }, grant),
      await token(right),
      await token(right, { grant_type: 'password' }),
    ]
    for (const reply of wrong) {
      assertRejected(reply, 403, 99, 'Unable to verify your credentials')
      assert.deepEqual(reply.json, {
        errors: [
          { code: 99, label: 'authenticity_token_error', message: 'Unable to verify your credentials' },
        ],
      })
    }
    assertRejected(await client.send('POST', '/oauth2/token', { headers: right, json: grant }), 415, 44)
    const reply = await token(right, grant)
    assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
    assert.deepEqual(Object.keys(reply.json as object).sort(), ['access_token', 'token_type'])
  })

  test('is not asked for all the time', async () => {
    const { consumerKey, consumerSecret } = await newApp()
    const headers = { authorization: basicHeader(consumerKey, consumerSecret) }
    for (let i = 0; i < 450; i++) assert.equal((await token(headers, grant)).status, 200)
    assertRejected(await token(headers, grant), 403, 99)
  })

  test('is ended by the app, or by its owner with a token', async () => {
    const app = await newApp()
    const owner = await granted(app)
    const revoke = (keys: Keys, access_token: string) =>
      client.signed('POST', '/oauth2/invalidate_token', keys, { form: { access_token } })
    const first = await client.bearer(app)
    const reply = await revoke(owner, first)
    assert.deepEqual([reply.status, reply.json], [200, { access_token: first }])
    const resource = await client.send('GET', '/1.1/needs/read', {
      headers: { authorization: `Bearer ${first}` },
    })
    assertRejected(resource, 401, 89)

    const second = await client.bearer(app)
    assert.notEqual(second, first)
    assertRejected(await revoke(owner, first), 403, 99)
    assertRejected(await revoke(owner, await client.bearer(await newApp())), 403, 99)
    assertRejected(await revoke(owner, ''), 403, 99)
    assertRejected(await revoke(await foreignToken(app), second), 403, 99)
    const { consumerKey, consumerSecret } = app
    assertRejected(await revoke({ consumerKey, consumerSecret }, second), 403, 220)
    const wrong = { authorization: basicHeader(consumerKey, 'wrong') }
    const form = { access_token: second }
    assertRejected(await client.send('POST', '/oauth2/invalidate_token', { form, headers: wrong }), 403, 99)
    assertRejected(await client.send('POST', '/oauth2/invalidate_token', { form }), 400, 215)
    assert.equal(await client.bearer(app), second)
  })

  /** A token of this app for someone who does not own it. */
  async function foreignToken(app: Keys): Promise<Keys> {
    const { context } = plaza
    const stranger = { screenName: 'stranger', name: 'Stranger', password: randomText(systemRandom, 16) }
    const row = await prepareUser(stranger, context)
    await context.store.write((tx) => createUser(tx, row))
    const { pending, authorize } = await begin(app)
    const back = await new Visitor(client).answer(authorize, stranger, 'approve')
    return (await exchange(client, pending, verifierOf(back))).keys
  }
})

describe('invalidate_token', () => {
  test('is signed with the token that it ends', async () => {
    const keys = await granted(await newApp())
    const { consumerKey, consumerSecret } = keys
    const path = '/1.1/oauth/invalidate_token'
    assertRejected(await client.send('POST', path), 400, 215)
    assertRejected(await client.signed('POST', path, { consumerKey, consumerSecret }), 403, 220)
    assertRejected(await client.signed('POST', path, { ...keys, tokenSecret: 'wrong' }), 401, 32)
    const replies = await Promise.all(Array.from({ length: 10 }, () => client.signed('POST', path, keys)))
    assert.equal(replies.filter(({ status }) => status === 200).length, 1)
    for (const reply of replies)
      if (reply.status !== 200) assertRejected(reply, 401, 89, 'Invalid or expired token.')
  })
})
