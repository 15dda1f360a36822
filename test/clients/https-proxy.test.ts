import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import type { Plaza } from '../../src/app/server.ts'
import { systemClock } from '../../src/platform/common/clock.ts'
import { startPlaza } from '../support/plaza.ts'
import { until } from '../support/until.ts'

const HOST = 'api.plaza.test'

/** Asks for a tunnel, and returns the head of the reply. */
async function askFor(plaza: Plaza, authority: string, more = ''): Promise<[Socket, string]> {
  const socket = connect(plaza.listening.console, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n\r\n${more}`)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  return [socket, chunk.toString()]
}

/** The client that comes with Node, from the environment, as the guide says. */
const NODE_CLIENT = `
  import { get } from 'node:https'
  get('https://${HOST}/2/users/me', (reply) => {
    console.log(reply.statusCode)
    reply.resume()
  })
`

describe('the console is an HTTPS proxy to the hosts of Plaza', () => {
  let folder: string
  let plaza: Plaza
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plaza-proxy-'))
    plaza = await startPlaza(
      {
        coreUrl: `https://${HOST}`,
        coreAliases: ['https://upload.plaza.test'],
        adsUrl: 'https://ads.plaza.test',
      },
      { clock: systemClock, backgroundTasks: true },
    )
    await writeFile(join(folder, 'ca.pem'), String(plaza.caPem))
  })
  after(async () => {
    await plaza?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const curl = async (url: string) => {
    const args = ['--silent', '--show-error', '--cacert', join(folder, 'ca.pem'), url]
    const env = { PATH: process.env.PATH, HTTPS_PROXY: plaza.urls.console }
    const { stdout } = await promisify(execFile)('curl', args, { env })
    return stdout
  }

  test('curl reaches each public host by its name', async () => {
    for (const host of [HOST, 'upload.plaza.test', 'ads.plaza.test'])
      assert.match(await curl(`https://${host}/nothing`), /"errors":/, host)
    assert.match(await curl(`https://${HOST.toUpperCase()}/nothing`), /"errors":/)
  })

  test('a client in Node reaches it by its name', async () => {
    const env = {
      ...{ PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
      ...{ HTTPS_PROXY: plaza.urls.console, NODE_USE_ENV_PROXY: '1' },
    }
    const args = ['--input-type=module', '--eval', NODE_CLIENT]
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    assert.equal(stdout, '401\n')
  })

  test('any other host, port or form is refused', async () => {
    for (const authority of [
      'example.com:443',
      `${HOST}:8443`,
      '127.0.0.1:22',
      '169.254.169.254:80',
      HOST,
      '[::1]:443',
      'x'.repeat(10_000),
    ]) {
      const [socket, reply] = await askFor(plaza, authority)
      assert.match(reply, /^HTTP\/1\.1 403 Forbidden\r\n/, authority)
      assert.match(reply, /hosts of this server only: api\.plaza\.test:443, upload\.plaza\.test:443, ads\./)
      socket.destroy()
    }
  })

  test('a tunnel carries several requests, and what came with the request for it', async () => {
    const [socket] = await askFor(plaza, `${HOST}:443`)
    const secure = connectTls({ socket, servername: HOST, ca: String(plaza.caPem) })
    await once(secure, 'secureConnect')
    let text = ''
    secure.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    for (const count of [1, 2]) {
      secure.write(`GET /2/users/me HTTP/1.1\r\nhost: ${HOST}\r\n\r\n`)
      await until(`reply ${count}`, () => statuses().length === count)
    }
    assert.deepEqual(statuses(), ['401', '401'])
    secure.destroy()
    // Not TLS: the port ends the connection, and goes on.
    const [other, reply] = await askFor(plaza, `${HOST}:443`, 'GET / HTTP/1.1\r\n\r\n')
    assert.match(reply, /^HTTP\/1\.1 200/)
    if (!other.destroyed) await once(other, 'close')
    assert.match(await curl(`https://${HOST}/nothing`), /"errors":/)
  })

  test('at most 192 tunnels are open at once, and the console stays reachable', async () => {
    const sockets: Socket[] = []
    for (let count = 0; count < 192; count++) {
      const [socket, reply] = await askFor(plaza, `${HOST}:443`)
      assert.match(reply, /^HTTP\/1\.1 200/)
      sockets.push(socket)
    }
    const [late, reply] = await askFor(plaza, `${HOST}:443`)
    assert.match(reply, /^HTTP\/1\.1 503 Service Unavailable[\s\S]*192 tunnels are open already/)
    late.destroy()
    assert.equal((await fetch(`${plaza.urls.console}/health`)).status, 200)
    for (const socket of sockets) socket.destroy()
    await until('a tunnel is free', async () => {
      const [socket, again] = await askFor(plaza, `${HOST}:443`)
      socket.destroy()
      return again.startsWith('HTTP/1.1 200')
    })
  })

  test('Plaza closes although tunnels are open', async () => {
    const own = await startPlaza({ coreUrl: `https://${HOST}`, shutdownSeconds: 0 })
    const [socket] = await askFor(own, `${HOST}:443`)
    const closed = once(socket, 'close')
    await own.close()
    await closed
  })
})

test('with --hardened or without TLS, there is no tunnel', async () => {
  for (const [settings, status] of [
    [{ hardened: true, coreUrl: `https://${HOST}` }, 405],
    [{ behindProxy: true, coreUrl: `http://${HOST}` }, 403],
  ] as const) {
    const plaza = await startPlaza(settings)
    const [socket, reply] = await askFor(plaza, `${HOST}:443`)
    assert.match(reply, new RegExp(`^HTTP/1\\.1 ${status}`))
    socket.destroy()
    await plaza.close()
  }
})
