import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { adminToken } from '../../src/api/admin/access.ts'
import { createApp } from '../../src/identity/apps/apps.ts'
import { adHocQuery, fixedTables } from '../../src/app/tables.ts'
import { systemRandom } from '../../src/platform/common/random.ts'
import { Client, demoKeys, type Reply } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'
import {
  asClient,
  bearing,
  consent,
  exchangeOf,
  pageOf,
  REDIRECT,
  refreshOf,
  type Tokens,
  VERIFIER,
} from '../support/user-tokens.ts'
import { demoUser, exchange, pinOf, requestToken, Visitor, verifierOf } from '../support/visitor.ts'

// Uses every kind of secret, then looks for them in everything that the journal shows, and in every
// other place where Plaza writes or shows something.

/** Every file of a folder, as Latin-1, by its path. */
const filesIn = (folder: string): [string, string][] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => [name, readFileSync(join(folder, name), 'latin1')])

/** Every row of a database, as text, by its table. */
const rowsIn = async ({ plaza: { context } }: Opened): Promise<[string, string][]> =>
  Promise.all(
    fixedTables.map(async ({ name }) => {
      const rows = adHocQuery<object, { row: string }>(`rowsOf ${name}`, (db) => ({
        compile: () => sql`select row_to_json(t)::text as row from ${sql.table(name)} as t`.compile(db),
      }))
      const texts = (await context.store.all(rows, {})).map(({ row }) => row)
      return [`the table ${name}`, texts.join('\n')] as [string, string]
    }),
  )

/** The columns that hold what is derived from a secret. */
const secretColumns = fixedTables.flatMap(({ name, columns }) =>
  Object.keys(columns)
    .filter((column) => /_(sealed|hash)$/.test(column) && column !== 'poster_hash')
    .map((column) => ({ name, column })),
)

/** The forms in which a secret could be written: bytes are shown in hexadecimal digits. */
const formsOf = (secret: string) => [
  ...[secret, encodeURIComponent(secret), decodeURIComponent(secret)],
  Buffer.from(secret).toString('hex'),
]

