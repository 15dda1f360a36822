import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Plaza } from '../../src/app/server.ts'
import { servicesOf } from '../../src/app/start/compose.ts'
import type { ManualClock } from '../../src/platform/common/clock.ts'
import { type Config, configOf } from '../../src/platform/config/config.ts'
import { Client, demoKeys, type Keys, type Reply } from '../support/client.ts'
import { type Consumer, startConsumer } from '../support/consumer.ts'
import { startPlaza } from '../support/plaza.ts'

/** A server on loopback that counts its connections. */
async function listener(serve: (socket: Socket) => void) {
  let connections = 0
  const server: Server = createServer((socket) => {
    connections++
    socket.on('error', () => undefined)
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { port, connections: () => connections, close: () => server.close() }
}

async function closedPort(): Promise<number> {
  const { port, close } = await listener(() => undefined)
  await new Promise((resolve) => close().once('close', resolve))
  return port
}

interface Problem {
  data: { id: string; attempted: boolean }
  errors: { errors?: { message: string }[]; message?: string }[]
}

const attempted = (reply: Reply) => (reply.json as Problem).data.attempted
const codeOf = (reply: Reply) => (reply.json as { detail?: string }).detail

describe('where webhooks may lead', () => {
  let plaza: Plaza & { clock: ManualClock }
  let client: Client
  let keys: Required<Keys>
  /**
   * Ports of Plaza, other than the one that this test's client uses, to which a socket connected.
   */
  const reached: number[] = []
  const watch = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    socket.once('connect', () => {
      const { core: _, ...others } = plaza.listening
      if (Object.values(others).some((port) => port === socket.remotePort))
        reached.push(socket.remotePort as number)
    })
  }

  before(async () => {
    plaza = await startPlaza({ rateLimits: 'off' })
    client = new Client(plaza)
    keys = demoKeys(plaza)
    subscribe('net.client.socket', watch)
  })
  after(async () => {
    unsubscribe('net.client.socket', watch)
    await client.close()
    await plaza.close()
  })

  const register = (url: string, as: Keys = keys) =>
    client.signed('POST', '/2/webhooks', as, { json: { url } })

  test('on loopback, every failure without an HTTP response has one text: open ports, closed ones and those of Plaza', async () => {
    const rude = await listener((socket) => socket.end('220 mail ready\r\n'))
    const own = Object.values(plaza.listening)
    assert.equal(own.length, 4)
    const ports = [rude.port, await closedPort(), ...own]
    try {
      const texts = new Set<string>()
      reached.length = 0
      for (const port of ports) {
        for (const scheme of ['http', 'https']) {
          const url = `${scheme}://127.0.0.1:${port}/probe`
          const reply = await register(url)
          assert.equal(reply.status, 400, url)
          texts.add(reply.text.replaceAll(url, 'URL'))
        }
      }
      assert.equal(texts.size, 1, [...texts].join('\n'))
      assert.match(
        [...texts][0] ?? '',
        /CrcValidationFailed: the webhook could not be reached over HTTP; see the server's log for the reason/,
      )
      assert.ok(rude.connections() > 0)
      assert.deepEqual(reached, [])
    } finally {
      rude.close()
    }
  })

  test('on loopback, an HTTP response that fails the check is named, and so is a missing one', async () => {
    const answering = (head: string, body: string) =>
      listener((socket) =>
        socket.end(`HTTP/1.1 ${head}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`),
      )
    const cases = [
      // Whoever says nothing lets the time pass.
      [await listener(() => plaza.clock.advance(60_000)), 'the webhook did not respond in time'],
      [await answering('404 Not Found', ''), 'the webhook responded with status 404'],
      [await answering('302 Found\r\nlocation: /', ''), 'the webhook responded with a redirect'],
      [await answering('200 OK', '<p>Hello</p>'), 'the response of the webhook is not JSON'],
      [await answering('200 OK', '{}'), 'the response of the webhook does not have a response_token'],
      [
        await answering('200 OK', '{"response_token":"sha256=wrong"}'),
        'the response of the webhook does not have the correct response_token',
      ],
    ] as const
    try {
      for (const [{ port }, why] of cases) {
        const reply = await register(`http://127.0.0.1:${port}/probe`)
        assert.equal(reply.status, 400)
        assert.ok(reply.text.includes(`CrcValidationFailed: ${why}"`), reply.text)
      }
    } finally {
      for (const [one] of cases) one.close()
    }
  })

  test('the services of Plaza are known by the addresses of its settings', () => {
    const config = configOf({
      databaseUrl: 'postgres://plaza@db.internal/plaza',
      redisUrl: 'rediss://10.0.0.4:6380',
      mediaEndpoint: 'https://minio.internal',
    })
    assert.deepEqual(servicesOf(config), [
      { host: 'db.internal', port: 5432 },
      { host: '10.0.0.4', port: 6380 },
      { host: 'minio.internal', port: 443 },
    ])
  })

  test('no spelling of this machine leads to the ports of Plaza', async () => {
    const port = plaza.listening.console
    reached.length = 0
    const replies = []
    for (const host of ['127.0.0.1', '127.8.9.10', 'localhost', 'a.localhost', '[::1]', '[::ffff:127.0.0.1]'])
      replies.push((await register(`http://${host}:${port}/`)).status)
    assert.deepEqual(replies, [400, 400, 400, 400, 400, 400])
    assert.deepEqual(reached, [])
  })

  describe('of one consumer', () => {
    let consumer: Consumer
    before(async () => {
      consumer = await startConsumer(keys.consumerSecret, '/hook/a')
    })
    after(() => consumer.close())

    test('a URL is registered once, however it is spelled, and shown as it was sent', async () => {
      const { port } = new URL(consumer.url)
      const sent = `HTTP://0x7F.0.0.1:${port}/hook/%61?q=%7e%2f`
      const first = await register(sent)
      assert.equal(first.status, 200, first.text)
      const { id, url } = (first.json as { data: { id: string; url: string } }).data
      assert.equal(url, sent)
      const asked = consumer.challenges.length
      for (const spelling of [
        `http://127.0.0.1:${port}/hook/a?q=~%2F`,
        `http://2130706433:${port}/hook/./b/../a?q=%7E%2f`,
        `http://[::ffff:127.0.0.1]:${port}/hook/a?q=~%2f`,
        `http://0177.1:0${port}/hook/%2e/a?q=~%2F`,
      ]) {
        const reply = await register(spelling)
        assert.equal(reply.status, 400)
        assert.match(reply.text, /DuplicateUrlFailed: this app has already registered the URL/)
      }
      assert.equal(consumer.challenges.length, asked)
      const other = await register(`http://127.0.0.1:${port}/hook/a?q=~/`)
      assert.equal(other.status, 200)
      for (const one of [id, (other.json as Problem).data.id])
        assert.equal((await client.signed('DELETE', `/2/webhooks/${one}`, keys)).status, 200)
    })

    test("a user's token registers and deletes only when the user owns the app; it lists and validates", async () => {
      const app = plaza.seeded?.apps[0]
      const grant = app?.grants.find(({ screenName }) => screenName === 'advertiser')
      assert.ok(app && grant)
      const stranger = { ...keys, token: grant.token, tokenSecret: grant.secret }
      const asked = consumer.challenges.length
      const rejected = await register(consumer.url, stranger)
      assert.deepEqual(
        [rejected.status, codeOf(rejected)],
        [403, 'Client is not permitted to perform this action.'],
      )
      assert.equal(consumer.challenges.length, asked)

      const registered = await register(consumer.url)
      assert.equal(registered.status, 200)
      const { id } = (registered.json as Problem).data
      const kept = await client.signed('DELETE', `/2/webhooks/${id}`, stranger)
      assert.deepEqual([kept.status, codeOf(kept)], [403, 'Client is not permitted to perform this action.'])
      const listed = await client.signed('GET', '/2/webhooks?webhook_config.fields=id', stranger)
      assert.deepEqual(listed.json, { data: [{ id }], meta: { result_count: 1 } })
      const validated = await client.signed('PUT', `/2/webhooks/${id}`, stranger)
      assert.deepEqual(validated.json, { data: { attempted: true } })

      const authorization = `Bearer ${await client.bearer(keys)}`
      const deleted = await client.send('DELETE', `/2/webhooks/${id}`, { headers: { authorization } })
      assert.equal(deleted.status, 200)
    })
  })

  test('a check that could send no request was not attempted', async () => {
    const consumer = await startConsumer(keys.consumerSecret)
    const { id } = ((await register(consumer.url)).json as Problem).data
    consumer.answerWith((_challenge, response) => response.writeHead(500).end())
    const answered = await client.signed('PUT', `/2/webhooks/${id}`, keys)
    assert.equal(attempted(answered), true)
    await consumer.close()
    const silent = await client.signed('PUT', `/2/webhooks/${id}`, keys)
    assert.equal(silent.status, 200)
    assert.equal(attempted(silent), false)
    assert.equal((silent.json as Problem).errors.length, 1)
    await client.signed('DELETE', `/2/webhooks/${id}`, keys)
  })
})

describe('Plaza that other machines reach', () => {
  const warningsWith = async (config: Partial<Config>) => {
    const plaza = await startPlaza(config)
    await plaza.close()
    return plaza.warnings
  }

  test('warns unless it is hardened', async () => {
    assert.deepEqual(await warningsWith({ listen: '0.0.0.0' }), [
      'Listening on 0.0.0.0 opens Plaza to other machines without --hardened: anyone who can register webhooks or products can make it call services on this machine. Start it with --hardened.',
    ])
    assert.equal((await warningsWith({ adsListen: '0.0.0.0' })).length, 1)
    assert.deepEqual(await warningsWith({ listen: '0.0.0.0', hardened: true }), [])
    assert.deepEqual(await warningsWith({ listen: '127.0.0.1' }), [])
  })

  test('warns behind a proxy of public addresses that it does not know', async () => {
    const proxied = { behindProxy: true, coreUrl: 'https://api.example.com' }
    assert.deepEqual(await warningsWith(proxied), [
      '--behind-proxy without --ads-url and --ads-sandbox-url: signed requests that reach the advertising API through the proxy get 401, because signatures cover the public address.',
    ])
    const urls = { adsUrl: 'https://ads.example.com', adsSandboxUrl: 'https://sandbox.example.com' }
    assert.deepEqual(await warningsWith({ ...proxied, ...urls }), [])
  })
})
