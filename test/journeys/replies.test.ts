import assert from 'node:assert/strict'
import { type IncomingMessage, METHODS } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { endpoints } from '../../src/app/endpoints.ts'
import { json } from '../../src/platform/http/reply-kinds.ts'
import { servedBy } from '../../src/platform/protocols/protocols.ts'
import { type Guest, openWorld } from '../conformance/world.ts'
import { Client, demoKeys } from '../support/client.ts'
import { endpoint } from '../support/endpoint.ts'
import { startPlaza } from '../support/plaza.ts'
import { stages } from '../support/stages.ts'

type Running = Awaited<ReturnType<typeof startPlaza>>

interface Raw {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

/** A request of any method, its reply as the bytes that came. */
function raw(
  plaza: Running,
  method: string,
  target: string,
  { headers = {}, agent }: { headers?: Record<string, string>; agent?: Agent } = {},
): Promise<Raw> {
  const url = target.startsWith('http') ? target : plaza.urls.core + target
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      url,
      {
        method,
        headers,
        ca: plaza.caPem as string,
        servername: 'localhost',
        ...(agent && { agent }),
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        )
      },
    )
    request.once('error', reject)
    request.end()
  })
}

/**
 * What a running Plaza has been asked for but does not have yet: method and path of the interface.
 */
const INTERFACE = `
PUT /2/webhooks/{id}
POST /2/webhooks/replay
GET /2/news/search
GET /2/news/{id}
POST /2/posts
GET /2/posts/search/recent
GET /2/posts/search/all
GET /2/posts/counts/recent
GET /2/posts/counts/all
GET /2/connections
DELETE /2/connections
DELETE /2/connections/all
DELETE /2/connections/{id}
POST /2/activity/subscriptions
GET /2/activity/subscriptions
DELETE /2/activity/subscriptions/{id}
GET /2/activity/stream
POST /2/evaluate_note
POST /2/notes
GET /2/notes/search/posts_eligible_for_notes
GET /2/notes/search/notes_written
GET /2/powerstream/rules
GET /2/posts/search/stream
GET /2/posts/search/stream/rules
POST /2/posts/search/stream/rules
GET ads/12/insights/keywords/search
GET ads/5/accounts/{id}/tailored_audiences/{id}/permissions
GET ads/12/accounts/{id}/account_media
GET ads/12/accounts/{id}/cards/poll
GET ads/12/accounts/{id}/cards/video_conversation
GET ads/12/accounts/{id}/media_library
POST ads/12/accounts/{id}/features
`
  .trim()
  .split('\n')

const shape = (path: string) => path.replace(/\{[^}]+\}/g, '{}')

/** The methods of the path that are there. */
const methodsOf = (host: 'core' | 'ads' | 'sandbox', path: string) =>
  endpoints
    .filter(
      (one) => servedBy(host, one) && [one.path, ...one.aliases].some((own) => shape(own) === shape(path)),
    )
    .map(({ method }) => method as string)