for (const stage of stages.filter(({ name }) => name !== 'SQLite in memory')) {
  describe(`secrets on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let plaza: Opened['plaza']
    let client: Client
    /** By what they are. */
    const secrets = new Map<string, string>()

    const keep = (name: string, value: string | undefined): string => {
      assert.ok(value !== undefined && value.length >= 7, `${name} is ${value}`)
      secrets.set(name, value)
      return value
    }

    const masterKey = systemRandom.bytes(32).toString('hex')
    const logged: string[] = []

    before(async () => {
      const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
      opened = await stage.open({ journal: 'on', masterKey }, { usesOwnClock: true, log })
      plaza = opened.plaza
      client = new Client(plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const admin = (path: string): Promise<Reply> =>
      client.send('GET', `${plaza.urls.console}/admin/v1/journal${path}`)

    test('OAuth 1.0a: request token, sign-in, verifier, access token', async () => {
      const keys = demoKeys(plaza)
      const user = demoUser(plaza, 'demo')
      keep('consumer secret', keys.consumerSecret)
      keep('token secret', keys.tokenSecret)
      keep('password', user.password)
      const pending = await requestToken(client, keys, { oauth_callback: 'http://127.0.0.1:3000/callback' })
      assert.equal(pending.reply.status, 200, pending.reply.text)
      keep('request token secret', pending.keys.tokenSecret)
      const visitor = new Visitor(client)
      const approved = await visitor.answer(
        `/oauth/authorize?oauth_token=${pending.keys.token}`,
        user,
        'approve',
      )
      for (const [name, value] of visitor.cookies) keep(`cookie ${name}`, value)
      const verifier = keep('verifier', verifierOf(approved))
      const access = await exchange(client, pending.keys, verifier)
      assert.equal(access.reply.status, 200, access.reply.text)
      keep('new token secret', access.keys.tokenSecret)
      const again = await exchange(client, pending.keys, verifier)
      assert.equal(again.reply.status, 401, 'a used verifier is rejected, and explained')
      const desktop = await requestToken(client, keys, { oauth_callback: 'oob' })
      const page = `/oauth/authorize?oauth_token=${desktop.keys.token}`
      keep('PIN', pinOf(await visitor.answer(page, user, 'approve')))
    })

    test('OAuth 2.0: client secret, code, verifier, tokens, app-only bearer', async () => {
      const user = demoUser(plaza, 'demo')
      const { context } = plaza
      const app = await context.store.write((tx) =>
        createApp(
          tx,
          {
            ...{ name: 'Secret keeper', website: 'https://app.example.com/', ownerUserId: user.id },
            ...{ callbacks: [REDIRECT], permission: 'read-write', kind: 'web', signIn: false },
          },
          context,
        ),
      )
      keep('client secret', app.clientSecret)
      keep('another consumer secret', app.consumerSecret)
      keep('code verifier', VERIFIER)
      const code = keep('code', (await consent(client, pageOf(app), user)).get('code') ?? undefined)
      const given = await asClient(client, app, exchangeOf(code))
      assert.equal(given.status, 200, given.text)
      const { access_token, refresh_token } = given.json as Tokens
      keep('access token', access_token)
      keep('refresh token', refresh_token)
      assert.equal((await client.send('GET', '/2/users/me', bearing(access_token))).status, 200)
      const refreshed = await asClient(client, app, refreshOf(refresh_token))
      assert.equal(refreshed.status, 200, refreshed.text)
      keep('second access token', (refreshed.json as Tokens).access_token)
      const second = (refreshed.json as Tokens).refresh_token
      keep('second refresh token', second)
      const revoked = await asClient(client, app, { token: second }, '/2/oauth2/revoke')
      assert.equal(revoked.status, 200, revoked.text)
      keep('bearer', await client.bearer(app))
    })

    test('secrets in the wrong place are masked, too', async () => {
      const bearer = String(secrets.get('bearer'))
      const access = String(secrets.get('second access token'))
      await client.send('GET', `/2/posts?ids=1&access_token=${encodeURIComponent(access)}`)
      await client.send('GET', `/2/posts?ids=1&bearer=${encodeURIComponent(bearer)}`)
      await client.send('POST', '/2/posts', { json: { access_token: access, text: bearer } })
      await client.send('POST', '/oauth2/token', {
        form: { client_secret: String(secrets.get('client secret')), client_id: 'x' },
      })
    })

    test('nothing that the journal shows has a secret', async () => {
      const list = await admin('?limit=1000')
      const { data } = list.json as { data: { id: string; url: string }[] }
      assert.ok(data.length >= 15, String(data.length))
      assert.equal(secrets.size >= 16, true, [...secrets.keys()].join())
      const shown = [list.text, (await admin('/export')).text, (await admin('/counts')).text]
      for (const { id } of data)
        for (const end of ['', '/export?format=curl', '/export?format=har', '/export?format=test']) {
          const reply = await admin(`/${id}${end}`)
          assert.equal(reply.status, 200, reply.text)
          shown.push(reply.text)
        }
      const text = shown.join('\n')
      assert.ok(text.includes('/2/oauth2/token') && text.includes('grant_type=authorization_code'))
      for (const [name, secret] of secrets)
        for (const form of formsOf(secret))
          assert.ok(!text.includes(form), `${name} is shown: …${around(text, form)}…`)
    })

    test('what the admin API makes, and the keys of the installation', async () => {
      const make = async (path: string, json: object) => {
        const reply = await client.send('POST', `${plaza.urls.console}/admin/v1${path}`, { json })
        assert.equal(reply.status, 201, reply.text)
        return (reply.json as { data: Record<string, string> }).data
      }
      keep('made password', (await make('/users', { screen_name: 'ann', name: 'Ann' })).password)
      const app = await make('/apps', { name: 'Made', owner: 'ann', website: 'https://app.example/' })
      const { id: app_id } = app
      keep('made consumer secret', app.consumer_secret)
      keep('made client secret', app.client_secret)
      const first = await make('/tokens', { kind: 'oauth1', app_id, user: 'ann' })
      keep('made token secret', first.access_token_secret)
      const scopes = ['post.read', 'users.read', 'offline.access']
      const second = await make('/tokens', { kind: 'oauth2', app_id, user: 'ann', scopes })
      keep('made access token', second.access_token)
      keep('made refresh token', second.refresh_token)
      keep('made bearer', (await make('/tokens', { kind: 'bearer', app_id })).bearer_token)
      keep('admin token', adminToken(plaza.context.sealer))
      keep('master key', masterKey)
      if (opened.folder) await make('/snapshots', { name: 'one' })
    })

    test('every column for what is derived from a secret is used', async () => {
      for (const { name, column } of secretColumns) {
        const used = adHocQuery<object, { used: number }>(`used ${name} ${column}`, (db) => ({
          compile: () => sql`select count(${sql.ref(column)}) as used from ${sql.table(name)}`.compile(db),
        }))
        const [row] = await plaza.context.store.all(used, {})
        assert.ok(Number(row?.used) > 0, `${name}.${column} has no value: use its secret above`)
      }
    })

    test('no other place has a secret', async () => {
      const read = async (path: string) => {
        const reply = await client.send('GET', plaza.urls.console + path)
        // Snapshots are not available on PostgreSQL.
        assert.ok(reply.status === 200 || reply.status === 409, `${path}: ${reply.text}`)
        return [path, reply.text] as [string, string]
      }
      const shown = ['/', '/metrics', '/health', '/reference/admin'].map(read)
      const called = ['seed', 'status', 'logs', 'metrics', 'settings', 'faults', 'snapshots', 'users', 'apps']
      const places = [
        ...(opened.folder ? filesIn(opened.folder) : await rowsIn(opened)),
        ['the log', logged.join('')] as [string, string],
        ...(await Promise.all([...shown, ...called.map((path) => read(`/admin/v1/${path}`))])),
      ]
      const names = new Set(places.map(([name]) => name))
      const expected = opened.folder
        ? ['plaza.db', join('snapshots', 'one', 'plaza.db')]
        : ['the table users']
      for (const name of expected) assert.ok(names.has(name), name)
      assert.ok(logged.length > 0)
      for (const [place, text] of places)
        for (const [name, secret] of secrets)
          for (const form of formsOf(secret)) assert.ok(!text.includes(form), `${place} has the ${name}`)
    })

    test('a search cannot find a secret either', async () => {
      for (const [name, secret] of secrets) {
        const { json } = await admin(`?text=${encodeURIComponent(secret.slice(0, 200))}`)
        assert.deepEqual((json as { data: unknown[] }).data, [], name)
      }
    })
  })
}

const around = (text: string, part: string) => {
  const at = text.indexOf(part)
  return text.slice(Math.max(0, at - 80), at)
}
