import assert from 'node:assert/strict'
import { type ChannelListener, subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { after, before, describe, test } from 'node:test'
import { connect, type SecureVersion } from 'node:tls'
import { fetch } from 'undici'
import { mediaById } from '../../src/domain/media/queries.ts'
import { signRequest } from '../../src/identity/auth/signature/sign.ts'
import { Client, demoKeys, type Reply } from '../support/client.ts'
import { png } from '../support/media.ts'
import { startPlaza } from '../support/plaza.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { until } from '../support/until.ts'

type Running = Awaited<ReturnType<typeof startPlaza>>

/** The protocol that a TLS handshake agrees on, or why it fails. */
function handshake(plaza: Running, version: SecureVersion): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({
      port: Number(new URL(plaza.urls.core).port),
      host: '127.0.0.1',
      ca: plaza.caPem as string,
      minVersion: version,
      maxVersion: version,
      ciphers: 'DEFAULT:@SECLEVEL=0',
    })
    socket.once('secureConnect', () => {
      resolve(String(socket.getProtocol()))
      socket.destroy()
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(`rejected: ${error.code}`))
  })
}

/** A request with headers as they are: names and values in turn. */
async function rawly(plaza: Running, path: string, headers: string[]): Promise<IncomingMessage> {
  const { hostname, port } = new URL(plaza.urls.core)
  const ca = plaza.caPem as string
  const sent = httpsRequest({ hostname, port, path, headers, ca, agent: false }).end()
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  reply.resume()
  return reply
}

