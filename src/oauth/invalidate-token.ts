import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { moveCredentialEpoch, removeAccessToken } from '../identity/queries.ts'
import { apiError } from '../protocols/catalogue.ts'
import { json } from '../http/reply-kinds.ts'

/** POST /1.1/oauth/invalidate_token: revokes the access token that signs (interface, OAuth endpoints). */
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
  async handle({ principal: { token } }, { store, sealer }) {
    const removed = await store.write(async (tx) => {
      const changed = await tx.run(removeAccessToken, { tokenHash: sealer.hashToken(token) })
      if (changed > 0) await tx.run(moveCredentialEpoch, {})
      return changed
    })
    if (removed === 0) throw apiError('invalid token', 'revoked meanwhile')
    return json({ access_token: token })
  },
})
