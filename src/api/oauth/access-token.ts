import { Type } from 'typebox'
import { json } from '../../platform/http/reply-kinds.ts'
import { text } from '../../platform/http/schema.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import { endpoint } from './endpoint.ts'
import { exchange } from './exchange.ts'

/** POST /oauth/access_token: the last of the three steps (interface, OAuth endpoints). */
export const accessToken = endpoint({
  id: 'accessToken',
  host: 'core',
  method: 'POST',
  path: '/oauth/access_token',
  // The interface has POST. Some libraries send every step as GET, which OAuth Core 1.0 left to the
  // provider.
  takesGet: true,
  summary: 'Finish a sign-in',
  description:
    'Exchanges an approved request token and its verifier or PIN for an access token. The same user, app and access level return the same token and secret until the token is revoked.',
  source: 'OAuth endpoints; OAuth credentials',
  auth: ['pending'],
  limits: { client: '180/15m' },
  form: {
    oauth_verifier: text(1, 200, 'Verifier from the callback, or the PIN that was shown to the user.'),
  },
  onInvalid: 'verifier invalid',
  replyKind: 'form',
  reply: Type.Object(
    {
      oauth_token: Type.String(),
      oauth_token_secret: Type.String(),
      user_id: Type.String(),
      screen_name: Type.String(),
    },
    { additionalProperties: false },
  ),
  errors: ['user suspended'],
  example: {
    reply: {
      oauth_token: '1900000000000000001-PQz4mH0yK7cGn1Vt9sRb3xWd5uJe2aLf8iXo6TqZ',
      oauth_token_secret: 'aLf8iXo6TqZPQz4mH0yK7cGn1Vt9sRb3xWd5uJe2aLf8i',
      user_id: '1900000000000000001',
      screen_name: 'demo',
    },
  },
  async handle({ principal, form }, context) {
    const granted = await exchange(principal.requestToken, form.oauth_verifier, context)
    // Thrown after the transaction, so that the failed attempt stays counted.
    if (granted === 'wrong') throw apiError('verifier invalid')
    return json(granted)
  },
})
