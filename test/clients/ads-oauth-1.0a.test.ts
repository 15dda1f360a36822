import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { ValidateFunction } from 'ajv'
import OAuth from 'oauth-1.0a'
import { Agent, fetch } from 'undici'
import { endpoints } from '../../src/app/endpoints.ts'
import { openApi } from '../../src/app/openapi/openapi.ts'
import type { PlazaEndpoint as Endpoint } from '../../src/identity/auth/endpoint.ts'
import { jsonText } from '../../src/platform/common/exact-json.ts'
import { isAdsEndpoint } from '../../src/platform/protocols/ads/endpoint.ts'
import { type Draft, draft, targetOf } from '../conformance/calls.ts'
import { openWorld, type World } from '../conformance/world.ts'
import { inDocument, type OpenApiDocument, responseOf } from '../support/document.ts'
import { stages } from '../support/stages.ts'

// Every advertising endpoint, signed by a client library as published in the registry. Each reply,
// success or error, must match the OpenAPI document.

const adsEndpoints = endpoints.filter(isAdsEndpoint).filter(({ hidden }) => !hidden)

describe('oauth-1.0a on the advertising API, unmodified', () => {
  let world: World
  let dispatcher: Agent
  let signer: OAuth
  const document: OpenApiDocument = JSON.parse(jsonText(openApi('ads', endpoints, { version: 'test' })))

  before(async () => {
    const [memory] = stages
    if (!memory) throw new Error('there is no stage')
    world = await openWorld(memory)
    dispatcher = new Agent({ connect: { ca: world.plaza.caPem as string } })
    world.ajv.addSchema({ $id: 'document', components: document.components })
    signer = new OAuth({
      consumer: { key: world.app.consumerKey, secret: world.app.consumerSecret },
      signature_method: 'HMAC-SHA1',
      hash_function: (base, key) => createHmac('sha1', key).update(base).digest('base64'),
    })
    // The library signs with the machine's clock, so the clock of the tests must agree with it.
    world.plaza.clock.moveTo(Date.now())
  })
  after(async () => {
    await dispatcher?.close()
    await world?.close()
  })

  async function send(endpoint: Endpoint, one: Draft, wrongSecret = false) {
    const { urls } = world.plaza
    const url = (endpoint.host === 'sandbox' ? urls.adsSandbox : urls.ads) + targetOf(world, endpoint, one)
    const data = Object.fromEntries(one.form)
    const { method } = endpoint
    const hasForm = one.form.length > 0
    const token = { key: one.pen?.token ?? '', secret: wrongSecret ? 'x' : (one.pen?.tokenSecret ?? '') }
    const { Authorization } = signer.toHeader(
      signer.authorize({ url, method, ...(hasForm && { data }) }, token),
    )
    const body =
      one.json === undefined
        ? hasForm
          ? new URLSearchParams(data).toString()
          : undefined
        : JSON.stringify(one.json)
    const type = one.json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
    const response = await fetch(url, {
      method,
      dispatcher,
      headers: { Authorization, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    })
    return { status: response.status, text: await response.text() }
  }

  function assertDocumented(endpoint: Endpoint, { status, text }: { status: number; text: string }): void {
    const response = responseOf(document, { ...endpoint, status })
    const schema = response?.content?.['application/json']?.schema
    assert.ok(schema, `${status} is not documented: ${text}`)
    const validate = validatorOf(schema)
    assert.ok(validate(JSON.parse(text)), `${text}: ${world.ajv.errorsText(validate.errors)}`)
  }

  const validatorOf = (schema: object): ValidateFunction => world.ajv.compile(inDocument(schema))

  for (const endpoint of adsEndpoints) {
    test(`${endpoint.id}: a good call`, async () => {
      const reply = await send(endpoint, await draft(world, endpoint, 'user'))
      assert.equal(reply.status, endpoint.status, reply.text)
      assertDocumented(endpoint, reply)
    })
    test(`${endpoint.id}: a wrong signature`, async () => {
      const reply = await send(endpoint, await draft(world, endpoint, 'user'), true)
      assert.equal(reply.status, 401)
      assertDocumented(endpoint, reply)
    })
    if (endpoint.right === undefined) continue
    test(`${endpoint.id}: an account that is not there`, async () => {
      const one = await draft(world, endpoint, 'user')
      const reply = await send(endpoint, { ...one, params: { ...one.params, account_id: 'nosuch' } })
      assert.equal(reply.status, 403)
      assertDocumented(endpoint, reply)
    })
  }
})
