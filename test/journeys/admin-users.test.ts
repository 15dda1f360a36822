import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Admin } from '../support/admin.ts'
import { Client, type Keys } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'

// Users, apps and tokens that the admin API makes work at once in the APIs.

interface MadeApp {
  id: string
  consumer_key: string
  consumer_secret: string
  client_id: string
  client_secret: string
  tokens: { user_id: string; access_token: string; access_token_secret: string }[]
}

const APP = { name: 'Tool', website: 'https://tool.example/', owner: 'ann' }

for (const stage of stages) {
  describe(`users, apps and tokens of the admin API on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let admin: Admin
    before(async () => {
      opened = await stage.open({ rateLimits: 'off' }, { usesOwnClock: true })
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const keysOf = ({ consumer_key, consumer_secret, tokens }: MadeApp): Keys => ({
      consumerKey: consumer_key,
      consumerSecret: consumer_secret,
      token: tokens[0]?.access_token as string,
      tokenSecret: tokens[0]?.access_token_secret as string,
    })
    const me = (keys: Keys) => client.signed('GET', '/2/users/me', keys)

    test('a user is made with the whole profile, and found by id, name and beginning of the name', async () => {
      const made = await admin.call('POST', '/users', {
        screen_name: 'ann',
        name: 'Ann',
        description: 'Writes about #bridges.',
        location: 'Hamburg',
        url: 'https://ann.example/',
        profile_image_url: 'https://ann.example/face.png',
        verified_type: 'blue',
        subscription_type: 'Premium',
        direct_messages_from: 'followed',
        note_writer: 'top',
        created_at: '-2d',
      })
      const { password, ...ann } = made
      assert.match(String(password), /^[A-Za-z0-9]{16}$/)
      const age = Date.now() - Date.parse(String(ann.created_at))
      assert.ok(age >= 2 * 86_400_000 && age < 2 * 86_400_000 + 120_000, String(ann.created_at))
      assert.deepEqual(
        { ...ann, id: '', created_at: '' },
        {
          id: '',
          screen_name: 'ann',
          name: 'Ann',
          description: 'Writes about #bridges.',
          location: 'Hamburg',
          url: 'https://ann.example/',
          profile_image_url: 'https://ann.example/face.png',
          profile_banner_url: null,
          protected: false,
          verified: true,
          verified_type: 'blue',
          subscription_type: 'Premium',
          affiliation_user_id: null,
          direct_messages_from: 'followed',
          note_writer: 'top',
          suspended: false,
          parody: false,
          is_identity_verified: false,
          withheld_in: [],
          followers_count: 0,
          following_count: 0,
          post_count: 0,
          created_at: '',
        },
      )
      for (const who of [ann.id, 'ANN', '@ann'])
        assert.deepEqual(await admin.call('GET', `/users/${who}`), ann)
      for (const screen_name of ['anna', 'anton', 'b_ann'])
        await admin.call('POST', '/users', { screen_name, name: screen_name, password: 'secret' })
      const names = async (path: string) =>
        (await admin.all<{ screen_name: string }>(path)).map((user) => user.screen_name)
      assert.deepEqual(await names('/users?screen_name_prefix=AN'), ['ann', 'anna', 'anton'])
      assert.deepEqual((await names('/users')).sort(), [
        'advertiser',
        'ann',
        'anna',
        'anton',
        'b_ann',
        'demo',
      ])
      assert.ok(!(await admin.send('GET', '/users')).text.includes('password'))
    })

    test('a user is renamed, verified, protected and suspended, and clients see it at once', async () => {
      const app = await admin.call<MadeApp>('POST', '/apps', { ...APP, grants: ['ann', 'ANN'] })
      assert.equal(app.tokens.length, 1)
      const keys = keysOf(app)
      assert.equal((await me(keys)).status, 200)
      const changed = await admin.call('PUT', '/users/ann', {
        screen_name: 'Ann_B',
        affiliation: '@demo',
        protected: true,
        verified_type: 'business',
        url: null,
      })
      assert.deepEqual(
        [changed.screen_name, changed.protected, changed.verified_type, changed.url, changed.location],
        ['Ann_B', true, 'business', null, 'Hamburg'],
      )
      const fields = 'user.fields=protected,verified_type,location'
      const seen = await client.signed('GET', `/2/users/me?${fields}`, keys)
      assert.deepEqual((seen.json as { data: object }).data, {
        id: changed.id,
        name: 'Ann',
        username: 'Ann_B',
        location: 'Hamburg',
        protected: true,
        verified_type: 'business',
      })
      await admin.call('PUT', '/users/ann_b', { suspended: true })
      assert.equal((await me(keys)).status, 403)
      await admin.call('PUT', '/users/ann_b', { suspended: false, screen_name: 'ann', protected: false })
      assert.equal((await me(keys)).status, 200)
    })

    test('wrong values are named and change nothing', async () => {
      const before = await admin.call('GET', '/users/ann')
      const wrongs: [string, string, unknown, number, RegExp][] = [
        ['POST', '/users', { screen_name: 'ANN', name: 'A' }, 400, /^The screen name @ANN is taken\.$/],
        ['POST', '/users', { screen_name: 'a b', name: 'A' }, 400, /screen_name/],
        ['POST', '/users', { screen_name: 'zed', name: '\u200b' }, 400, /^The name must have a visible/],
        ['POST', '/users', { screen_name: 'zed' }, 400, /name: is missing/],
        ['POST', '/users', { screen_name: 'zed', name: 'Z', colour: 'red' }, 400, /colour/],
        ['POST', '/users', { screen_name: 'zed', name: 'Z', affiliation: 'nobody' }, 400, /no user nobody/],
        [
          'POST',
          '/users',
          { screen_name: 'zed', name: 'Z', created_at: '+1d' },
          400,
          /^`created_at` must be from/,
        ],
        [
          'POST',
          '/users',
          { screen_name: 'zed', name: 'Z', created_at: 'noon' },
          400,
          /must be a time such as/,
        ],
        ['PUT', '/users/ann', { screen_name: 'DEMO' }, 400, /^The screen name @DEMO is taken\.$/],
        ['PUT', '/users/ann', { verified_type: 'red' }, 400, /verified_type: must be one of/],
        ['GET', '/users/nobody', undefined, 404, /^There is no user nobody\.$/],
        ['PUT', '/users/nobody', {}, 404, /^There is no user nobody\.$/],
        ['POST', '/apps', { ...APP, owner: 'nobody' }, 400, /^There is no user nobody\.$/],
        [
          'POST',
          '/apps',
          { ...APP, website: 'tool' },
          400,
          /^The website must be an http or https URL, not "tool"/,
        ],
        [
          'POST',
          '/apps',
          { ...APP, callbacks: ['javascript://x'] },
          400,
          /^The callback "javascript:\/\/x" is not/,
        ],
        ['POST', '/apps', { ...APP, grants: ['ann', 'nobody'] }, 400, /^There is no user nobody\.$/],
        ['GET', '/apps/1', undefined, 404, /^There is no app with the id 1\.$/],
        [
          'POST',
          '/tokens',
          { kind: 'oauth1', app_id: '1', user: 'ann' },
          400,
          /^There is no app with the id 1/,
        ],
        ['POST', '/tokens', { kind: 'bearer', app_id: '1', user: 'ann' }, 400, /bearer has no `user`/],
        ['POST', '/tokens', { kind: 'oauth2', app_id: '1', user: 'ann' }, 400, /`scopes` is missing/],
      ]
      const apps = await admin.all('/apps')
      for (const [method, path, body, status, says] of wrongs) {
        const [was, said] = await admin.wrong(method, path, body)
        assert.equal(was, status, said)
        assert.match(said, says)
      }
      assert.deepEqual(await admin.call('GET', '/users/ann'), before)
      assert.deepEqual(await admin.all('/apps'), apps)
      assert.equal((await admin.send('GET', '/users/zed')).status, 404)
    })

    test('a new password replaces the old one', async () => {
      const first = await admin.call('POST', '/users/ann/rotate_password')
      const second = await admin.call('POST', '/users/ann/rotate_password')
      assert.match(String(second.password), /^[A-Za-z0-9]{16}$/)
      assert.notEqual(first.password, second.password)
    })

    test('an app is changed, gets new keys, and is suspended and deleted at once', async () => {
      const app = await admin.call<MadeApp>('POST', '/apps', { ...APP, grants: ['ann'], permission: 'read' })
      const keys = keysOf(app)
      assert.equal((await me(keys)).status, 200)
      const path = `/apps/${app.id}`
      const changed = await admin.call('PUT', path, {
        name: 'Better tool',
        callbacks: ['https://tool.example/back'],
        permission: 'read-write',
      })
      assert.deepEqual(
        [changed.name, changed.callbacks, changed.permission],
        ['Better tool', ['https://tool.example/back'], 'read-write'],
      )
      const list = await admin.send('GET', '/apps?limit=200')
      for (const secret of [app.consumer_secret, app.client_secret, app.consumer_key])
        assert.ok(!list.text.includes(secret))
      await admin.call('PUT', path, { suspended: true })
      assert.equal((await me(keys)).status, 401)
      await admin.call('PUT', path, { suspended: false, enrolled: false })
      assert.equal((await me(keys)).status, 403)
      await admin.call('PUT', path, { enrolled: true })
      const rotated = await admin.call<MadeApp>('POST', `${path}/rotate_keys`)
      assert.equal((await me(keys)).status, 401)
      const newer = { ...keys, consumerKey: rotated.consumer_key, consumerSecret: rotated.consumer_secret }
      assert.equal((await me(newer)).status, 200)
      assert.equal(rotated.client_id, app.client_id)
      const bearer = await client.bearer(newer)
      const webhooks = () =>
        client.send('GET', '/2/webhooks', { headers: { authorization: `Bearer ${bearer}` } })
      assert.equal((await webhooks()).status, 200)
      await admin.call('DELETE', path)
      assert.equal((await me(newer)).status, 401)
      assert.equal((await webhooks()).status, 401)
      assert.deepEqual(await admin.wrong('GET', path), [404, `There is no app with the id ${app.id}.`])
    })

    test('tokens of each kind are made, used, listed and revoked', async () => {
      const app = await admin.call<MadeApp>('POST', '/apps', APP)
      const [consumerKey, consumerSecret] = [app.consumer_key, app.consumer_secret]
      const oauth1 = { kind: 'oauth1', app_id: app.id, user: 'ann' }
      const pair = await admin.call('POST', '/tokens', { ...oauth1, access: 'read' })
      const keysWith = (one: Record<string, unknown>): Keys => ({
        ...{ consumerKey, consumerSecret },
        token: String(one.access_token),
        tokenSecret: String(one.access_token_secret),
      })
      const post = (keys: Keys) =>
        client.signed('POST', '/2/posts', keys, { json: { text: `Hello ${app.id}` } })
      assert.equal((await me(keysWith(pair))).status, 200)
      assert.equal((await post(keysWith(pair))).status, 403)
      const same = await admin.call('POST', '/tokens', { ...oauth1, access: 'read' })
      assert.deepEqual(
        [same.access_token, same.access_token_secret],
        [pair.access_token, pair.access_token_secret],
      )
      const wider = await admin.call('POST', '/tokens', oauth1)
      assert.equal(wider.access, 'read-write')
      assert.equal((await me(keysWith(pair))).status, 401, 'it was replaced')
      assert.equal((await post(keysWith(wider))).status, 201)

      const scopes = ['post.read', 'users.read', 'offline.access']
      const oauth2 = { kind: 'oauth2', app_id: app.id, user: 'ann', scopes, expires_in_seconds: 600 }
      const made = await admin.call('POST', '/tokens', oauth2)
      const bearing = (token: unknown, path = '/2/users/me') =>
        client.send('GET', path, { headers: { authorization: `Bearer ${token}` } })
      assert.equal((await bearing(made.access_token)).status, 200)
      const refreshed = await client.send('POST', '/2/oauth2/token', {
        form: { grant_type: 'refresh_token', refresh_token: String(made.refresh_token) },
        headers: {
          authorization: `Basic ${Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')}`,
        },
      })
      assert.equal(refreshed.status, 200, refreshed.text)
      assert.deepEqual(
        (await admin.all<Record<string, unknown>>('/users/ann/tokens')).find(
          ({ app_id }) => app_id === app.id,
        )?.scopes,
        ['offline.access', 'post.read', 'users.read'],
      )

      const { bearer_token } = await admin.call('POST', '/tokens', { kind: 'bearer', app_id: app.id })
      assert.equal(bearer_token, await client.bearer({ consumerKey, consumerSecret }))
      assert.equal((await bearing(bearer_token, '/2/webhooks')).status, 200)

      const { now } = await admin.call('GET', '/clock')
      const later = new Date(Date.parse(String(now)) + 11 * 60_000).toISOString()
      await admin.call('PUT', '/clock', { now: later })
      assert.equal((await bearing(made.access_token)).status, 401, 'it has expired by the clock of Plaza')

      const { user: _, ...ofApp } = oauth1
      for (const revoked of [true, false]) {
        assert.deepEqual(await admin.call('POST', '/tokens/revoke', oauth1), { revoked })
        const { scopes: __, expires_in_seconds: ___, ...grant } = oauth2
        assert.deepEqual(await admin.call('POST', '/tokens/revoke', grant), { revoked })
        assert.deepEqual(await admin.call('POST', '/tokens/revoke', { ...ofApp, kind: 'bearer' }), {
          revoked,
        })
      }
      assert.equal((await me(keysWith(wider))).status, 401)
      assert.equal((await bearing(bearer_token, '/2/webhooks')).status, 401)
      const left = await admin.all<Record<string, unknown>>('/users/ann/tokens')
      assert.ok(left.every(({ app_id }) => app_id !== app.id))
      assert.match((await admin.wrong('POST', '/tokens/revoke', ofApp))[1], /`user` is missing/)
    })
  })
}
