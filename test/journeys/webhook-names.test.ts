import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { createServer } from 'node:https'
import { connect } from 'node:net'
import { test } from 'node:test'
import { createApp } from '../../src/identity/apps/apps.ts'
import { createAccessToken } from '../../src/identity/tokens/access-tokens.ts'
import { ManualClock, monotonicTime } from '../../src/platform/common/clock.ts'
import { startNameServer } from '../../src/platform/outbound/name-server.fixture.ts'
import { Names } from '../../src/platform/outbound/names.ts'
import { createAuthority, listen } from '../../src/platform/outbound/outbound.fixture.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { Client, demoKeys } from '../support/client.ts'
import { START_MS, startPlaza } from '../support/plaza.ts'
import { until } from '../support/until.ts'

/** An app's webhook with a name and a certificate, on a port of its own. */
const answering = (consumerSecret: string, credentials: { cert: string; key: string }) =>
  createServer(credentials, ({ url = '' }, response) => {
    const token = new URL(url, 'https://good.test').searchParams.get('crc_token') ?? ''
    const digest = createHmac('sha256', consumerSecret).update(token).digest('base64')
    response.end(JSON.stringify({ response_token: `sha256=${digest}` }))
  })

test('webhooks whose names never resolve do not delay the check of another app', async (t) => {
  const authority = await createAuthority()
  const { server, asked } = await startNameServer(t, (name) =>
    name === 'good.test' ? ['127.0.0.1'] : 'silent',
  )
  const names = new Names({ monotonic: monotonicTime, servers: [server] })
  let port = 0
  const outbound = createOutbound({
    allow: ['127.0.0.0/8'],
    timeoutMs: 10_000,
    // No call times out by itself.
    clock: new ManualClock(START_MS),
    maxBytes: 65_536,
    maxConcurrent: 64,
    userAgent: 'plaza-test',
    ca: [authority.cert],
    resolve: (host, at) => names.resolve(host, at),
    dial: ({ address }) => connect({ host: address, port }),
  })
  const plaza = await startPlaza({ rateLimits: 'off' }, { outbound })
  const client = new Client(plaza)
  t.after(async () => {
    await plaza.close()
    await client.close()
  })
  const { context, seeded } = plaza
  const ownerUserId = seeded?.users[0]?.id as string
  const app = { name: 'Other', website: 'https://other.test/', callbacks: [], kind: 'web' } as const
  const other = await context.store.write((tx) =>
    createApp(tx, { ...app, ownerUserId, permission: 'read-write', signIn: false }, context),
  )
  const token = { appId: other.id, userId: ownerUserId, access: 'read-write' } as const
  const pair = await context.store.write((tx) => createAccessToken(tx, token, context))
  port = await listen(t, answering(other.consumerSecret, await authority.issue(['good.test'])))

  let ended = 0
  const slow = Array.from({ length: 16 }, (_, n) =>
    client
      .signed('POST', '/2/webhooks', demoKeys(plaza), { json: { url: `https://n${n}.test/hook` } })
      .finally(() => {
        ended++
      }),
  )
  // Eight at a time, each asked for both kinds of addresses.
  await until('the questions', () => asked.length >= 16)
  const keys = { ...other, token: pair.token, tokenSecret: pair.secret }
  const added = await client.signed('POST', '/2/webhooks', keys, { json: { url: 'https://good.test/hook' } })
  assert.equal(added.status, 200, added.text)
  // The machine's resolver, which Plaza's own services use, is free too.
  assert.ok((await lookup('localhost')).address)
  assert.ok(ended < slow.length, 'the others still wait')
  for (const reply of await Promise.all(slow)) assert.equal(reply.status, 400, reply.text)
  assert.equal(asked.filter((question) => question === 'n0.test A').length, 2, 'tried twice')
})
