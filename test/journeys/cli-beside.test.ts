import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { ReadyFile } from '../../src/app/cli/files.ts'
import {
  runPlaza,
  type Started,
  spawnPlaza,
  startCli,
  stopCli,
  temporaryFolder,
  until,
} from './cli.fixture.ts'

/** Commands that run beside a server that another user started. */

async function beside<T>(t: TestContext, { data }: Started, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await runPlaza(t, [...args, `--data=${data}`, '--json'])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as T
}

/** The status of a request with these keys. */
async function statusWith(
  t: TestContext,
  { ready }: Started,
  flags: Record<string, string>,
): Promise<number> {
  const { stdout, stderr } = await runPlaza(
    t,
    [
      'request',
      'GET',
      `${ready.core_url}/2/webhooks`,
      '--json',
      ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    ],
    { env: { NODE_EXTRA_CA_CERTS: ready.ca_file as string } },
  )
  assert.notEqual(stdout, '', stderr)
  return (JSON.parse(stdout) as { status: number }).status
}

const keysOf = ({ app, user }: ReadyFile) => ({
  'consumer-key': app?.consumer_key as string,
  'consumer-secret': app?.consumer_secret as string,
  token: user?.access_token as string,
  'token-secret': user?.access_token_secret as string,
})

interface NewKeys {
  id: string
  consumer_key: string
  consumer_secret: string
  client_secret: string
  tokens: { access_token: string; access_token_secret: string }[]
}

const NEW_APP = ['--name=Tool', '--website=https://tool.example/', '--owner=demo']

test('a new app may call at once, a rotated one no longer', async (t) => {
  const plaza = await startCli(t)
  const made = await beside<NewKeys>(t, plaza, 'app', 'create', ...NEW_APP, '--grant=demo')
  const keys = {
    'consumer-key': made.consumer_key,
    'consumer-secret': made.consumer_secret,
    token: made.tokens[0]?.access_token as string,
    'token-secret': made.tokens[0]?.access_token_secret as string,
  }
  assert.equal(await statusWith(t, plaza, keys), 200)
  const rotated = await beside<NewKeys>(t, plaza, 'app', 'rotate', made.id)
  assert.equal(await statusWith(t, plaza, keys), 401)
  const after = { 'consumer-key': rotated.consumer_key, 'consumer-secret': rotated.consumer_secret }
  assert.equal(await statusWith(t, plaza, { ...keys, ...after }), 200)
})

test('an app that is not enrolled uses nothing under /2/ until it is', async (t) => {
  const plaza = await startCli(t)
  const made = await beside<NewKeys>(t, plaza, 'app', 'create', ...NEW_APP, '--grant=demo', '--not-enrolled')
  const keys = {
    'consumer-key': made.consumer_key,
    'consumer-secret': made.consumer_secret,
    token: made.tokens[0]?.access_token as string,
    'token-secret': made.tokens[0]?.access_token_secret as string,
  }
  assert.equal(await statusWith(t, plaza, keys), 403)
  const { stdout } = await runPlaza(t, ['app', 'list', `--data=${plaza.data}`])
  assert.match(stdout, /Tool {2}\(not enrolled\)\n/)
  assert.deepEqual(await beside(t, plaza, 'app', 'enroll', made.id), { id: made.id, enrolled: true })
  assert.equal(await statusWith(t, plaza, keys), 200)
  assert.deepEqual(await beside(t, plaza, 'app', 'unenroll', made.id), { id: made.id, enrolled: false })
  assert.equal(await statusWith(t, plaza, keys), 403)
  const unknown = await runPlaza(t, ['app', 'enroll', '1', `--data=${plaza.data}`])
  assert.deepEqual(
    [unknown.code, unknown.stderr],
    [1, 'plaza: There is no app with the id 1. "plaza app list" lists the apps.\n'],
  )
})

test('keys and passwords that were replaced are the ones of the next ready file', async (t) => {
  const folder = temporaryFolder(t)
  const plaza = await startCli(t, { folder })
  const { app, user } = plaza.ready
  assert.equal(await statusWith(t, plaza, keysOf(plaza.ready)), 200)
  const keys = await beside<NewKeys>(t, plaza, 'app', 'rotate', app?.id as string)
  const { password } = await beside<{ password: string }>(t, plaza, 'user', 'rotate', 'DEMO')
  assert.equal(await statusWith(t, plaza, keysOf(plaza.ready)), 401)
  await stopCli(plaza)

  const { ready } = await startCli(t, { folder })
  assert.deepEqual(ready.app, {
    id: app?.id,
    consumer_key: keys.consumer_key,
    consumer_secret: keys.consumer_secret,
    client_id: app?.client_id,
    client_secret: keys.client_secret,
  })
  assert.deepEqual(ready.user, { ...user, password })
})

