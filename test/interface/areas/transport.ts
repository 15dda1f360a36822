import assert from 'node:assert/strict'
import * as ads from '../support/ads.ts'
import type { Area, Exchange } from '../support/exchange.ts'
import { legacy } from '../support/legacy.ts'
import { Matcher, oneOf } from '../support/match.ts'
import * as problem from '../support/problems.ts'
import { send } from '../support/world.ts'

const LARGE = { type: 'application/json', content: Buffer.alloc(1024 * 1024 + 1, 0x20) }
const PLAIN = { type: 'text/plain', content: 'hello' }
const routeNotFound = ads.errors({}, ads.error('ROUTE_NOT_FOUND', 'No such route'))

/**
 * Sources: core reference, 00 sections 1 and 3.1; advertising reference, 00 sections 1, 6.2 and 11.
 */
export const transport: Area = {
  name: 'transport',
  base: '{base_url}',
  as: 'user',
  rows: [
    {
      it: 'the description of the API, for everyone',
      send: 'GET /2/openapi.json',
      as: 'anonymous',
      status: 200,
      reply: new Matcher(
        'an OpenAPI document of version 2.166',
        (value) =>
          String((value as { openapi?: unknown }).openapi).startsWith('3.') &&
          (value as { info: { version: unknown } }).info.version === '2.166',
      ),
      limit: 180,
    },
    // Unknown paths.
    { it: 'an unknown path', send: 'GET /2/nothing', status: 404, reply: problem.plain(404, 'Not Found') },
    ...['GET /2/posts/search', 'DELETE /2/posts/search', 'GET /2/posts/counts'].map(
      (send): Exchange => ({
        it: `a word of other paths is no id: ${send}`,
        send,
        status: 404,
        reply: problem.plain(404, 'Not Found'),
      }),
    ),
    {
      it: 'an unknown path outside /2/',
      send: 'GET /nothing',
      status: 404,
      reply: legacy(34, 'Sorry, that page does not exist.'),
    },
    { it: 'an unknown path', send: 'GET {ads_url}/12/nothing', status: 404, reply: routeNotFound },
    {
      it: 'endpoints of the labs were retired',
      send: 'GET /labs/2/posts/1',
      status: 410,
      reply: legacy(251, 'This endpoint has been retired and should not be used.'),
    },
    {
      it: 'version 1 was retired',
      send: 'POST /1/statuses/update.json',
      status: 410,
      reply: legacy(68, 'Version 1 of the API is no longer active. Use version 2.'),
    },
    { it: 'an unknown version', send: 'GET {ads_url}/11/accounts', status: 404, reply: routeNotFound },
    {
      it: 'a sandbox endpoint on production',
      send: 'POST {ads_url}/12/accounts',
      status: 404,
      reply: routeNotFound,
    },

    // Methods that a path does not have.
    {
      it: 'another method',
      send: 'DELETE /2/webhooks',
      status: 405,
      reply: problem.plain(405, 'Method Not Allowed'),
      has: { allow: 'GET, HEAD, POST' },
    },
    {
      it: 'another method',
      send: 'GET /oauth2/token',
      status: 405,
      reply: legacy(34, 'The method is not allowed for this path.'),
      has: { allow: 'POST' },
    },
    {
      it: 'another method',
      send: 'POST {ads_url}/12/bidding_rules',
      status: 405,
      reply: ads.errors({}, ads.error('METHOD_NOT_ALLOWED', 'The method is not allowed for this path')),
      has: { allow: oneOf('GET, HEAD') },
    },

    // Bodies.
    {
      it: 'a body that is too large',
      send: 'POST /2/webhooks',
      body: LARGE,
      status: 413,
      reply: problem.plain(413, 'Payload Too Large', 'The request body is too large.'),
    },
    {
      it: 'a body that is too large',
      send: 'POST /oauth2/token',
      as: 'basic',
      body: { ...LARGE, type: 'application/x-www-form-urlencoded' },
      status: 413,
      reply: legacy(44, 'The request body is too large.'),
    },
    {
      it: 'a body that is too large',
      send: 'POST {ads_sandbox_url}/12/accounts',
      body: LARGE,
      status: 413,
      reply: ads.errors({}, ads.error('REQUEST_TOO_COMPLEX', 'The request body is too large')),
    },
    {
      it: 'a body of another type',
      send: 'POST /2/webhooks',
      body: PLAIN,
      status: 415,
      reply: problem.plain(
        415,
        'Unsupported Media Type',
        'The content type "text/plain" of the body is not supported: use application/json',
      ),
    },
    {
      it: 'a body of another type',
      send: 'POST /oauth2/token',
      as: 'basic',
      body: PLAIN,
      status: 415,
      reply: legacy(
        44,
        'The content type "text/plain" of the body is not supported: use application/x-www-form-urlencoded',
      ),
    },
    {
      it: 'a body of another type',
      send: 'PUT {ads_url}/12/product_catalogs/1/products',
      body: PLAIN,
      status: 415,
      reply: ads.errors(
        { product_catalog_id: '1' },
        ads.error(
          'INVALID_PARAMETER',
          'The content type "text/plain" of the body is not supported: use application/json',
        ),
      ),
    },
    {
      it: 'JSON without its content type, or with that of a form, is JSON in the core API',
      async run(world) {
        for (const [at, type] of [undefined, 'application/x-www-form-urlencoded'].entries()) {
          const text = `100% cats & 50% dogs, ${world.variables.run}, ${at}`
          const body = { type, content: ` ${JSON.stringify({ text })}` }
          const reply = await send(world, { send: 'POST {base_url}/2/posts', as: 'user', body })
          assert.deepEqual([reply.status, JSON.parse(reply.text).data?.text], [201, text])
        }
      },
    },
    {
      it: 'a body without a type that does not begin like JSON',
      send: 'POST /2/webhooks',
      body: { type: undefined, content: 'url=https' },
      status: 415,
      reply: problem.plain(
        415,
        'Unsupported Media Type',
        'The body has no content type: use application/json',
      ),
    },
    {
      it: 'JSON without its content type, which the advertising API requires',
      send: 'PUT {ads_url}/12/product_catalogs/1/products',
      body: { type: undefined, content: '{}' },
      status: 415,
      reply: ads.errors(
        { product_catalog_id: '1' },
        ads.error('INVALID_PARAMETER', 'The body has no content type: use application/json'),
      ),
    },
    {
      it: 'a body that is not JSON',
      send: 'POST /2/webhooks',
      body: { type: 'application/json', content: '{"url":' },
      status: 400,
      reply: problem.invalidRequest([{ $: ['{"url":'] }, '$: must be of type JSON in UTF-8']),
    },
    {
      it: 'a body that is not JSON',
      send: 'PUT {ads_url}/12/product_catalogs/1/products',
      body: { type: 'application/json', content: '{"products":' },
      status: 400,
      reply: ads.errors(
        { product_catalog_id: '1' },
        ads.error('INVALID_PARAMETER', 'Expected JSON in UTF-8, got "{"products":" for body', {
          parameter: 'body',
        }),
      ),
    },
    {
      it: 'a query whose escapes cannot be read',
      send: 'GET /2/webhooks?webhook_config.fields=%zz',
      as: 'app',
      status: 400,
      reply: problem.invalidRequest([
        { 'webhook_config.fields': ['%zz'] },
        'The `webhook_config.fields` query parameter value [%zz] is not valid',
      ]),
    },

    // Compression.
    {
      it: 'large replies are compressed for clients that take it',
      async run(world) {
        const row = { send: 'GET {ads_url}/12/iab_categories', as: 'user' } as const
        const packed = await send(world, { ...row, headers: { 'accept-encoding': 'gzip' } })
        const plain = await send(world, row)
        assert.equal(packed.headers['content-encoding'], 'gzip')
        assert.equal(packed.headers.vary, 'accept-encoding')
        assert.equal(plain.headers['content-encoding'], undefined)
        assert.equal(plain.headers.vary, 'accept-encoding')
        assert.ok(packed.bytes.length < plain.bytes.length / 2)
      },
    },
    {
      it: 'HEAD is GET without its body',
      send: 'HEAD /2/webhooks',
      as: 'app',
      status: 200,
      limit: 450,
    },
  ],
}
