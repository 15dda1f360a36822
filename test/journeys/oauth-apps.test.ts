import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { endpoints } from '../../src/app/endpoints.ts'
import { createApp } from '../../src/identity/apps/apps.ts'
import { Client, type Keys } from '../support/client.ts'
import { type Opened, type Stage, stages } from '../support/stages.ts'
import {
  demoUser,
  exchange,
  hiddenFields,
  requestToken,
  textOf,
  Visitor,
  verifierOf,
} from '../support/visitor.ts'

const CALLBACK = 'https://app.example.com/callback'

for (const stage of stages)
  describe(`the page with the apps on ${stage.name}`, { skip: stage.skip }, () => journey(stage))

function journey(stage: Stage) {
  let opened: Opened
  let client: Client
  let user: ReturnType<typeof demoUser>
  before(async () => {
    opened = await stage.open({ rateLimits: 'off' })
    client = new Client(opened.plaza)
    user = demoUser(opened.plaza, 'demo')
  })
  after(async () => {
    await client?.close()
    await opened?.close()
  })
  beforeEach(() => opened.plaza.clock.advance(16 * 60_000))

  const newApp = (name: string) =>
    opened.plaza.context.store.write((tx) =>
      createApp(
        tx,
        {
          name,
          website: 'https://app.example.com/',
          ownerUserId: user.id,
          callbacks: [CALLBACK],
          permission: 'read-write',
          kind: 'web',
          signIn: false,
        },
        opened.plaza.context,
      ),
    )

  async function approved(visitor: Visitor, app: Keys) {
    const { keys: pending } = await requestToken(client, app, { oauth_callback: CALLBACK })
    const answer = await visitor.answer(`/oauth/authorize?oauth_token=${pending.token}`, user, 'approve')
    return { pending, verifier: verifierOf(answer) }
  }

  async function signedIn(): Promise<Visitor> {
    const visitor = new Visitor(client)
    const page = await visitor.get('/oauth/apps')
    const typed = { screen_name: user.screenName, password: user.password }
    const reply = await visitor.press(page, 'sign-in', typed)
    assert.deepEqual([reply.status, reply.headers.location], [303, '/oauth/apps'])
    return visitor
  }

  const post = (visitor: Visitor, path: string, form: Record<string, string>, headers = {}) =>
    client.send('POST', path, {
      form,
      headers: {
        cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...headers,
      },
    })

  const tokenOf = async (visitor: Visitor) =>
    hiddenFields((await visitor.get('/oauth/apps')).text).form_token ?? ''

  test('ends the token, and a sign-in in progress, of one app', async () => {
    const visitor = await signedIn()
    const app = await newApp('Paper Boat')
    const { pending, verifier } = await approved(visitor, app)
    const { keys } = await exchange(client, pending, verifier)
    const underWay = await approved(visitor, app)
    const kept = await newApp('Paper Plane')
    const other = await approved(visitor, kept)
    const { keys: otherKeys } = await exchange(client, other.pending, other.verifier)
    assert.match(textOf(await visitor.get('/oauth/apps')), /Paper Boat.*Since 2026-\d\d-\d\d.*Paper Plane/)

    const form_token = await tokenOf(visitor)
    const app_id = (await opened.plaza.context.credentials.appByKey(app.consumerKey))?.id ?? ''
    const done = await post(visitor, '/oauth/apps', { form_token, decision: 'revoke', app_id })
    assert.equal(done.status, 200)
    assert.match(textOf(done), /The app no longer has access\./)
    assert.doesNotMatch(textOf(done), /Paper Boat/)
    assert.equal((await client.signed('GET', '/2/webhooks', keys)).status, 401)
    assert.equal((await exchange(client, underWay.pending, underWay.verifier)).reply.status, 401)
    assert.equal((await client.signed('GET', '/2/webhooks', otherKeys)).status, 200)
    const again = await post(visitor, '/oauth/apps', { form_token, decision: 'revoke', app_id })
    assert.match(textOf(again), /The app had no access\./)
  })

  test('takes forms of its own page in this session only', async () => {
    const visitor = await signedIn()
    const app = await newApp('Paper Kite')
    const { pending, verifier } = await approved(visitor, app)
    const { keys } = await exchange(client, pending, verifier)
    const app_id = (await opened.plaza.context.credentials.appByKey(app.consumerKey))?.id ?? ''
    const form_token = await tokenOf(visitor)
    const stranger = await signedIn()
    const form = { form_token, decision: 'revoke', app_id }
    for (const [who, sent, headers] of [
      [visitor, { ...form, form_token: 'guessed' }, {}],
      [stranger, form, {}],
      [new Visitor(client), form, {}],
      [visitor, form, { origin: 'https://evil.example' }],
      [visitor, form, { 'sec-fetch-site': 'cross-site' }],
    ] as const) {
      const rejected = await post(who, '/oauth/apps', sent, headers)
      assert.equal(rejected.status, 403)
      assert.match(textOf(rejected), /This form has expired\./)
    }
    for (const headers of [{ origin: 'https://evil.example' }, {}]) {
      const token = headers.origin ? form_token : 'guessed'
      assert.equal((await post(visitor, '/oauth/sign_out', { form_token: token }, headers)).status, 403)
    }
    assert.equal((await client.signed('GET', '/2/webhooks', keys)).status, 200)
    assert.match(textOf(await visitor.get('/oauth/apps')), /Paper Kite/)
  })

  test('no form of another site is accepted, or ends a session, whatever cookies the browser sends', async () => {
    const forms = endpoints.filter(({ method, replyKind }) => method === 'POST' && replyKind === 'page')
    assert.ok(forms.length >= 5)
    const values = { form_token: 'guessed', oauth_token: 'a', request: 'a', decision: 'sign-in' }
    const visitor = await signedIn()
    for (const { path } of forms)
      for (const headers of [
        { origin: 'https://evil.example' },
        { 'sec-fetch-site': 'cross-site' },
        { origin: 'null' },
      ])
        for (const who of [new Visitor(client), visitor]) {
          const rejected = await post(who, path, values, headers)
          assert.deepEqual([rejected.status, rejected.cookies], [403, []], path)
        }
    assert.match(textOf(await visitor.get('/oauth/apps')), /Signed in as/)
    const again = await post(new Visitor(client), '/oauth/sign_out', { form_token: 'guessed' })
    assert.deepEqual([again.status, again.cookies], [200, []], 'nothing was checked, so nothing ends')
  })

  test('signs out: the session is worth nothing afterwards', async () => {
    const visitor = await signedIn()
    const form_token = await tokenOf(visitor)
    const kept = new Map(visitor.cookies)
    const out = await post(visitor, '/oauth/sign_out', { form_token })
    assert.equal(out.status, 200)
    assert.deepEqual(out.cookies, [
      '__Host-plaza_session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax',
    ])
    for (const [name, value] of kept) visitor.cookies.set(name, value)
    assert.match(textOf(await visitor.get('/oauth/apps')), /Sign in to see the apps/)
    assert.equal((await post(visitor, '/oauth/sign_out', { form_token })).status, 200)
  })

  test('a wrong password says so', async () => {
    const visitor = new Visitor(client)
    const page = await visitor.get('/oauth/apps')
    const failed = await visitor.press(page, 'sign-in', { screen_name: 'demo', password: 'wrong' })
    assert.equal(failed.status, 401)
    assert.match(textOf(failed), /Incorrect username or password\./)
  })
}