describe('the listeners', () => {
  let plaza: Running
  let client: Client
  before(async () => {
    plaza = await startPlaza({ healthListen: { address: '127.0.0.1', port: 0 } })
    await plaza.caughtUp
    client = new Client(plaza)
  })
  after(async () => {
    await client.close()
    await plaza.close()
  })

  test('speak TLS 1.2 and 1.3, and nothing older', async () => {
    assert.equal(await handshake(plaza, 'TLSv1.3'), 'TLSv1.3')
    assert.equal(await handshake(plaza, 'TLSv1.2'), 'TLSv1.2')
    assert.match(await handshake(plaza, 'TLSv1.1'), /^rejected/)
  })

  test('have certificates that the local authority vouches for, and no client trusts without it', async () => {
    assert.equal((await client.send('GET', '/2/webhooks')).status, 401)
    await assert.rejects(fetch(`${plaza.urls.core}/2/webhooks`))
  })

  test('answer an unknown path in the protocol of their host', async () => {
    const core = await client.send('GET', '/2/unknown')
    assert.deepEqual(
      [core.status, core.json],
      [404, { title: 'Not Found', type: 'about:blank', status: 404, detail: 'Not Found' }],
    )
    assert.equal(core.headers['content-type'], 'application/problem+json; charset=utf-8')
    const legacy = await client.send('GET', '/1.1/unknown')
    assert.deepEqual(
      [legacy.status, legacy.json],
      [404, { errors: [{ code: 34, message: 'Sorry, that page does not exist.' }] }],
    )
    for (const url of [plaza.urls.ads, plaza.urls.adsSandbox]) {
      const ads = await client.send('GET', `${url}/12/unknown`)
      assert.equal(ads.status, 404)
      assert.equal((ads.json as { errors: { code: string }[] }).errors[0]?.code, 'ROUTE_NOT_FOUND')
    }
  })

  test('do not serve what belongs to another host', async () => {
    const keys = demoKeys(plaza)
    assert.equal((await client.signed('GET', `${plaza.urls.ads}/2/webhooks`, keys)).status, 404)
  })

  test('reject a request with two hosts, whichever of them is theirs', async () => {
    const authorization = `Bearer ${await client.bearer(demoKeys(plaza))}`
    const { host } = new URL(plaza.urls.core)
    const statusWith = async (...hosts: string[]) => {
      const headers = [...hosts.flatMap((one) => ['host', one]), 'authorization', authorization]
      return (await rawly(plaza, '/2/webhooks', headers)).statusCode
    }
    assert.equal(await statusWith(host), 200)
    assert.equal(await statusWith(host, 'other.example.com'), 400)
    assert.equal(await statusWith('other.example.com', host), 400)
    assert.equal(await statusWith(host, host), 400)
  })

  test('forbid browsers to guess the type of any reply', async () => {
    const keys = demoKeys(plaza)
    const bearer = await client.bearer(keys)
    const authorization = { headers: { authorization: `Bearer ${bearer}` } }
    const { ads, adsSandbox, console, health = '' } = plaza.urls
    const upload = await client.signed('POST', '/1.1/media/upload.json', keys, {
      form: { media_data: png(2, 2).toString('base64') },
    })
    const medium = await plaza.context.store.first(mediaById, {
      id: (upload.json as { media_id_string: string }).media_id_string,
    })
    const replies: [status: number, reply: Promise<Reply>][] = [
      [200, client.send('GET', '/2/webhooks', authorization)],
      [200, client.send('HEAD', '/2/webhooks', authorization)],
      [401, client.send('GET', '/2/webhooks')],
      [404, client.send('GET', '/2/unknown')],
      [405, client.send('PUT', '/2/webhooks')],
      [200, client.send('GET', `/media/${medium?.hash}.png`)],
      [206, client.send('GET', `/media/${medium?.hash}.png`, { headers: { range: 'bytes=0-1' } })],
      [416, client.send('GET', `/media/${medium?.hash}.png`, { headers: { range: 'bytes=99999-' } })],
      [200, client.send('GET', '/.well-known/oauth-authorization-server')],
      [400, client.send('GET', '/2/oauth2/authorize')],
      [401, client.send('GET', '/oauth/authorize?oauth_token=unknown')],
      [200, client.signed('GET', `${ads}/12/iab_categories`, keys)],
      [404, client.send('GET', `${ads}/12/unknown`)],
      [200, client.signed('GET', `${adsSandbox}/12/iab_categories`, keys)],
      [200, client.send('GET', `${console}/health`)],
      [404, client.send('GET', `${console}/unknown`)],
      [200, client.send('GET', `${console}/`)],
      [403, client.send('POST', `${console}/sign-in`, { form: { key: 'wrong' } })],
      [200, client.send('GET', `${console}/metrics`)],
      [200, client.send('GET', `${console}/ca.pem`)],
      [200, client.send('GET', `${health}/ready`)],
      [404, client.send('GET', `${health}/unknown`)],
    ]
    for (const [at, [status, pending]] of replies.entries()) {
      const { status: got, headers } = await pending
      assert.deepEqual([got, headers['x-content-type-options']], [status, 'nosniff'], `reply ${at}`)
    }
    const rule = { ...authorization, json: { add: [{ value: 'cat' }] } }
    assert.equal((await client.send('POST', '/2/posts/search/stream/rules', rule)).status, 201)
    const stream = await StreamReader.open(plaza, bearer)
    assert.deepEqual([stream.status, stream.reply.headers['x-content-type-options']], [200, 'nosniff'])
    stream.close()
  })

  test('give every reply an id of its own', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await client.send('GET', '/2/x')).headers['x-transaction-id']),
    )
    assert.equal(new Set(ids).size, 20)
    for (const id of ids) assert.match(id ?? '', /^[0-9a-f]{16}$/)
  })
})