describe('what a path answers', () => {
  let plaza: Running
  before(async () => {
    plaza = await startPlaza({ rateLimits: 'off' })
  })
  after(() => plaza.close())
  const filled = (path: string) => path.replaceAll(/\{[^}]+\}/g, '1')

  test('HEAD wherever GET is: the same status and headers, no body', async () => {
    const client = new Client(plaza)
    const keys = demoKeys(plaza)
    const get = await client.signed('GET', '/2/webhooks', keys)
    const head = await client.signed('HEAD', '/2/webhooks', keys)
    assert.deepEqual([head.status, head.text], [200, ''])
    const steady = ({ headers }: typeof get) =>
      ['content-type', 'content-length', 'x-access-level', 'cache-control'].map((name) => headers[name])
    assert.deepEqual(steady(head), steady(get))
    assert.equal(get.headers['content-length'], '37')
    for (const { host, method, path } of endpoints.filter((one) => one.method === 'GET')) {
      const origin = {
        core: plaza.urls.core,
        ads: plaza.urls.ads,
        sandbox: plaza.urls.adsSandbox,
        console: '',
      }
      const [asked, empty] = await Promise.all([
        raw(plaza, method, origin[host] + filled(path)),
        raw(plaza, 'HEAD', origin[host] + filled(path)),
      ])
      assert.equal(empty.status, asked.status, path)
      assert.equal(empty.body.length, 0)
      assert.equal(empty.headers['content-length'], asked.headers['content-length'], path)
    }
    await client.close()
  })

  test('every method of HTTP that a known path does not take is 405 with Allow, in its protocol', async () => {
    // CONNECT asks for a tunnel; QUERY is not known to every client yet.
    for (const method of METHODS.filter((one) => one !== 'CONNECT' && one !== 'QUERY')) {
      const list = await raw(plaza, method, '/2/webhooks')
      if (method === 'GET' || method === 'HEAD' || method === 'POST') assert.notEqual(list.status, 405)
      else {
        assert.deepEqual([method, list.status, list.headers.allow], [method, 405, 'GET, HEAD, POST'])
        assert.equal(
          String(list.body),
          '{"title":"Method Not Allowed","type":"about:blank","status":405,"detail":"Method Not Allowed"}',
        )
      }
      if (method === 'POST' || method === 'HEAD') continue
      const token = await raw(plaza, method, '/oauth2/token')
      assert.deepEqual([method, token.status, token.headers.allow], [method, 405, 'POST'])
      assert.equal(
        String(token.body),
        '{"errors":[{"code":34,"message":"The method is not allowed for this path."}]}',
      )
    }
    const ads = await raw(plaza, 'PROPFIND', `${plaza.urls.ads}/12/accounts/abc/campaigns`)
    assert.deepEqual([ads.status, ads.headers.allow], [405, 'GET, HEAD, POST'])
    assert.equal(
      String(ads.body),
      '{"errors":[{"code":"METHOD_NOT_ALLOWED","message":"The method is not allowed for this path"}],"request":{"params":{}}}',
    )
  })

  test('a path of the interface that only the sandbox has is 404 elsewhere, like one that there is not', async () => {
    let missing = 0
    for (const line of INTERFACE) {
      const [, method = '', host, path = ''] = /^(\S+) (ads)?(\S+)$/.exec(line) ?? []
      const ads = host === 'ads'
      const there = methodsOf(ads ? 'ads' : 'core', path)
      if (there.includes(method)) continue
      missing++
      const reply = await raw(plaza, method, (ads ? plaza.urls.ads : plaza.urls.core) + filled(path))
      // Where another method of the path is there, the path is known; but what only the sandbox has
      // is as good as missing.
      const [status, code, title] =
        there.length === 0 || (ads && methodsOf('sandbox', path).includes(method))
          ? [404, 'ROUTE_NOT_FOUND', 'Not Found']
          : [405, 'METHOD_NOT_ALLOWED', 'Method Not Allowed']
      assert.equal(reply.status, status, line)
      assert.ok(
        String(reply.body).startsWith(ads ? `{"errors":[{"code":"${code}"` : `{"title":"${title}"`),
        line,
      )
      if (status === 405)
        for (const one of there) assert.ok(reply.headers.allow?.split(', ').includes(one), line)
    }
    assert.ok(missing > 0)
    for (const method of ['POST', 'GET', 'PATCH'])
      assert.equal((await raw(plaza, method, '/2/no/such/path')).status, 404)
    const known = await raw(plaza, 'POST', '/2/webhooks/123')
    assert.deepEqual([known.status, known.headers.allow], [405, 'PUT, DELETE'])
    assert.equal((await raw(plaza, 'DELETE', `${plaza.urls.ads}/12/accounts/abc`)).status, 404)
  })

  test('OAuth parameters with a bearer token are unknown parameters', async () => {
    const client = new Client(plaza)
    const authorization = `Bearer ${await client.bearer(demoKeys(plaza))}`
    for (const name of ['oauth_token', 'oauth_consumer_key', 'oauth_verifier', 'oauth_other']) {
      const reply = await client.send('GET', `/2/webhooks?${name}=x`, { headers: { authorization } })
      assert.deepEqual(
        [reply.status, (reply.json as { errors: unknown }).errors],
        [
          400,
          [
            {
              parameters: { [name]: ['x'] },
              message: `The query parameter [${name}] is not one of [webhook_config.fields]`,
            },
          ],
        ],
      )
    }
    assert.equal((await client.send('GET', '/2/webhooks', { headers: { authorization } })).status, 200)
    await client.close()
  })
})

