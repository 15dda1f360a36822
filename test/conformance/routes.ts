import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../../src/app/endpoints.ts'
import type { PlazaEndpoint as Endpoint } from '../../src/identity/auth/endpoint.ts'
import { methodsOf } from '../../src/platform/http/endpoint.ts'
import { bodyTypes } from '../../src/platform/http/input/incoming.ts'
import { hasEnded, hiddenOn, protocolAt, servedBy } from '../../src/platform/protocols/protocols.ts'
import { anyKind, assertRejected, assertSucceeded, call, deliver, draft, targetOf } from './calls.ts'
import type { World } from './world.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Other methods, other paths, unexpected bodies, and bodies that are too large. */
export function routeTests(endpoint: Endpoint, world: () => World): void {
  const { host, path, maxBodyBytes } = endpoint
  const pathProtocol = () => protocolAt(host, world().vocabulary.path(path))
  const siblings = endpoints.filter((one) => servedBy(host, one) && one.path === path)
  const allowed = siblings.flatMap(methodsOf)
  // A method that only the sandbox has is unknown on production.
  const hidden = endpoints
    .filter((one) => hiddenOn(host, one) && one.path === path)
    .map(({ method }) => method)

  for (const method of METHODS.filter((one) => ![...allowed, ...hidden].some((taken) => taken === one))) {
    test(`tells ${method} which methods there are`, async () => {
      const target = targetOf(world(), endpoint, await draft(world(), endpoint, anyKind(endpoint)))
      const reply = await world().send(host, { method, target })
      if (hasEnded(host, target)) return assert.equal(reply.status, 404)
      assert.equal(reply.status, 405)
      assert.equal(
        reply.headers.allow,
        METHODS.filter((known) => allowed.some((one) => one === known)).join(', '),
      )
      if (method !== 'HEAD') assertRejected(world(), pathProtocol(), reply, 'method not allowed')
    })
  }
  for (const method of hidden) {
    test(`knows nothing of ${method}, which is the sandbox's`, async () => {
      const target = targetOf(world(), endpoint, await draft(world(), endpoint, anyKind(endpoint)))
      const reply = await world().send(host, { method, target })
      assertRejected(world(), pathProtocol(), reply, 'not found')
    })
  }
  for (const ending of ['/', '/no/such/path']) {
    test(`knows nothing at its path followed by ${ending}`, async () => {
      const one = await draft(world(), endpoint, anyKind(endpoint))
      const target = targetOf(world(), endpoint, { ...one, query: [] }) + ending
      const reply = await world().send(host, { method: endpoint.method, target })
      assertRejected(world(), pathProtocol(), reply, 'not found')
    })
  }
  // Their handlers read the body, up to limits of their own.
  if (endpoint.contentTypes.length > 0) return
  test('rejects a body that is too large', async () => {
    const one = await draft(world(), endpoint, anyKind(endpoint))
    const body = Buffer.alloc(maxBodyBytes + 1, 0x20)
    const [contentType] = bodyTypes(endpoint) ?? []
    const change = contentType === undefined ? { body } : { body, contentType }
    const reply = await call(world(), endpoint, { ...one, ...change }, { kind: anyKind(endpoint) })
    assertRejected(world(), endpoint.protocol, reply, 'body too large')
  })
  test('rejects a form that is too large, before it looks at credentials', async () => {
    const one = await draft(world(), endpoint, anyKind(endpoint))
    const body = `a=${'x'.repeat(maxBodyBytes)}`
    const contentType = 'application/x-www-form-urlencoded'
    const reply = await deliver(world(), endpoint, { ...one, body, contentType }, [])
    assertRejected(world(), endpoint.protocol, reply, 'body too large')
  })
  if (endpoint.body || Object.keys(endpoint.form.properties).length > 0) return
  test('passes over a body that it does not take', async () => {
    const one = await draft(world(), endpoint, anyKind(endpoint))
    const change = { body: 'anything', contentType: 'text/plain' }
    const reply = await call(world(), endpoint, { ...one, ...change }, { kind: anyKind(endpoint) })
    assertSucceeded(world(), endpoint, reply)
  })
}

/** Other paths of the endpoint. */
export function aliasTests(endpoint: Endpoint, world: () => World): void {
  for (const alias of endpoint.aliases) {
    test(`answers at ${alias} as well`, async () => {
      const other = { ...endpoint, path: alias }
      const one = await draft(world(), endpoint, anyKind(endpoint))
      assertSucceeded(world(), endpoint, await call(world(), other, one, { kind: anyKind(endpoint) }))
    })
  }
}
