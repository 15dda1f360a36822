import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { after, before, describe, test } from 'node:test'
import { OwnHosts } from '../../src/app/start/own-hosts.ts'
import { signRequest } from '../../src/identity/auth/signature/sign.ts'
import { demoKeys } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'

type Running = Awaited<ReturnType<typeof startPlaza>>

interface Asked {
  /** Where the connection goes. */
  address?: string
  port: number
  /** What was signed. */
  signedFor: string
  host: string
  path?: string
}

/** The status of a signed request, and its body when it is an error. */
function ask(
  plaza: Running,
  { address = '127.0.0.1', port, signedFor, host, path = '/2/webhooks' }: Asked,
): Promise<[number, string]> {
  const { header } = signRequest({
    method: 'GET',
    url: signedFor + path,
    ...demoKeys(plaza),
    nonce: plaza.context.random.bytes(16).toString('hex'),
    timestampSeconds: Math.floor(plaza.clock.now() / 1000),
  })
  const headers = { host, authorization: header, 'x-forwarded-proto': 'https' }
  const send = plaza.caPem === undefined ? httpRequest : httpsRequest
  return new Promise((resolve, reject) => {
    const request = send(
      { host: address, port, path, headers, servername: 'localhost', ca: plaza.caPem } as object,
      (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.once('end', () => resolve([response.statusCode ?? 0, text]))
      },
    )
    request.once('error', reject)
    request.end()
  })
}

describe('a signature is for the host that it names', () => {
  let plaza: Running
  before(async () => {
    plaza = await startPlaza({
      tlsNames: ['plaza.test', '*.wild.test'],
      coreUrl: 'https://api.plaza.test',
      adsSandboxUrl: 'https://sandbox.plaza.test',
    })
  })
  after(() => plaza.close())

  test('the addresses of the listener, the names of its certificate and its public origin are its own', async () => {
    const port = plaza.listening.core
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `LOCALHOST:${port}`,
      `[::1]:${port}`,
      `app.localhost:${port}`,
      `plaza.test:${port}`,
      `a.wild.test:${port}`,
      'api.plaza.test',
      'api.plaza.test:443',
    ])
      assert.deepEqual(
        [host, (await ask(plaza, { port, host, signedFor: `https://${host}` }))[0]],
        [host, 200],
      )
    const through = await ask(plaza, { port, host: 'tunnel.test', signedFor: 'https://api.plaza.test' })
    assert.equal(through[0], 200)
  })

  test('any other host is rejected, and the error names it', async () => {
    const port = plaza.listening.core
    for (const host of [
      'evil.test',
      `evil.test:${port}`,
      '127.0.0.1',
      `127.0.0.1:${plaza.listening.sandbox}`,
      `a.b.wild.test:${port}`,
      `wild.test:${port}`,
      `sandbox.plaza.test:${port}`,
    ]) {
      const [status, text] = await ask(plaza, { port, host, signedFor: `https://${host}` })
      assert.deepEqual(
        [status, JSON.parse(text)],
        [
          401,
          {
            title: 'Unauthorized',
            type: 'about:blank',
            status: 401,
            detail: `Could not authenticate you: this server does not answer for the host "${host}". Sign requests for https://api.plaza.test.`,
          },
        ],
      )
    }
  })

  test('a request signed for the sandbox is rejected on production, and vice versa', async () => {
    const [ads, sandbox] = [plaza.listening.ads, plaza.listening.sandbox]
    const path = '/12/accounts'
    const at = (port: number, host: string) => ask(plaza, { port, host, path, signedFor: `https://${host}` })
    assert.equal((await at(ads, `127.0.0.1:${ads}`))[0], 200)
    assert.equal((await at(sandbox, `127.0.0.1:${sandbox}`))[0], 200)
    assert.equal((await at(sandbox, 'sandbox.plaza.test'))[0], 200)
    for (const [port, host] of [
      [ads, 'sandbox.plaza.test'],
      [ads, `127.0.0.1:${sandbox}`],
      [sandbox, `127.0.0.1:${ads}`],
    ] as const) {
      const [status, text] = await at(port, host)
      assert.equal(status, 401)
      assert.match(
        text,
        /^\{"errors":\[\{"code":"UNAUTHORIZED_ACCESS","message":"Could not authenticate you: this server does not answer for the host /,
      )
    }
  })
})

test('behind a proxy the public origin counts, whatever host the proxy passes on', async () => {
  const plaza = await startPlaza({ behindProxy: true, coreUrl: 'https://api.plaza.test' })
  const port = plaza.listening.core
  for (const host of ['api.plaza.test', 'upstream', `127.0.0.1:${port}`])
    assert.equal((await ask(plaza, { port, host, signedFor: 'https://api.plaza.test' }))[0], 200)
  for (const host of ['other.test', 'upstream'])
    assert.equal((await ask(plaza, { port, host, signedFor: `https://${host}` }))[0], 401)
  await plaza.close()
})

test('a listener on a default port is found without it', () => {
  const hosts = new OwnHosts({ certificate: undefined, listen: '192.0.2.1', port: 80, others: [] })
  const found = ['192.0.2.1', '192.0.2.1:80', '192.0.2.1:', '192.0.2.1:443', 'localhost', '', ':80', '[::1']
  assert.deepEqual(
    found.map((host) => hosts.has(host)),
    [true, true, true, false, false, false, false, false],
  )
})

describe('APIs with addresses of their own', () => {
  let plaza: Running
  let port: number
  before(async () => {
    const first = await startPlaza({ adsListen: '127.0.0.2', adsSandboxListen: '127.0.0.3' })
    port = first.listening.core
    await first.close()
    plaza = await startPlaza({
      ...{ corePort: port, adsPort: port, adsSandboxPort: port },
      ...{ adsListen: '127.0.0.2', adsSandboxListen: '127.0.0.3' },
    })
  })
  after(() => plaza.close())

  test('share a port', async () => {
    assert.deepEqual(
      [plaza.urls.core, plaza.urls.ads, plaza.urls.adsSandbox],
      [`https://127.0.0.1:${port}`, `https://127.0.0.2:${port}`, `https://127.0.0.3:${port}`],
    )
    for (const [address, path, status] of [
      ['127.0.0.1', '/2/webhooks', 200],
      ['127.0.0.2', '/12/accounts', 200],
      ['127.0.0.3', '/12/accounts', 200],
      ['127.0.0.2', '/2/webhooks', 404],
    ] as const) {
      const host = `${address}:${port}`
      const reply = await ask(plaza, { address, port, host, path, signedFor: `https://${host}` })
      assert.equal(reply[0], status, host + reply[1])
    }
  })

  test('do not answer for the host of another API', async () => {
    const host = `127.0.0.2:${port}`
    assert.equal((await ask(plaza, { port, host, signedFor: `https://${host}` }))[0], 401)
  })
})