describe('the headers of replies', () => {
  let plaza: Running
  let client: Client
  before(async () => {
    plaza = await startPlaza()
    client = new Client(plaza)
  })
  after(async () => {
    await client.close()
    await plaza.close()
  })

  test('tell the milliseconds, and the connection by a hash', async () => {
    const one = new Agent({ keepAlive: true, maxSockets: 1 })
    const other = new Agent({ keepAlive: true, maxSockets: 1 })
    const hashes: unknown[] = []
    for (const [agent, target] of [
      [one, '/2/webhooks'],
      [one, '/no/such/path'],
      [other, `${plaza.urls.core}/oauth2/token`],
    ] as const) {
      const { headers } = await raw(plaza, 'GET', target, { agent })
      assert.match(String(headers['x-response-time']), /^[0-9]{1,6}$/)
      assert.match(String(headers['x-connection-hash']), /^[0-9a-f]{64}$/)
      hashes.push(headers['x-connection-hash'])
    }
    assert.equal(hashes[0], hashes[1])
    assert.notEqual(hashes[1], hashes[2])
    one.destroy()
    other.destroy()
  })

  test('ask browsers for TLS, except on localhost, whose other ports may have none', async () => {
    const { port } = new URL(plaza.urls.core)
    const at = async (host: string) =>
      (await raw(plaza, 'GET', '/2/webhooks', { headers: { host } })).headers['strict-transport-security']
    assert.equal(await at(`127.0.0.1:${port}`), 'max-age=31536000')
    assert.equal(await at('api.example.com'), 'max-age=31536000')
    assert.equal(await at('localhost.example.com'), 'max-age=31536000')
    assert.equal(await at(`localhost:${port}`), undefined)
    assert.equal(await at(`api.localhost:${port}`), undefined)
    const { status, headers } = await raw(plaza, 'GET', '/no/such/path')
    assert.deepEqual([status, headers['strict-transport-security']], [404, 'max-age=31536000'])
  })

  test('name the schemes of an endpoint on 401, and ask no browser for a password', async () => {
    const { core, ads } = plaza.urls
    const challenge = async (method: string, target: string, authorization = 'Bearer unknown') => {
      const { status, headers } = await raw(plaza, method, target, { headers: { authorization } })
      return [status, headers['www-authenticate']]
    }
    const wrongToken = `Bearer realm="${core}", error="invalid_token", OAuth realm="${core}"`
    for (const authorization of [
      'Bearer unknown',
      'Bearer AAAAAAAAAAAAAAAAAAAAAunknown',
      'Bearer what is this',
    ])
      assert.deepEqual(await challenge('GET', '/2/webhooks', authorization), [401, wrongToken])
    // Without a bearer token, there is none that could be wrong.
    const { headers } = await raw(plaza, 'GET', '/2/webhooks')
    assert.equal(headers['www-authenticate'], `Bearer realm="${core}", OAuth realm="${core}"`)
    assert.deepEqual(await challenge('GET', `${ads}/12/accounts`), [401, `OAuth realm="${ads}"`])
    assert.deepEqual(await challenge('POST', '/oauth/request_token'), [401, `OAuth realm="${core}"`])
    assert.deepEqual(await challenge('POST', '/oauth2/token'), [401, `Basic realm="${core}"`])
    const page = await raw(plaza, 'GET', '/oauth/authorize?oauth_token=unknown')
    assert.ok(page.status >= 400)
    assert.equal(page.headers['www-authenticate'], undefined)
  })

  test('tell the rate limit on 403 too', async () => {
    const world = await openWorld(stages[0] as (typeof stages)[number], { rateLimits: 'documented' })
    const rejected = async (user: Guest, access: 'read' | 'read-write') => {
      const pen = await world.grant(user, access)
      const call = { method: 'POST', target: '/2/webhooks' }
      const authorization = world.sign('core', { ...call, form: [], pen })
      const { status, headers } = await world.send('core', {
        ...call,
        headers: [['authorization', authorization]],
      })
      return [
        status,
        headers['x-rate-limit-limit'],
        headers['x-rate-limit-remaining'],
        headers['x-access-level'],
      ]
    }
    assert.deepEqual(await rejected(await world.newUser(), 'read'), [403, '450', '449', 'read'])
    assert.deepEqual(await rejected(await world.newUser(true), 'read-write'), [
      403,
      '450',
      '449',
      'read-write',
    ])
    await world.close()
  })

  test('say how a caller signed in with the four documented words', async () => {
    const keys = demoKeys(plaza)
    const used = async (authorization: string) => {
      const reply = await client.send('GET', '/2/webhooks', { headers: { authorization } })
      return (reply.json as { detail: string }).detail
    }
    const { consumerKey, consumerSecret } = keys
    const supported =
      'Supported authentication types are [OAuth 2.0 Application-Only, OAuth 1.0a User Context].'
    const unknown = `Authenticating with Unknown is forbidden for this endpoint.  ${supported}`
    assert.equal(await used('Digest x'), unknown)
    assert.equal(await used(`Basic ${Buffer.from('a:b').toString('base64')}`), unknown)
    assert.equal(await used(client.sign('GET', '/2/webhooks', { consumerKey, consumerSecret })), unknown)
  })
})