test('lists show every row and no secret', async (t) => {
  const plaza = await startCli(t)
  const made = await beside<NewKeys>(t, plaza, 'app', 'create', ...NEW_APP)
  const carol = await beside<{ id: string; password: string }>(
    t,
    plaza,
    'user',
    'create',
    '--screen-name=carol',
    '--name=Carol',
  )
  const taken = await runPlaza(t, [
    'user',
    'create',
    '--screen-name=CAROL',
    '--name=C',
    `--data=${plaza.data}`,
  ])
  assert.deepEqual([taken.code, taken.stderr], [1, 'plaza: The screen name @CAROL is taken.\n'])
  for (const args of [
    ['app', 'list'],
    ['user', 'list'],
    ['app', 'list', '--json'],
    ['user', 'list', '--json'],
  ]) {
    const { stdout } = await runPlaza(t, [...args, `--data=${plaza.data}`])
    assert.ok(stdout.includes(args[0] === 'app' ? made.id : carol.id))
    for (const secret of [made.consumer_secret, carol.password, ...Object.values(keysOf(plaza.ready))])
      assert.ok(!stdout.includes(secret))
  }
})

describe('plaza request', () => {
  test('explains a signature: the example that the reference works through', async (t) => {
    const { code, stdout } = await runPlaza(t, [
      'request',
      'POST',
      'https://api.example.com/1.1/statuses/update.json?include_entities=true',
      '--form=status=Hello Ladies + Gentlemen, a signed OAuth request!',
      '--consumer-key=xvz1evFS4wEEPTGEFPHBog',
      '--consumer-secret=kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw',
      '--token=370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb',
      '--token-secret=LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE',
      '--nonce=kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg',
      '--timestamp=1318622958',
      '--explain',
      '--dry-run',
    ])
    assert.equal(code, 0)
    assert.match(stdout, /&include_entities%3Dtrue%26oauth_consumer_key|POST&https%3A%2F%2Fapi\.example\.com/)
    assert.match(stdout, /\*{8}&\*{8}/)
    assert.ok(!stdout.includes('kAcSOqF21') && !stdout.includes('LswwdoUaIvS8'))
    const base = /^ {5}(POST&.*)$/m.exec(stdout)?.[1] as string
    const key = 'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw&LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE'
    assert.ok(stdout.includes(createHmac('sha1', key).update(base).digest('base64')))
  })

  test('reproduces an example without oauth_version: the one of RFC 5849, section 1.2', async (t) => {
    const { code, stdout } = await runPlaza(t, [
      'request',
      'POST',
      'https://photos.example.net/token',
      '--consumer-key=dpf43f3p2l4k3l03',
      '--consumer-secret=kd94hf93k423kf44',
      '--token=hh5s93j4hdidpola',
      '--token-secret=hdhd0244k9j7ao03',
      '--verifier=hfdp7dh39dks9884',
      '--nonce=walatlh',
      '--timestamp=137131201',
      '--no-oauth-version',
      '--dry-run',
      '--json',
    ])
    assert.equal(code, 0)
    const { request } = JSON.parse(stdout) as { request: { headers: { authorization: string } } }
    assert.equal(
      request.headers.authorization,
      'OAuth oauth_consumer_key="dpf43f3p2l4k3l03", oauth_nonce="walatlh", oauth_signature_method="HMAC-SHA1", ' +
        'oauth_timestamp="137131201", oauth_token="hh5s93j4hdidpola", oauth_verifier="hfdp7dh39dks9884", ' +
        'oauth_signature="gKgrFCywp7rO0OXSjdot%2FIHF7IU%3D"',
    )
  })

  test('prints a body byte for byte, also in JSON: ids of 64 bits are not rounded', async (t) => {
    const bodies: [type: string, body: Buffer, json: string][] = [
      [
        'application/json',
        Buffer.from('{"id": 9007199254740993,\n "x":1e2}'),
        '"body":{"id": 9007199254740993,\n "x":1e2}}',
      ],
      ['text/plain', Buffer.from('no JSON: \u00e9'), '"body":"no JSON: \u00e9"}'],
      ['image/png', Buffer.from([0x89, 0x50, 0x0a, 0xff, 0x00]), '"body_base64":"iVAK/wA="}'],
    ]
    const server = createServer(({ url }, response) => {
      const [type, body] = bodies[Number(url?.slice(1))] as (typeof bodies)[number]
      response.writeHead(200, { 'content-type': type }).end(body)
    })
    t.after(() => server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    for (const [index, [, body, json]] of bodies.entries()) {
      const args = ['request', 'GET', `http://127.0.0.1:${port}/${index}`, '--as=none']
      const printed = await runPlaza(t, args)
      assert.deepEqual([printed.code, printed.stderr], [0, 'HTTP 200\n'])
      assert.deepEqual(printed.bytes, body)
      assert.ok((await runPlaza(t, [...args, '--json'])).stdout.endsWith(`${json}\n`))
      const included = (await runPlaza(t, [...args, '--include'])).stdout
      assert.match(included, /^HTTP 200\n(.+: .*\n)+\n/)
    }
  })

  test('finds the host of a path by itself, and the sandbox when it is asked for', async (t) => {
    const plaza = await startCli(t)
    const { core_url, ads_url, ads_sandbox_url } = plaza.ready
    const paths: [path: string, origin: string, args?: string[]][] = [
      ['/12/accounts', ads_url],
      ['/12/accounts', ads_sandbox_url, ['--host=sandbox']],
      ['/12', ads_url],
      ['/11/accounts?count=1', ads_url],
      ['/2/webhooks', core_url],
      ['/1.1/media/upload.json', core_url],
      ['/oauth/request_token', core_url],
      ['/12x', core_url],
      ['/2/webhooks', ads_url, ['--host=ads']],
    ]
    for (const [path, origin, args = []] of paths) {
      const { request } = await beside<{ request: { url: string } }>(
        t,
        plaza,
        ...['request', 'GET', path, '--dry-run', ...args],
      )
      assert.equal(request.url, origin + path)
    }
  })

  test('goes as a user, as the app, as the client and as no one', async (t) => {
    const plaza = await startCli(t)
    const send = (...args: string[]) =>
      beside<{ status: number; body: unknown }>(t, plaza, 'request', ...args)
    assert.equal((await send('GET', '/2/webhooks')).status, 200)
    assert.equal((await send('GET', '/2/webhooks', '--as=app')).status, 200)
    const asked = await send(
      'POST',
      '/oauth/request_token',
      '--as=client',
      '--callback=http://127.0.0.1:3000/callback',
    )
    assert.match(String(asked.body), /oauth_callback_confirmed=true/)
    const { code, stdout } = await runPlaza(t, [
      'request',
      'GET',
      '/2/webhooks',
      '--as=none',
      '-i',
      `--data=${plaza.data}`,
    ])
    assert.equal(code, 1)
    assert.match(stdout, /^HTTP 401\n(.*\n)*x-transaction-id: /)
  })
})

describe('plaza listen', () => {
  async function listen(t: TestContext, plaza: Started, ...args: string[]) {
    const running = spawnPlaza(t, ['listen', '--port=0', '--json', `--data=${plaza.data}`, ...args])
    const url = await until(running, 'the address', () => /"url":"([^"]*)"/.exec(running.stdout())?.[1])
    return { ...running, url }
  }
  const sign = (secret: string, text: string) =>
    `sha256=${createHmac('sha256', secret).update(text).digest('base64')}`

  test('answers checks, prints what is signed and rejects the rest', async (t) => {
    const plaza = await startCli(t)
    const secret = plaza.ready.app?.consumer_secret as string
    const consumer = await listen(t, plaza)
    const check = await fetch(`${consumer.url}?crc_token=abc&nonce=1`)
    assert.deepEqual(await check.json(), { response_token: sign(secret, 'abc') })
    const wrongly = { 'x-svc-webhooks-signature': sign('other', 'crc_token=abc&nonce=1') }
    assert.equal((await fetch(`${consumer.url}?crc_token=abc&nonce=1`, { headers: wrongly })).status, 200)

    const body = '{"follow_events": [{"id": "1", "text": "\\u001b[31mred"}]}'
    const deliver = (signature: string | undefined, text = body) =>
      fetch(consumer.url, {
        method: 'POST',
        body: text,
        headers: signature === undefined ? {} : { 'x-svc-webhooks-signature': signature },
      })
    assert.equal((await deliver(sign(secret, body))).status, 200)
    assert.equal((await deliver(sign('other', body))).status, 401)
    assert.equal((await deliver(sign(secret, body), `${body} `)).status, 401)
    assert.equal((await deliver(undefined)).status, 401)
    assert.equal((await fetch(new URL('/other', consumer.url))).status, 404)
    assert.equal((await fetch(consumer.url)).status, 400)
    const large = 'x'.repeat(1024 * 1024 + 1)
    const rejected = await deliver(sign(secret, large), large).then(
      ({ status }) => status,
      () => 413,
    )
    assert.equal(rejected, 413)

    const { code, stdout, stderr } = await stopCli(consumer, 'SIGINT')
    assert.equal(code, 0)
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; type?: string })
    assert.deepEqual(
      lines.map(({ kind }) => kind),
      ['listening', 'check', 'check', 'event', 'forged', 'forged', 'forged'],
    )
    assert.equal(lines[3]?.type, 'follow_events')
    assert.match(stderr, /signature of a CRC check is invalid/)
    assert.match(stderr, /its signature is invalid[\s\S]*it has no signature/)
  })

  test('registers itself and leaves nothing behind', async (t) => {
    const plaza = await startCli(t)
    const list = () =>
      beside<{ body: { data: { url: string; valid: boolean }[] } }>(t, plaza, 'request', 'GET', '/2/webhooks')
    const consumer = await listen(t, plaza, '--register')
    const registered = (await list()).body.data
    assert.deepEqual(
      registered.map(({ url, valid }) => [url, valid]),
      [[consumer.url, true]],
    )
    assert.equal((await stopCli(consumer)).code, 0)
    assert.deepEqual((await list()).body.data, [])
  })
})

