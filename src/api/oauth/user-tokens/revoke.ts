import { Type } from 'typebox'
import type { App } from '../../../identity/apps/app.ts'
import {
  moveCredentialEpoch,
  removeUserToken,
  userGrantByHandle,
  userGrantByToken,
} from '../../../identity/apps/queries.ts'
import { digestOf, endUserGrant, handleOf } from '../../../identity/tokens/user-tokens.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { text } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { endpoint } from '../endpoint.ts'
import { clientOf } from './client.ts'

/**
 * POST /2/oauth2/revoke: ends an access token, or a whole grant (core reference, 01 section 5.3;
 * RFC 7009).
 */
export const userRevoke = endpoint({
  id: 'userRevoke',
  host: 'core',
  method: 'POST',
  path: '/2/oauth2/revoke',
  summary: 'Revoke a token of a user',
  description:
    'Revokes an access token, or a refresh token with all tokens of its grant. An unknown or already revoked token is not an error. The client authenticates as for `POST /2/oauth2/token`.',
  source: 'Authentication',
  auth: ['none'],
  limits: { address: '1500/15m' },
  form: {
    token: text(1, 500, 'The access token or refresh token.'),
    token_type_hint: Type.Optional(
      text(0, 100, '`access_token` or `refresh_token`. A hint: Plaza looks for both.'),
    ),
    client_id: Type.Optional(text(1, 200, 'Of a public client; a confidential one sends Basic credentials.')),
  },
  reply: Type.Object({ revoked: Type.Boolean() }, { additionalProperties: false }),
  errors: [
    'client unknown',
    'client credentials missing',
    'client ambiguous',
    'app suspended',
    'user token invalid',
  ],
  example: { reply: { revoked: true } },
  async handle({ form, headers }, context) {
    const app = await clientOf({ headers, form }, context)
    const isOther = await context.store.write((tx) => revoke(tx, app, form.token))
    if (isOther) throw apiError('user token invalid', 'a token of another app')
    return json({ revoked: true })
  },
})

/** Resolves to whether the token belongs to another app. In that case, nothing changes. */
async function revoke(tx: Transaction, app: App, token: string): Promise<boolean> {
  const tokenHash = digestOf(token)
  const ofToken = await tx.first(userGrantByToken, { tokenHash })
  const row = ofToken ?? (await tx.first(userGrantByHandle, { handleHash: digestOf(handleOf(token)) }))
  // A code is not a token. It expires by itself.
  if (!row || row.code_hash === tokenHash) return false
  if (row.app_id !== app.id) return true
  // Without a refresh token, the access token is the whole grant. An old refresh token ends the
  // grant too, because that is what its sender wants.
  if (!ofToken || row.refresh_hash === null) {
    await endUserGrant(tx, row)
    return false
  }
  await tx.run(removeUserToken, { tokenHash })
  await tx.run(moveCredentialEpoch, {})
  return false
}