describe('compression', () => {
  const declared = {
    host: 'core',
    summary: '',
    description: '',
    source: '',
    auth: ['none'],
    method: 'GET',
    reply: Type.Object({ text: Type.String() }, { additionalProperties: false }),
  } as const
  const SMALL = 'a'.repeat(1_000)
  const MEDIUM = 'abcdefgh'.repeat(130)
  const items = Array.from({ length: 1_500 }, (_, at) => ({ text: `item ${at}` }))
  const LARGE = 'abcdefgh'.repeat(10_000)
  let plaza: Running
  before(async () => {
    plaza = await startPlaza(
      { seed: 'none' },
      {
        endpoints: [
          endpoint({ ...declared, id: 'small', path: '/2/small', handle: async () => json({ text: SMALL }) }),
          endpoint({
            ...declared,
            id: 'medium',
            path: '/2/medium',
            handle: async () => json({ text: MEDIUM }),
          }),
          endpoint({
            ...declared,
            id: 'pieces',
            path: '/2/pieces',
            reply: Type.Object({ data: Type.Array(declared.reply) }, { additionalProperties: false }),
            handle: async () => json({ data: items }),
          }),
          endpoint({ ...declared, id: 'large', path: '/2/large', handle: async () => json({ text: LARGE }) }),
          endpoint({
            ...declared,
            id: 'wrong',
            path: '/2/wrong',
            query: { value: Type.Enum(Array.from({ length: 500 }, (_, at) => `choice ${at}`)) },
            handle: async () => json({ text: '' }),
          }),
        ],
      },
    )
  })
  after(() => plaza.close())
  const get = (path: string, accept: string | undefined, method = 'GET') =>
    raw(plaza, method, path, { headers: accept === undefined ? {} : { 'accept-encoding': accept } })
  const plainText = JSON.stringify({ text: LARGE })
  const unpacked = { br: brotliDecompressSync, gzip: gunzipSync }

  test('gives a large reply in the encoding that the client prefers', async () => {
    const cases: [string | undefined, 'br' | 'gzip' | undefined][] = [
      ['gzip', 'gzip'],
      ['br', 'br'],
      ['gzip, deflate, br, zstd', 'br'],
      ['br;q=0.5, gzip;q=0.8', 'gzip'],
      ['GZIP;Q=1', 'gzip'],
      ['*', 'br'],
      ['br;q=0, *', 'gzip'],
      ['gzip;q=0', undefined],
      ['identity, gzip;q=0.5', undefined],
      ['deflate', undefined],
      ['', undefined],
      [undefined, undefined],
    ]
    for (const [accept, expected] of cases) {
      const { status, headers, body } = await get('/2/large', accept)
      assert.deepEqual([accept, status, headers['content-encoding']], [accept, 200, expected])
      assert.equal(headers.vary, 'accept-encoding')
      assert.equal(headers['content-length'], String(body.length))
      assert.equal(String(expected ? unpacked[expected](body) : body), plainText)
      if (expected) assert.ok(body.length < plainText.length / 10)
    }
  })

  test('compresses replies of more than a kilobyte', async () => {
    for (const accept of ['gzip', 'br'] as const) {
      const { headers, body } = await get('/2/medium', accept)
      assert.deepEqual([headers['content-encoding'], headers.vary], [accept, 'accept-encoding'])
      assert.equal(headers['content-length'], String(body.length))
      assert.equal(String(unpacked[accept](body)), JSON.stringify({ text: MEDIUM }))
    }
  })

  test('compresses lists that are written while they are sent', async () => {
    for (const accept of ['gzip', 'br'] as const) {
      const { headers, body } = await get('/2/pieces', accept)
      assert.deepEqual([headers['content-encoding'], headers.vary], [accept, 'accept-encoding'])
      assert.equal(String(unpacked[accept](body)), JSON.stringify({ data: items }))
    }
    const { headers, body } = await get('/2/pieces', undefined)
    assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, 'accept-encoding'])
    assert.equal(String(body), JSON.stringify({ data: items }))
    const head = await get('/2/pieces', 'gzip', 'HEAD')
    assert.deepEqual([head.headers['content-encoding'], head.body.length], ['gzip', 0])
  })

  test('leaves small replies as they are', async () => {
    const { headers, body } = await get('/2/small', 'gzip, br')
    assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, undefined])
    assert.equal(String(body), JSON.stringify({ text: SMALL }))
  })

  test('HEAD has the headers of what GET would send', async () => {
    for (const accept of ['gzip', 'br', undefined]) {
      const [head, whole] = [await get('/2/large', accept, 'HEAD'), await get('/2/large', accept)]
      for (const name of ['content-length', 'content-encoding', 'vary', 'content-type'])
        assert.equal(head.headers[name], whole.headers[name], name)
      assert.equal(head.body.length, 0)
    }
  })

  test('errors that are large are compressed too', async () => {
    const { status, headers, body } = await get('/2/wrong?value=x', 'gzip')
    assert.deepEqual([status, headers['content-encoding']], [400, 'gzip'])
    assert.match(gunzipSync(body).toString(), /is not one of \[choice 0,choice 1,/)
  })

  test('many at once are all answered, some of them as they are', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => get('/2/large', 'gzip')))
    for (const { headers, body } of replies)
      assert.equal(String(headers['content-encoding'] ? gunzipSync(body) : body), plainText)
  })
})
