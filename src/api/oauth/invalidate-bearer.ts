import { Type } from 'typebox'
import { moveCredentialEpoch, revokeBearer } from '../../identity/apps/queries.ts'
import { issuedSpelling } from '../../identity/tokens/bearer.ts'
import { json } from '../../platform/http/reply-kinds.ts'
import { text } from '../../platform/http/schema.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import { endpoint } from './endpoint.ts'

/**
 * POST /oauth2/invalidate_token: ends the app's bearer token (interface, OAuth endpoints, rule 3).
 */
export const invalidateBearer = endpoint({
  id: 'invalidateBearer',
  host: 'core',
  method: 'POST',
  path: '/oauth2/invalidate_token',
  summary: "Revoke the app's bearer",
  description:
    "Revokes the app's bearer token. The request is signed with the app's key and an access token of the app's owner, or sent with the app's key and secret. The next request for a bearer token returns another one.",
  source: 'OAuth endpoints; OAuth credentials',
  auth: ['user', 'basic'],
  limits: { user: '450/15m', client: '450/15m' },
  form: { access_token: text(1, 1024, 'The bearer token, percent-encoded or not.') },
  onInvalid: 'credentials unverifiable',
  reply: Type.Object({ access_token: Type.String() }, { additionalProperties: false }),
  errors: ['credentials unverifiable'],
  example: { reply: { access_token: 'AAAAAAAAAAAAAAAAAAAAAq3T9x%2BvU1o%3D' } },
  async handle({ principal, form }, { store, sealer }) {
    const { app } = principal
    if (principal.kind === 'user' && principal.userId !== app.ownerUserId)
      throw apiError('credentials unverifiable', 'the user does not own the app')
    const bearer = issuedSpelling(form.access_token)
    const revoked = await store.write(async (tx) => {
      const changed = await tx.run(revokeBearer, { id: app.id, bearerHash: sealer.hashToken(bearer) })
      if (changed > 0) await tx.run(moveCredentialEpoch, {})
      return changed
    })
    if (revoked === 0) throw apiError('credentials unverifiable', "not this app's bearer")
    return json({ access_token: bearer })
  },
})
