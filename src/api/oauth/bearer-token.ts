import { Type } from 'typebox'
import { bearerOf } from '../../identity/tokens/bearer.ts'
import { json } from '../../platform/http/reply-kinds.ts'
import { choice, standard } from '../../platform/http/schema.ts'
import { NOT_CACHED } from '../../platform/protocols/oauth2/errors.ts'
import { endpoint } from './endpoint.ts'

/** POST /oauth2/token: the app's bearer (interface, OAuth endpoints, rules 3 and 5). */
export const bearerToken = endpoint({
  id: 'bearerToken',
  host: 'core',
  method: 'POST',
  path: '/oauth2/token',
  summary: "Get the app's bearer",
  description:
    'Returns the bearer token of the app, which stays the same until it is invalidated. Store it: requesting it too often returns error code 99.',
  source: 'OAuth endpoints; OAuth credentials',
  auth: ['basic'],
  limits: { client: '450/15m' },
  overLimit: 'bearer asked too often',
  form: { grant_type: standard(choice(['client_credentials'], 'The only grant type.')) },
  onInvalid: 'credentials unverifiable',
  reply: Type.Object(
    { token_type: standard(choice(['bearer'], 'Type of the token.')), access_token: Type.String() },
    { additionalProperties: false },
  ),
  example: { reply: { token_type: 'bearer', access_token: 'AAAAAAAAAAAAAAAAAAAAAq3T9x%2BvU1o%3D' } },
  async handle({ principal: { app } }, context) {
    const reply = { token_type: 'bearer' as const, access_token: await bearerOf(app, context) }
    return json(reply, undefined, NOT_CACHED)
  },
})