describe('the console', () => {
  let plaza: Running
  before(async () => {
    plaza = await startPlaza()
    await plaza.caughtUp
  })
  after(() => plaza.close())

  test('reports health and readiness, and returns the CA certificate', async () => {
    const get = async (path: string) => (await fetch(plaza.urls.console + path)).text()
    assert.equal((JSON.parse(await get('/health')) as { status: string }).status, 'ok')
    assert.deepEqual(JSON.parse(await get('/ready')), { status: 'ready' })
    assert.equal(await get('/ca.pem'), plaza.caPem)
  })

  test('measures consumers of events, tasks, streams and the process for Prometheus', async () => {
    const get = async () => fetch(`${plaza.urls.console}/metrics`)
    const handled = /^plaza_event_consumer_lag_events\{consumer="activity"\} 0$/m
    await until('events are handled', async () => handled.test(await (await get()).text()))
    const reply = await get()
    assert.equal(reply.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    const text = await reply.text()
    assert.match(text, /^plaza_event_consumer_lag_seconds\{consumer="activity"\} 0$/m)
    assert.match(text, /^# TYPE plaza_tasks gauge\nplaza_tasks\{kind="[a-z ]+",state="waiting"\} [1-9]/m)
    assert.match(text, /^plaza_stream_connections 0$/m)
    assert.match(text, /^process_resident_memory_bytes [0-9]+$/m)
    assert.match(text, /^# TYPE process_cpu_seconds_total counter$/m)
  })

  test('returns 503 when the store is unavailable', async () => {
    const other = await startPlaza()
    await other.context.store.close()
    const reply = await fetch(`${other.urls.console}/ready`)
    assert.deepEqual([reply.status, ((await reply.json()) as { status: string }).status], [503, 'not ready'])
    assert.equal((await fetch(`${other.urls.console}/metrics`)).status, 503)
    await other.close().catch(() => undefined)
  })

  test('answers only to loopback names, so that no page elsewhere can point a name at it', async () => {
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(
        `${plaza.urls.console}/ca.pem`,
        { headers: { host: 'evil.test' } },
        (response) => {
          response.resume()
          resolve(response.statusCode)
        },
      )
      request.once('error', reject)
      request.end()
    })
    assert.equal(status, 403)
  })
})

describe('behind a proxy', () => {
  let plaza: Running
  let inside: string
  before(async () => {
    plaza = await startPlaza({ behindProxy: true, coreUrl: 'https://api.plaza.test', corePort: 0 })
    inside = `http://127.0.0.1:${plaza.listening.core}`
  })
  after(() => plaza.close())

  const PROXIED = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' }

  function signed(url: string): string {
    const keys = demoKeys(plaza)
    const timestampSeconds = Math.floor(plaza.clock.now() / 1000)
    const nonce = plaza.context.random.bytes(16).toString('hex')
    return signRequest({ method: 'GET', url, ...keys, nonce, timestampSeconds }).header
  }

  test('a signature over the public address is accepted although the proxy talks plain HTTP', async () => {
    const authorization = signed('https://api.plaza.test/2/webhooks')
    const reply = await fetch(`${inside}/2/webhooks`, { headers: { ...PROXIED, authorization } })
    assert.equal(reply.status, 200)
  })

  test('a signature over another address is rejected', async () => {
    const authorization = signed('https://other.plaza.test/2/webhooks')
    const reply = await fetch(`${inside}/2/webhooks`, { headers: { ...PROXIED, authorization } })
    assert.equal(reply.status, 401)
  })

  test('a client that came without TLS is rejected with code 92', async () => {
    const reply = await fetch(`${inside}/oauth/request_token`, {
      method: 'POST',
      headers: { ...PROXIED, 'x-forwarded-proto': 'http' },
    })
    assert.deepEqual(
      [reply.status, await reply.json()],
      [403, { errors: [{ code: 92, message: 'SSL is required' }] }],
    )
  })
})

describe('stopping', () => {
  test('a request in progress is answered, a new one is not taken', async () => {
    // If the stop waited for more than the request, it would wait for an hour.
    const plaza = await startPlaza({ shutdownSeconds: 3_600 })
    const client = new Client(plaza)
    const { startConsumer } = await import('../support/consumer.ts')
    const keys = demoKeys(plaza)
    const consumer = await startConsumer(keys.consumerSecret)
    const arrived = new Promise<ServerResponse>((resolve) => {
      consumer.answerWith((_challenge, response) => resolve(response))
    })
    const underWay = client.signed('POST', '/2/webhooks', keys, { json: { url: consumer.url } })
    const challenged = await arrived
    const closing = plaza.close()
    const rejected = new Client(plaza)
    await assert.rejects(rejected.send('GET', '/2/webhooks'))
    challenged.end('{}')
    assert.equal((await underWay).status, 400)
    await closing
    await rejected.close()
    await client.close()
    await consumer.close()
  })

  test('a client that never finishes is cut off when the time is up', async () => {
    const plaza = await startPlaza({ shutdownSeconds: 1 })
    const socket = connect({
      port: Number(new URL(plaza.urls.core).port),
      host: '127.0.0.1',
      ca: plaza.caPem as string,
    })
    socket.on('error', () => undefined)
    const begun = new Promise((resolve) => {
      const heard = ({ request }: { request: IncomingMessage }) => {
        if (request.url !== '/2/webhooks') return
        unsubscribe('http.server.request.start', heard as ChannelListener)
        resolve(undefined)
      }
      subscribe('http.server.request.start', heard as ChannelListener)
    })
    await new Promise((resolve) => socket.once('secureConnect', resolve))
    socket.write(
      'POST /2/webhooks HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\ncontent-type: application/x-www-form-urlencoded\r\n\r\nurl=',
    )
    await begun
    // It would wait for ever.
    await plaza.close()
    socket.destroy()
  })
})
