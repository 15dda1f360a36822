import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Agent, request } from 'undici'
import { requestTokenByHash } from '../../src/api/oauth/queries.ts'
import type { Plaza } from '../../src/app/server.ts'
import { createApp } from '../../src/identity/apps/apps.ts'
import { setSuspended } from '../../src/identity/apps/suspension.ts'
import { Client, demoKeys, type Keys } from '../support/client.ts'
import { type Opened, type Stage, stages } from '../support/stages.ts'
import {
  codeOf,
  demoUser,
  exchange,
  hiddenFields,
  pinOf,
  requestToken,
  textOf,
  Visitor,
  verifierOf,
} from '../support/visitor.ts'

const MINUTE_MS = 60_000
const MANY = 20
const CALLBACK = 'https://app.example.com/callback'
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

/** The public origin of several nodes. */
const BALANCER = 'https://balancer.example'

for (const stage of stages) describe(`OAuth on ${stage.name}`, { skip: stage.skip }, () => journey(stage))

function journey(stage: Stage) {
  let opened: Opened
  let plaza: Opened['plaza']
  let client: Client
  let app: Required<Keys>
  let visitor: Visitor
  let user: ReturnType<typeof demoUser>

  before(async () => {
    opened = await stage.open({ rateLimits: 'off', coreAliases: [BALANCER] })
    plaza = opened.plaza
    client = new Client(plaza)
    app = demoKeys(plaza)
    visitor = new Visitor(client)
    user = demoUser(plaza, 'demo')
  })
  after(async () => {
    await client?.close()
    await opened?.close()
  })
  // The tries to sign in of one address are limited for a while.
  beforeEach(() => plaza.clock.advance(16 * MINUTE_MS))

  /** An app with nothing granted yet. */
  async function newApp(more: Partial<Parameters<typeof createApp>[1]> = {}): Promise<Keys> {
    return plaza.context.store.write((tx) =>
      createApp(
        tx,
        {
          name: 'Fresh app',
          website: 'https://app.example.com/',
          ownerUserId: user.id,
          callbacks: [CALLBACK],
          permission: 'read-write',
          kind: 'web',
          signIn: false,
          ...more,
        },
        plaza.context,
      ),
    )
  }

  async function approved(keys: Keys, form: Record<string, string> = { oauth_callback: CALLBACK }) {
    const pending = await requestToken(client, keys, form)
    assert.equal(pending.reply.status, 200, pending.reply.text)
    const target = `/oauth/authorize?oauth_token=${pending.keys.token}`
    const answer = await visitor.answer(target, user, 'approve')
    return { pending: pending.keys, answer }
  }

  async function granted(keys: Keys, form?: Record<string, string>) {
    const { pending, answer } = await approved(keys, form)
    const done = await exchange(client, pending, verifierOf(answer))
    assert.equal(done.reply.status, 200, done.reply.text)
    return done
  }

  test('the three steps give a token that works, the same one again, another one after it was revoked', async () => {
    const keys = await newApp()
    const { reply, keys: pending } = await requestToken(client, keys, {
      oauth_callback: `${CALLBACK}?state=a%20b`,
    })
    assert.equal(reply.headers['content-type'], 'application/x-www-form-urlencoded; charset=utf-8')
    assert.match(reply.text, /^oauth_token=\w+&oauth_token_secret=\w+&oauth_callback_confirmed=true$/)

    const back = await visitor.answer(`/oauth/authorize?oauth_token=${pending.token}`, user, 'approve')
    assert.equal(back.status, 302)
    const verifier = verifierOf(back)
    const expected = `${CALLBACK}?state=a%20b&oauth_token=${pending.token}&oauth_verifier=${verifier}`
    assert.equal(back.headers.location, expected)
    assert.equal(back.headers['x-content-type-options'], 'nosniff')

    const first = await exchange(client, pending, verifier)
    assert.equal(first.reply.status, 200)
    assert.equal(first.userId, user.id)
    assert.equal(first.screenName, 'demo')
    assert.ok(first.keys.token.startsWith(`${user.id}-`))
    assert.equal((await client.signed('GET', '/2/webhooks', first.keys)).status, 200)

    const again = await granted(keys)
    assert.deepEqual(again.keys, first.keys)

    const gone = await client.signed('POST', '/1.1/oauth/invalidate_token', first.keys)
    assert.deepEqual([gone.status, gone.json], [200, { access_token: first.keys.token }])
    const rejected = await client.signed('POST', '/1.1/oauth/invalidate_token.json', first.keys)
    assert.deepEqual([rejected.status, codeOf(rejected)], [401, 89])
    assert.equal((await client.signed('GET', '/2/webhooks', first.keys)).status, 401)

    const other = await granted(keys)
    assert.notEqual(other.keys.token, first.keys.token)
    assert.notEqual(other.keys.tokenSecret, first.keys.tokenSecret)
    assert.equal((await client.signed('POST', '/1.1/oauth/invalidate_token.json', other.keys)).status, 200)
  })

  test('an app holds one token for a user: another access takes the place of the one before', async () => {
    const keys = await newApp()
    const full = await granted(keys)
    assert.deepEqual((await granted(keys)).keys, full.keys)
    const lower = await granted(keys, { oauth_callback: CALLBACK, svc_auth_access_type: 'read' })
    assert.notEqual(lower.keys.token, full.keys.token)
    const ended = await client.signed('GET', '/2/webhooks', full.keys)
    assert.deepEqual([ended.status, codeOf(ended)], [401, 89])
    assert.equal((await client.signed('GET', '/2/webhooks', lower.keys)).headers['x-access-level'], 'read')
    const again = await granted(keys)
    assert.equal((await client.signed('GET', '/2/webhooks', lower.keys)).status, 401)
    assert.equal((await client.signed('GET', '/2/webhooks', again.keys)).status, 200)
  })

  test('whose token it is, in the classic form of a user', async () => {
    const { keys: token } = await granted(await newApp())
    const path = '/1.1/account/verify_credentials.json'
    const reply = await client.signed('GET', path, token)
    assert.equal(reply.status, 200)
    assert.match(reply.text, new RegExp(`"id":${user.id},"id_str":"${user.id}"`))
    const { id, created_at, ...rest } = reply.json as Record<string, unknown>
    assert.equal(typeof id, 'number')
    assert.match(String(created_at), /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d{2} \d{2}:\d{2}:\d{2} \+0000 20\d{2}$/)
    const picture = `${plaza.urls.core}/media/99c372c6868a0bbd09cec68ef881117d03eab70a9861d2553161a4bca2d7e56c.png`
    assert.deepEqual(rest, {
      id_str: user.id,
      name: 'Demo Developer',
      screen_name: 'demo',
      location: '',
      description: '',
      url: null,
      entities: { description: { urls: [] } },
      protected: false,
      verified: false,
      followers_count: 0,
      friends_count: 0,
      listed_count: 0,
      favourites_count: 0,
      statuses_count: 0,
      utc_offset: null,
      time_zone: null,
      geo_enabled: false,
      lang: null,
      contributors_enabled: false,
      is_translator: false,
      profile_image_url: picture,
      profile_image_url_https: picture,
      default_profile: true,
      default_profile_image: true,
      following: false,
      follow_request_sent: false,
      notifications: false,
      suspended: false,
      needs_phone_verification: false,
    })
    const asked = `${path}?include_email=true&include_entities=false&skip_status=true`
    const more = (await client.signed('GET', asked, token)).json as Record<string, unknown>
    assert.equal(more.email, null)
    assert.equal('entities' in more, false)
    const wrong = await client.signed('GET', `${path}?include_email=perhaps`, token)
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /include_email/)
  })

  test('of many approvals one wins, and the page never gives another verifier', async () => {
    const { keys: pending } = await requestToken(client, await newApp(), { oauth_callback: CALLBACK })
    const target = `/oauth/authorize?oauth_token=${pending.token}`
    await visitor.answer((await approvedPage()).target, user, 'approve')
    const page = await visitor.get(target)
    const answers = await times(MANY, () => visitor.press(page, 'approve'))
    assert.deepEqual(counts(answers), { 302: 1, 401: MANY - 1 })
    assert.equal((await visitor.get(target)).status, 401)
    assert.equal((await visitor.press(page, 'approve')).status, 401)
    assert.equal((await visitor.press(page, 'cancel')).status, 401)

    async function approvedPage() {
      const other = await requestToken(client, await newApp(), { oauth_callback: CALLBACK })
      return { target: `/oauth/authorize?oauth_token=${other.keys.token}` }
    }
  })

  test('of many exchanges one wins', async () => {
    const { pending, answer } = await approved(await newApp())
    const replies = await times(MANY, () => exchange(client, pending, verifierOf(answer)))
    assert.deepEqual(counts(replies.map(({ reply }) => reply)), { 200: 1, 401: MANY - 1 })
    for (const { reply } of replies) if (reply.status === 401) assert.equal(codeOf(reply), 89)
  })

  test('request tokens of one user that are exchanged together give one pair', async () => {
    const keys = await newApp()
    const ready = []
    for (let i = 0; i < 6; i++) ready.push(await approved(keys))
    const done = await Promise.all(
      ready.map(({ pending, answer }) => exchange(client, pending, verifierOf(answer))),
    )
    assert.deepEqual(counts(done.map(({ reply }) => reply)), { 200: 6 })
    assert.equal(new Set(done.map((one) => one.reply.text)).size, 1)
  })

  test('a signed request passes once', async () => {
    const form = { oauth_callback: 'oob' }
    const { consumerKey, consumerSecret } = app
    const authorization = client.sign('POST', '/oauth/request_token', { consumerKey, consumerSecret }, form)
    const replies = await times(MANY, () =>
      client.send('POST', '/oauth/request_token', { form, headers: { authorization } }),
    )
    assert.deepEqual(counts(replies), { 200: 1, 401: MANY - 1 })
    for (const reply of replies) if (reply.status === 401) assert.equal(codeOf(reply), 32)
  })

  test('a key that no database stores is as unknown as any other', async () => {
    for (const consumerKey of ['a\0b', 'unknown']) {
      const { reply } = await requestToken(client, { ...app, consumerKey }, { oauth_callback: 'oob' })
      assert.deepEqual([reply.status, codeOf(reply)], [401, 32])
    }
  })

  test('five wrong verifiers burn a request token, also when they come together', async () => {
    const first = await approved(await newApp())
    for (let i = 0; i < 5; i++) {
      const wrong = await exchange(client, first.pending, `wrong${i}`)
      assert.equal(wrong.reply.status, 401)
      assert.equal(wrong.reply.headers['content-type'], 'text/plain; charset=utf-8')
      assert.equal(wrong.reply.text, 'Error processing your OAuth request: Invalid oauth_verifier parameter')
    }
    const late = await exchange(client, first.pending, verifierOf(first.answer))
    assert.deepEqual([late.reply.status, codeOf(late.reply)], [401, 89])

    const second = await approved(await newApp())
    const together = await times(MANY, (i) => exchange(client, second.pending, `wrong${i}`))
    const texts = together.filter(({ reply }) => reply.text.includes('Invalid oauth_verifier'))
    assert.equal(texts.length, 5)

    const third = await approved(await newApp())
    for (let i = 0; i < 4; i++) await exchange(client, third.pending, 'wrong')
    assert.equal((await exchange(client, third.pending, verifierOf(third.answer))).reply.status, 200)
  })

  test('a request token lives a quarter of an hour, and is then forgotten', async () => {
    const keys = await newApp()
    const { pending, answer } = await approved(keys)
    const unasked = await requestToken(client, keys, { oauth_callback: CALLBACK })
    const target = `/oauth/authorize?oauth_token=${unasked.keys.token}`
    const page = await visitor.get(target)
    plaza.clock.advance(15 * MINUTE_MS - 1)
    assert.equal((await visitor.get(target)).status, 200)
    plaza.clock.advance(1)
    assert.equal((await visitor.get(target)).status, 401)
    assert.equal((await visitor.press(page, 'approve')).status, 401)
    const late = await exchange(client, pending, verifierOf(answer))
    assert.deepEqual([late.reply.status, codeOf(late.reply)], [401, 89])
    const { store, sealer } = plaza.context
    const stored = () => store.first(requestTokenByHash, { tokenHash: sealer.hashToken(pending.token) })
    assert.ok(await stored())
    await plaza.tasks.runDue('remove expired sign-ins')
    assert.equal(await stored(), undefined)
    assert.deepEqual((await exchange(client, pending, verifierOf(answer))).reply.json, late.reply.json)
  })

  test('a no leads back with the request token, which is dead', async () => {
    const { keys: pending } = await requestToken(client, await newApp(), {
      oauth_callback: `${CALLBACK}?a=1`,
    })
    const back = await visitor.answer(`/oauth/authorize?oauth_token=${pending.token}`, user, 'cancel')
    assert.equal(back.status, 302)
    assert.equal(back.headers.location, `${CALLBACK}?a=1&denied=${pending.token}`)
    assert.equal((await visitor.get(`/oauth/authorize?oauth_token=${pending.token}`)).status, 401)
    const rejected = await exchange(client, pending, 'anything')
    assert.deepEqual([rejected.reply.status, codeOf(rejected.reply)], [401, 89])
  })

  test('a desktop app gets a pin', async () => {
    const keys = await newApp({ kind: 'desktop', callbacks: [] })
    const { pending, answer } = await approved(keys, { oauth_callback: 'oob' })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.location, undefined)
    const pin = pinOf(answer)
    assert.match(pin, /^[0-9]{7}$/)
    assert.equal((await exchange(client, pending, pin)).reply.status, 200)

    const { keys: denied } = await requestToken(client, keys, { oauth_callback: 'oob' })
    const page = await visitor.answer(`/oauth/authorize?oauth_token=${denied.token}`, user, 'cancel')
    assert.deepEqual([page.status, pinOf(page)], [200, ''])
    assert.match(textOf(page), /Access denied/)
  })

  test('an app has one bearer until it is revoked, in whatever spelling', async () => {
    const keys = await newApp()
    const seen = new Set<string>()
    const spellings = [
      (text: string) => text,
      (text: string) => decodeURIComponent(text),
      (text: string) => encodeURIComponent(text),
    ]
    for (const spell of spellings) {
      const bearers = await times(MANY, () => client.bearer(keys))
      assert.equal(new Set(bearers).size, 1)
      const [bearer = ''] = bearers
      assert.match(bearer, /^A{21}[A-Za-z0-9%]+%3D$/)
      assert.ok(!seen.has(bearer))
      seen.add(bearer)
      const headers = { authorization: `Bearer ${bearer}` }
      assert.equal((await client.send('GET', '/2/webhooks', { headers })).status, 200)
      const { reply, form } = await revoke(keys, spell(bearer))
      assert.deepEqual([reply.status, reply.json], [200, { access_token: bearer }])
      assert.equal((await client.send('GET', '/2/webhooks', { headers })).status, 401)
      const again = await revoke(keys, form.access_token)
      assert.deepEqual([again.reply.status, codeOf(again.reply)], [403, 99])
    }

    async function revoke({ consumerKey, consumerSecret }: Keys, access_token: string) {
      const pair = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')
      const headers = { authorization: `Basic ${pair}` }
      const form = { access_token }
      return { form, reply: await client.send('POST', '/oauth2/invalidate_token', { form, headers }) }
    }
  })

  test('two nodes are one', {
    skip: stage.shared ? false : 'the embedded store belongs to one node',
  }, async () => {
    const other = await opened.second()
    const there = new Client(other)
    try {
      await oneReplayPasses(other)
      await revokedEverywhere(there)
    } finally {
      await there.close()
    }
  })

  async function oneReplayPasses(other: Plaza) {
    // Signed for one address, as in front of a balancer: both nodes are told the same host.
    const { consumerKey, consumerSecret } = app
    const signed = () =>
      client.sign('POST', `${BALANCER}/oauth/request_token?oauth_callback=oob`, {
        consumerKey,
        consumerSecret,
      })
    const agents = [plaza, other].map(({ caPem = '' }) => new Agent({ connect: { ca: caPem } }))
    const { host } = new URL(BALANCER)
    async function send(node: number, authorization: string) {
      const url = `${[plaza, other][node]?.urls.core}/oauth/request_token?oauth_callback=oob`
      const headers = { authorization, host }
      const { statusCode, body } = await request(url, {
        method: 'POST',
        headers,
        dispatcher: agents[node] as Agent,
      })
      await body.dump()
      return { status: statusCode }
    }
    assert.deepEqual(await Promise.all([send(0, signed()), send(1, signed())]), [
      { status: 200 },
      { status: 200 },
    ])
    const once = signed()
    const replies = await times(MANY, (i) => send(i % 2, once))
    assert.deepEqual(counts(replies), { 200: 1, 401: MANY - 1 })
    await Promise.all(agents.map((agent) => agent.close()))
  }

  async function suspendedEverywhere(there: Client) {
    const { store, credentials } = plaza.context
    const keys = await newApp()
    const id = (await credentials.appByKey(keys.consumerKey))?.id ?? ''
    const { keys: token } = await granted(keys)
    const headers = { authorization: `Bearer ${await client.bearer(keys)}` }
    const set = (kind: 'user' | 'app', id: string, suspended: boolean) =>
      store.write((tx) => setSuspended(tx, { kind, id, suspended }))
    const path = '/1.1/account/verify_credentials.json'
    const seen = async () => {
      const replies = [
        await there.signed('GET', path, token),
        await there.signed('GET', '/2/webhooks', token),
        await there.send('GET', '/2/webhooks', { headers }),
      ]
      return replies.map((reply) => [reply.status, codeOf(reply)])
    }
    const fine = [
      [200, undefined],
      [200, undefined],
      [200, undefined],
    ]
    assert.deepEqual(await seen(), fine)
    await set('user', user.id, true)
    assert.deepEqual(await seen(), [
      [403, 64],
      [403, 64],
      [200, undefined],
    ])
    await set('user', user.id, false)
    assert.deepEqual(await seen(), fine)
    await set('app', id, true)
    assert.deepEqual(await seen(), [
      [401, 416],
      [401, 416],
      [401, 416],
    ])
    await set('app', id, false)
    assert.deepEqual(await seen(), fine)
  }

  async function revokedEverywhere(there: Client) {
    const keys = await newApp()
    const { keys: token } = await granted(keys)
    const bearer = await client.bearer(keys)
    const headers = { authorization: `Bearer ${bearer}` }
    for (let i = 0; i < 3; i++) {
      assert.equal((await there.signed('GET', '/2/webhooks', token)).status, 200)
      assert.equal((await there.send('GET', '/2/webhooks', { headers })).status, 200)
    }
    assert.equal((await client.signed('POST', '/1.1/oauth/invalidate_token', token)).status, 200)
    assert.equal((await there.signed('GET', '/2/webhooks', token)).status, 401)
    const pair = Buffer.from(`${keys.consumerKey}:${keys.consumerSecret}`).toString('base64')
    const basic = { authorization: `Basic ${pair}` }
    const form = { access_token: bearer }
    assert.equal(
      (await client.send('POST', '/oauth2/invalidate_token', { form, headers: basic })).status,
      200,
    )
    assert.equal((await there.send('GET', '/2/webhooks', { headers })).status, 401)
    assert.notEqual(await there.bearer(keys), bearer)
    await suspendedEverywhere(there)
    assert.equal(await there.bearer(keys), await client.bearer(keys))
  }

  test('nothing that was handed out can be read in what is stored', {
    skip: stage.name === 'SQLite file' ? false : 'looks into files',
  }, async () => {
    const { readdir, readFile } = await import('node:fs/promises')
    const keys = await newApp()
    const { pending, answer } = await approved(keys)
    const page = await visitor.get(
      `/oauth/authorize?oauth_token=${(await requestToken(client, keys, { oauth_callback: CALLBACK })).keys.token}`,
    )
    const done = await exchange(client, pending, verifierOf(answer))
    const pinned = await approved(keys, { oauth_callback: 'oob' })
    const secrets = {
      consumerSecret: keys.consumerSecret,
      demoSecret: app.consumerSecret,
      requestToken: pending.token,
      requestSecret: pending.tokenSecret,
      verifier: verifierOf(answer),
      pin: pinOf(pinned.answer),
      accessToken: done.keys.token,
      accessSecret: done.keys.tokenSecret,
      bearer: await client.bearer(keys),
      password: user.password,
      formToken: hiddenFields(page.text).form_token ?? '',
      ...Object.fromEntries(visitor.cookies),
    }
    const folder = opened.folder ?? ''
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
      (one) => one.isFile() && one.name !== 'master.key' && !one.parentPath.includes('tls'),
    )
    assert.ok(files.some(({ name }) => name === 'plaza.db'))
    for (const file of files) {
      const bytes = await readFile(`${file.parentPath}/${file.name}`)
      for (const [name, secret] of Object.entries(secrets)) {
        assert.ok(secret.length >= 7, name)
        assert.equal(bytes.includes(secret), false, `${name} is readable in ${file.name}`)
        // Base64 of the text would do as well.
        const middle = Buffer.from(secret).toString('base64').slice(0, -4)
        assert.equal(bytes.includes(middle), false, `${name} is readable in ${file.name}`)
      }
    }
  })
}

function counts(replies: readonly { status: number }[]): Record<number, number> {
  const found: Record<number, number> = {}
  for (const { status } of replies) found[status] = (found[status] ?? 0) + 1
  return found
}
