import { Type } from 'typebox'
import { bytes } from '../../../platform/http/reply-kinds.ts'
import { endpoint } from './endpoint.ts'

/** GET /2/openapi.json (core reference, 06 section 9). */
export const getOpenApiDocument = endpoint({
  id: 'getOpenApiDocument',
  host: 'core',
  method: 'GET',
  path: '/2/openapi.json',
  summary: 'Get the OpenAPI document',
  description: 'Returns the OpenAPI document of the core API, with the names of the vocabulary in force.',
  source: 'Core reference, 06 section 9',
  auth: ['none'],
  limits: { address: '180/15m' },
  replyKind: 'page',
  reply: Type.Unsafe<never>({ description: 'The document.' }),
  handle: async (_call, { coreDocument }) =>
    bytes({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: await coreDocument(),
    }),
})