test('no secret of a whole story is in the log', async (t) => {
  const plaza = await startCli(t, { args: ['--log-level=debug'] })
  const send = (...args: string[]) => runPlaza(t, ['request', ...args, `--data=${plaza.data}`, '--json'])
  await send('GET', '/2/webhooks')
  await send('GET', '/2/webhooks', '--as=app')
  const issued = await send('POST', '/oauth2/token', '--as=basic', '--form=grant_type=client_credentials')
  const { access_token } = (JSON.parse(issued.stdout) as { body: { access_token: string } }).body
  await send('GET', `/2/webhooks?oauth_token=${plaza.ready.user?.access_token}`, '--as=none')
  await send('POST', '/2/webhooks', '-d', '{"url":"http://127.0.0.1:9/hook"}')
  const keys = await beside<NewKeys>(t, plaza, 'app', 'rotate', plaza.ready.app?.id as string)
  const { password } = await beside<{ password: string }>(t, plaza, 'user', 'rotate', 'demo')
  const masterKey = readFileSync(join(plaza.data, 'master.key'), 'utf8').trim()
  const { stderr } = await stopCli(plaza)
  const { app, user } = plaza.ready
  const secrets = [
    app?.consumer_key,
    app?.consumer_secret,
    user?.password,
    user?.access_token,
    user?.access_token_secret,
    access_token,
    keys.consumer_key,
    keys.consumer_secret,
    password,
    masterKey,
  ]
  assert.match(stderr, /"path":"\/oauth2\/token"/)
  for (const secret of secrets) {
    assert.ok(secret)
    assert.ok(!stderr.includes(secret), 'a secret is in the log')
  }
})

test('the link of plaza console signs in to the console of the running server, once', async (t) => {
  const plaza = await startCli(t)
  const { url, key, link } = await beside<{ url: string; key: string; link: string }>(t, plaza, 'console')
  assert.deepEqual([url, link], [plaza.ready.console_url, `${url}/sign-in#${key}`])
  const signIn = async (text: string) => {
    const body = new URLSearchParams({ key: text })
    return (await fetch(`${url}/sign-in`, { method: 'POST', body, redirect: 'manual' })).status
  }
  assert.deepEqual([await signIn(`${key}x`), await signIn(key), await signIn(key)], [403, 303, 403])
})
