import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { runPlaza, type Started, spawnPlaza, startCli, stopCli, until } from './cli.fixture.ts'

// What an integrator sees of deliveries beside a running server.

const SIGNATURE = 'x-svc-webhooks-signature'

const sign = (secret: string, text: string) =>
  `sha256=${createHmac('sha256', secret).update(text).digest('base64')}`

/** The integrator's own server: answers CRC checks, and deliveries with `status`. */
async function ownServer(t: TestContext, secret: string) {
  const own = {
    url: '',
    status: 500,
    answer: 'not today\u001b[31m',
    bodies: [] as string[],
    headers: {} as IncomingHttpHeaders,
  }
  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://own.example')
    const token = searchParams.get('crc_token')
    if (token !== null) {
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify({ response_token: sign(secret, token) }))
    }
    own.headers = request.headers
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    assert.equal(request.headers[SIGNATURE], sign(secret, body))
    own.bodies.push(body)
    response.statusCode = own.status
    return response.end(own.answer)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  own.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  return own
}

async function json<T>(t: TestContext, { data }: Started, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await runPlaza(t, [...args, `--data=${data}`, '--json'])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as T
}

interface Delivery {
  id: string
  webhook_id: string
  event_id: string
  state: string
  attempts: { at: string; ms: number; signature?: string; status?: number; answer?: string }[]
  url: string
  signed: { header: string; value: string }
  body: string
}

test('events are forwarded to a server, and deliveries are listed, shown and sent again', async (t) => {
  const plaza = await startCli(t)
  const secret = plaza.ready.app?.consumer_secret as string
  const own = await ownServer(t, secret)
  const to = `--forward-to=${own.url}`
  const listening = spawnPlaza(t, ['listen', '--port=0', '--register', to, '--json', `--data=${plaza.data}`])
  const webhook_id = await until(
    listening,
    'the registration',
    () => /"webhook_id":"([0-9]+)"/.exec(listening.stdout())?.[1],
  )
  assert.match(listening.stdout(), /"kind":"forwarded","method":"GET","status":200/)

  const user_id = plaza.ready.user?.id
  const subscription = { event_type: 'post.create', filter: { user_id }, webhook_id }
  const path = '/2/activity/subscriptions'
  await json(t, plaza, 'request', 'POST', path, '--as=app', '-d', JSON.stringify(subscription))
  await json(t, plaza, 'request', 'POST', '/2/posts', '-d', '{"text":"Good morning"}')
  await until(listening, 'the delivery', () => own.bodies.length > 0 || undefined)
  await until(
    listening,
    'the report',
    () => listening.stdout().includes('"method":"POST","status":500') || undefined,
  )

  // Plaza's headers and no others.
  assert.deepEqual(Object.keys(own.headers).sort(), [
    'connection',
    'content-length',
    'content-type',
    'host',
    'user-agent',
    SIGNATURE,
  ])
  assert.match(own.headers['user-agent'] ?? '', /^Plaza/)
  const ofWebhook = ['deliveries', 'list', `--webhook=${webhook_id}`]
  const id = await firstTried(t, plaza, ofWebhook)
  const shown = await json<Delivery>(t, plaza, 'deliveries', 'show', id)
  const [body = ''] = own.bodies
  assert.deepEqual(
    [shown.body, shown.signed.header, shown.signed.value],
    [body, SIGNATURE, sign(secret, body)],
  )
  assert.equal((JSON.parse(body) as { data: { event_uuid: string } }).data.event_uuid, shown.event_id)
  const [attempt] = shown.attempts
  assert.deepEqual(
    [attempt?.status, attempt?.answer, attempt?.signature],
    [500, 'not today\u001b[31m', sign(secret, body)],
  )

  const text = await runPlaza(t, ['deliveries', 'show', id, `--data=${plaza.data}`])
  assert.match(
    text.stdout,
    /Attempt 1 {2}\S+ {2}500 after [0-9.]+ ms\n {11}x-svc-webhooks-signature: sha256=\S+\n {11}not today\\u001b\[31m/,
  )

  own.status = 200
  own.answer = ''
  const resent = await runPlaza(t, ['deliveries', 'resend', id, '999999', `--data=${plaza.data}`])
  assert.equal(resent.code, 1)
  assert.equal(resent.stdout, 'Sending 1 delivery again.\n')
  assert.equal(resent.stderr, '999999: the delivery does not exist\n')
  await until(listening, 'the delivery', () => own.bodies.length > 1 || undefined)
  assert.deepEqual(new Set(own.bodies), new Set([body]))
  const older = await runPlaza(t, [...ofWebhook, `--before=${id}`, `--data=${plaza.data}`])
  assert.deepEqual([older.code, older.stdout], [0, ''])
  const unknown = await runPlaza(t, [...ofWebhook, '--before=999999', `--data=${plaza.data}`])
  assert.match(unknown.stderr, /Delivery 999999 does not exist, or has been removed\./)
  const wrong = await runPlaza(t, ['deliveries', 'list', '--state=lost', `--data=${plaza.data}`])
  assert.equal(wrong.code, 2)
  assert.match(
    wrong.stderr,
    /--state is one of pending, delivered, failed, skipped, dropped, oversized, withdrawn, capped, not "lost"/,
  )
  assert.equal((await stopCli(listening, 'SIGINT')).code, 0)
})

/** The id of the only delivery, once an attempt of it is recorded. */
async function firstTried(t: TestContext, plaza: Started, list: string[]): Promise<string> {
  for (;;) {
    const { id, attempts, state } = await json<Delivery>(t, plaza, ...list)
    assert.equal(state, 'pending')
    if (attempts.length > 0) return id
  }
}

test('without an answer of the own server a delivery is tried again', async (t) => {
  const plaza = await startCli(t)
  const secret = plaza.ready.app?.consumer_secret as string
  const gone = createServer()
  await once(gone.listen(0, '127.0.0.1'), 'listening')
  const to = `--forward-to=http://127.0.0.1:${(gone.address() as AddressInfo).port}/`
  await once(gone.close(), 'close')
  const listening = spawnPlaza(t, ['listen', '--port=0', to, `--data=${plaza.data}`])
  const url = await until(listening, 'the address', () => /(http:\S+\/webhook)/.exec(listening.stdout())?.[1])
  const headers = { [SIGNATURE]: sign(secret, '{}') }
  assert.equal((await fetch(url, { method: 'POST', body: '{}', headers })).status, 502)
  assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 401)
  await until(
    listening,
    'the line',
    () => /POST forwarded: ECONNREFUSED after/.test(listening.stdout()) || undefined,
  )
  const wrong = await runPlaza(t, ['listen', '--forward-to=ftp://a', `--data=${plaza.data}`])
  assert.equal(wrong.code, 2)
  const secretive = await runPlaza(t, ['listen', '--forward-to=http://a:b@c/', `--data=${plaza.data}`])
  assert.equal(secretive.code, 2)
  assert.match(wrong.stderr, /--forward-to is an http or https URL without a query, not "ftp:\/\/a"/)
})
