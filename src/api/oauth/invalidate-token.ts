import { Type } from 'typebox'
import { removeAccessToken } from '../../identity/apps/queries.ts'
import { asSigned } from '../../identity/auth/principal.ts'
import { endAccess } from '../../identity/tokens/access.ts'
import { json } from '../../platform/http/reply-kinds.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import { endpoint } from './endpoint.ts'

/**
 * POST /1.1/oauth/invalidate_token: revokes the access token that signs (interface, OAuth
 * endpoints).
 */
export const invalidateToken = endpoint({
  id: 'invalidateToken',
  host: 'core',
  method: 'POST',
  path: '/1.1/oauth/invalidate_token',
  aliases: ['/1.1/oauth/invalidate_token.json'],
  summary: 'Revoke an access token',
  description:
    'Revokes the access token of the request. The next authorization returns another token and secret.',
  source: 'OAuth endpoints; OAuth credentials',
  auth: ['user'],
  limits: { user: '450/15m' },
  reply: Type.Object({ access_token: Type.String() }, { additionalProperties: false }),
  example: { reply: { access_token: '1900000000000000001-PQz4mH0yK7cGn1Vt9sRb3xWd5uJe2aLf8iXo6TqZ' } },
  async handle({ principal }, { store, sealer }) {
    const { userId, app, token } = asSigned(principal)
    const tokenHash = sealer.hashToken(token)
    const ended = await store.write((tx) =>
      endAccess(
        tx,
        { userId, appId: app.id },
        { oauth: '1.0a', remove: () => tx.run(removeAccessToken, { tokenHash }) },
      ),
    )
    if (!ended) throw apiError('invalid token', 'revoked meanwhile')
    return json({ access_token: token })
  },
})
