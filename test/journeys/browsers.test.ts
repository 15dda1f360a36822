import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { startPlaza } from '../support/plaza.ts'

const ORIGIN = 'https://docs.example'
const PREFLIGHT = {
  origin: ORIGIN,
  'access-control-request-method': 'PUT',
  'access-control-request-headers': 'authorization,content-type',
}
const corsOf = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))
const ALLOWED = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' }

test('pages of other origins may call the APIs, and read their replies and errors', async () => {
  const plaza = await startPlaza()
  const client = new Client(plaza)
  try {
    const person = await Person.join(plaza, client)
    for (const origin of [plaza.urls.core, plaza.urls.ads, plaza.urls.adsSandbox]) {
      const preflight = await client.send('OPTIONS', `${origin}/any/path`, { headers: PREFLIGHT })
      assert.equal(preflight.status, 204)
      assert.equal(preflight.text, '')
      assert.deepEqual(corsOf(preflight.headers), {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
        'access-control-allow-headers': 'authorization,content-type',
        'access-control-max-age': '7200',
      })
      const unknown = await client.send('GET', `${origin}/none`, { headers: { origin: ORIGIN } })
      assert.equal(unknown.status, 404)
      assert.deepEqual(corsOf(unknown.headers), ALLOWED)
    }
    const me = await client.signed('GET', '/2/users/me', person.keys, { headers: { origin: ORIGIN } })
    assert.equal(me.status, 200)
    assert.deepEqual(corsOf(me.headers), ALLOWED)
    const rejected = await client.send('GET', '/2/users/me', { headers: { origin: ORIGIN } })
    assert.equal(rejected.status, 401)
    assert.deepEqual(corsOf(rejected.headers), ALLOWED)
  } finally {
    await client.close()
    await plaza.close()
  }
})

test('consent pages, requests without an origin and other OPTIONS requests are as before', async () => {
  const plaza = await startPlaza()
  const client = new Client(plaza)
  try {
    const page = await client.send('GET', '/oauth/apps', { headers: { origin: ORIGIN } })
    assert.match(page.headers['content-type'] ?? '', /^text\/html/)
    assert.deepEqual(corsOf(page.headers), {})
    assert.deepEqual(corsOf((await client.send('GET', '/2/users/me')).headers), {})
    const options = await client.send('OPTIONS', '/2/users/me', { headers: { origin: ORIGIN } })
    assert.equal(options.status, 405)
    const console = await client.send('OPTIONS', plaza.urls.console, { headers: PREFLIGHT })
    assert.deepEqual(corsOf(console.headers), {})
  } finally {
    await client.close()
    await plaza.close()
  }
})

test('CORS is off with --hardened, unless it is switched on', async () => {
  for (const [config, expected] of [
    [{ hardened: true }, {}],
    [{ cors: 'off' as const }, {}],
    [{ hardened: true, cors: 'on' as const }, ALLOWED],
  ] as const) {
    const plaza = await startPlaza({ ...config, seed: 'none' })
    const client = new Client(plaza)
    try {
      const reply = await client.send('GET', '/2/users/me', { headers: { origin: ORIGIN } })
      assert.deepEqual(corsOf(reply.headers), expected)
    } finally {
      await client.close()
      await plaza.close()
    }
  }
})

test('a browser at the root of an API gets a page with links, and every other client an error', async () => {
  const plaza = await startPlaza()
  const client = new Client(plaza)
  const browser = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }
  try {
    for (const [origin, heading, reference] of [
      [plaza.urls.core, 'Core API and OAuth', '/reference'],
      [plaza.urls.ads, 'Advertising API', '/reference/ads'],
      [plaza.urls.adsSandbox, 'Advertising API: sandbox', '/reference/ads'],
    ]) {
      const page = await client.send('GET', `${origin}/`, { headers: browser })
      assert.equal(page.status, 200)
      assert.match(page.headers['content-type'] ?? '', /^text\/html/)
      assert.ok(page.text.includes(`<h1>${heading}</h1>`), page.text)
      assert.ok(page.text.includes(`href="${plaza.urls.console}${reference}"`), page.text)
      const linked = await client.send('GET', `${plaza.urls.console}${reference}`)
      assert.equal(linked.status, 200)
      const other = await client.send('GET', `${origin}/`)
      assert.equal(other.status, 404)
      assert.match(other.headers['content-type'] ?? '', /^application\/json/)
      assert.equal((await client.send('GET', `${origin}/none`, { headers: browser })).status, 404)
    }
  } finally {
    await client.close()
    await plaza.close()
  }
})

test('with --hardened, a browser gets the error too', async () => {
  const plaza = await startPlaza({ hardened: true, seed: 'none' })
  const client = new Client(plaza)
  try {
    assert.equal((await client.send('GET', '/', { headers: { accept: 'text/html' } })).status, 404)
  } finally {
    await client.close()
    await plaza.close()
  }
})
