import { timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { endpoint } from '../endpoint.ts'
import type { Permission } from '../identity/app.ts'
import type { TokenPair } from '../identity/people.ts'
import { createAccessToken } from '../identity/people.ts'
import { userById } from '../identity/queries.ts'
import { refuse } from '../kit/errors.ts'
import { text } from '../kit/schema.ts'
import type { Transaction } from '../store/store.ts'
import { UniqueViolation } from '../store/store.ts'
import { grantOf, takeTry, useRequest } from './queries.ts'
import { hashVerifier } from './requests.ts'

/** A request token is burnt after as many wrong verifiers. */
const TRIES = 5

/** POST /oauth/access_token: the last step of the three (interface, OAuth endpoints). */
export const accessToken = endpoint({
  id: 'accessToken',
  host: 'core',
  method: 'POST',
  path: '/oauth/access_token',
  summary: 'Finish a sign-in',
  description:
    'Exchanges an approved request token and its verifier, or pin, for an access token. The same user, app and access give the same pair until it is revoked.',
  source: 'OAuth endpoints; OAuth credentials',
  auth: ['pending'],
  limits: { client: '180/15m' },
  form: { oauth_verifier: text(1, 200, 'From the callback, or the pin that the user was shown.') },
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
  refusals: ['user suspended'],
  example: {
    reply: {
      oauth_token: '1900000000000000001-PQz4mH0yK7cGn1Vt9sRb3xWd5uJe2aLf8iXo6TqZ',
      oauth_token_secret: 'aLf8iXo6TqZPQz4mH0yK7cGn1Vt9sRb3xWd5uJe2aLf8i',
      user_id: '1900000000000000001',
      screen_name: 'demo',
    },
  },
  async handle({ principal, form }, context) {
    const work = (tx: Transaction) => exchange(tx, principal.requestToken, form.oauth_verifier, context)
    const granted = await context.store.write(work).catch((error) => {
      // Another request token of the same user was exchanged meanwhile: its pair is there now.
      if (error instanceof UniqueViolation) return context.store.write(work)
      throw error
    })
    // Told only now: a try that failed must stay counted.
    if (granted === 'wrong') throw refuse('verifier invalid')
    return granted
  },
})

/** All or nothing: a request token is used up exactly when its access token is there. */
async function exchange(tx: Transaction, token: string, verifier: string, context: Context) {
  const { sealer, clock } = context
  const tokenHash = sealer.hashToken(token)
  const row = await tx.first(takeTry, { tokenHash, tries: TRIES, now: clock.now() })
  if (!row?.user_id || !row.verifier_hash)
    throw refuse('invalid token', 'request token used, denied, burnt or not approved')
  const expected = Buffer.from(row.verifier_hash)
  if (!timingSafeEqual(Buffer.from(hashVerifier(token, verifier, sealer)), expected)) return 'wrong' as const
  const user = await tx.first(userById, { id: row.user_id })
  if (!user || user.suspended === 1) throw refuse('user suspended')
  await tx.run(useRequest, { tokenHash })
  const grant = { appId: row.app_id, userId: user.id, access: row.access as Permission }
  const { token: oauth_token, secret: oauth_token_secret } =
    (await livePair(tx, grant, context)) ?? (await createAccessToken(tx, grant, context))
  return { oauth_token, oauth_token_secret, user_id: user.id, screen_name: user.screen_name }
}

async function livePair(
  tx: Transaction,
  grant: { appId: string; userId: string; access: Permission },
  { sealer }: Context,
): Promise<TokenPair | undefined> {
  const row = await tx.first(grantOf, grant)
  if (!row) return undefined
  return {
    token: sealer.unseal(row.token_sealed, `access token ${row.token_hash}`),
    secret: sealer.unseal(row.secret_sealed, `access token secret ${row.token_hash}`),
  }
}
