import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { callAdmin, callWhole } from '../../src/app/admin-client.ts'
import { endpoints } from '../../src/app/endpoints.ts'
import { documentedErrors } from '../../src/app/openapi/documented.ts'
import { openApi } from '../../src/app/openapi/openapi.ts'
import type { PlazaEndpoint as Endpoint } from '../../src/identity/auth/endpoint.ts'
import { jsonText } from '../../src/platform/common/exact-json.ts'
import type { DocumentedError } from '../../src/workbench/faults/rule.ts'
import { anyKind, call, type Draft, draft } from '../conformance/calls.ts'
import { openWorld, type Reply, type World } from '../conformance/world.ts'
import { inDocument, type OpenApiDocument, responseOf } from '../support/document.ts'
import { stages } from '../support/stages.ts'

// Each documented error of every endpoint, produced by a fault rule, for a caller with the right
// credentials. Each reply must match the OpenAPI document.

const documented = endpoints.filter(({ hidden }) => !hidden)
const documentOf = (name: 'core' | 'ads'): OpenApiDocument =>
  JSON.parse(jsonText(openApi(name, endpoints, { version: 'test' })))

describe('documented errors by fault rules', () => {
  let world: World
  const documents = { core: documentOf('core'), ads: documentOf('ads') }
  const validators = new Map<string, ValidateFunction>()

  before(async () => {
    const [memory] = stages
    assert.ok(memory)
    world = await openWorld(memory, {}, { usesOwnClock: true })
    for (const [name, { components }] of Object.entries(documents))
      world.ajv.addSchema({ $id: name, components })
  })
  after(() => world?.close())

  const admin = () => ({ consoleUrl: world.plaza.urls.console })

  /** Fails unless the document declares the status, the content type and the body of a reply. */
  function declared(endpoint: Endpoint, reply: Reply): void {
    const name = endpoint.host === 'core' ? 'core' : 'ads'
    const response = responseOf(documents[name], { ...endpoint, status: reply.status })
    assert.ok(response, `${reply.status} is not documented`)
    const [type = ''] = String(reply.headers['content-type']).split(';')
    const schema = response.content?.[type]?.schema
    assert.ok(schema, `${reply.status} is not documented as ${type}`)
    if (!type.includes('json')) return
    const text = JSON.stringify(inDocument(schema)).replaceAll('"document#/', `"${name}#/`)
    const validate = validators.get(text) ?? world.ajv.compile(JSON.parse(text))
    validators.set(text, validate)
    assert.ok(validate(JSON.parse(reply.text)), `${reply.text}: ${world.ajv.errorsText(validate.errors)}`)
  }

  /** The headers that the real cause would have added. */
  function hasHeaders(endpoint: Endpoint, { cause, status }: DocumentedError, { headers }: Reply): void {
    const isLimited = Object.keys(endpoint.limits).length > 0
    if (cause === endpoint.overLimit && isLimited && headers['x-rate-limit-limit'] !== undefined) {
      assert.equal(headers['x-rate-limit-remaining'], '0')
      assert.ok(Number(headers['x-rate-limit-reset']) > 0)
    }
    if (status === 503) assert.equal(headers['retry-after'], '5')
    if (status === 401 && endpoint.protocol.challenges && endpoint.auth.some((kind) => kind !== 'none'))
      assert.match(String(headers['www-authenticate']), /realm="/)
  }

  async function produce(endpoint: Endpoint, one: Draft, error: DocumentedError): Promise<void> {
    const route = `${endpoint.method} ${endpoint.path}`
    const { cause, status } = error
    const { id } = await callAdmin(admin(), 'POST', '/faults', {
      ...{ route, host: endpoint.host, kind: 'error', status, cause, times: 1 },
    })
    try {
      const reply = await call(world, endpoint, one, { kind: anyKind(endpoint) })
      assert.equal(reply.status, status, reply.text)
      declared(endpoint, reply)
      hasHeaders(endpoint, error, reply)
      const { hits } = await callAdmin(admin(), 'GET', `/faults/${id}`)
      assert.equal(hits, 1)
    } finally {
      await callWhole(admin(), 'DELETE', `/faults/${id}`)
    }
  }

  for (const endpoint of documented)
    test(`${endpoint.method} ${endpoint.path}`, async () => {
      const errors = documentedErrors(endpoint, world.plaza.context.naming)
      // At least those of every endpoint.
      assert.ok(errors.length >= 6, `${errors.length} errors`)
      const one = await draft(world, endpoint, anyKind(endpoint))
      for (const error of errors)
        await produce(endpoint, one, error).catch((failure) => {
          throw new Error(`${error.status} ${error.cause}: ${failure.message}`, { cause: failure })
        })
    })
})
