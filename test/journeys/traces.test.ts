import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Client, demoKeys } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'

// A collector that speaks OTLP over HTTP with JSON (OpenTelemetry Protocol, section 4).

interface Span {
  traceId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code?: number }
  attributes: { key: string; value: Record<string, unknown> }[]
}

interface Exported {
  resourceSpans: { resource: { attributes: Span['attributes'] }; scopeSpans: { spans: Span[] }[] }[]
}

const members = (attributes: Span['attributes']) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

test('each request is a span of the collector, below that of its client', async (t) => {
  const bodies: string[] = []
  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    bodies.push(Buffer.concat(chunks).toString())
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  t.after(() => collector.close())
  const { port } = collector.address() as AddressInfo
  const plaza = await startPlaza({ traces: `http://127.0.0.1:${port}/v1/traces` })
  const client = new Client(plaza)
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const authorization = client.sign('GET', '/2/users/me', demoKeys(plaza))
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
  const reply = await client.send('GET', '/2/users/me', { headers: { authorization, traceparent } })
  assert.equal(reply.status, 200)
  assert.equal((await client.send('GET', '/2/users/me?secret=s3cr3t')).status, 401)
  await client.close()
  await plaza.close()

  const exported = bodies.map((body) => JSON.parse(body) as Exported)
  const [resource] = exported.flatMap(({ resourceSpans }) => resourceSpans)
  assert.equal(members(resource?.resource.attributes ?? [])['service.name'], 'plaza')
  const spans = exported
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
  assert.deepEqual(
    spans.map(({ name, kind }) => [name, kind]),
    [
      ['GET /2/users/me', 2],
      ['GET /2/users/me', 2],
    ],
  )
  const [first, second] = spans as [Span, Span]
  assert.deepEqual([first.traceId, first.parentSpanId], [traceId, '00f067aa0ba902b7'])
  assert.ok(BigInt(first.endTimeUnixNano) > BigInt(first.startTimeUnixNano))
  assert.deepEqual(members(first.attributes), {
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'plaza.host': 'core',
    'plaza.request_id': reply.headers['x-transaction-id'],
    'http.route': '/2/users/me',
    'plaza.app_id': plaza.seeded?.apps[0]?.id,
    'plaza.user_id': plaza.seeded?.users[0]?.id,
  })
  assert.notEqual(second.traceId, traceId)
  assert.equal(second.parentSpanId, undefined)
  assert.equal(members(second.attributes)['error.type'], 'bad authentication data')
  assert.ok(!bodies.join().includes('s3cr3t'), 'queries are not sent')
})

test('without a collector, requests are answered and the stop does not hang', async () => {
  const plaza = await startPlaza({ traces: 'http://127.0.0.1:1/v1/traces' })
  const client = new Client(plaza)
  assert.equal((await client.send('GET', '/2/users/me')).status, 401)
  await client.close()
  await plaza.close()
})
