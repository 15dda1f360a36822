import { timingSafeEqual } from 'node:crypto'
import type { Permission } from '../../identity/apps/app.ts'
import { grantAccessToken } from '../../identity/tokens/access-tokens.ts'
import { userById } from '../../identity/users/queries.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import { type Transaction, UniqueViolation } from '../../platform/storage/store.ts'
import type { OauthDependencies } from './endpoint.ts'
import { takeAttempt, useRequest } from './queries.ts'
import { hashVerifier } from './requests.ts'

/** A request token becomes invalid after this many wrong verifiers. */
const MAX_ATTEMPTS = 5

/**
 * Exchanges an approved request token for the only access token of its user and app: the current
 * one if it has the same access, otherwise a new one that replaces it. Returns `wrong` for a wrong
 * verifier, and counts that attempt. Rejects a request token that is not approved, or was used or
 * invalidated, and a suspended user.
 */
export async function exchange(
  token: string,
  verifier: string,
  context: Pick<OauthDependencies, 'store' | 'clock' | 'random' | 'sealer'>,
) {
  const work = (tx: Transaction) => attempt(tx, token, verifier, context)
  try {
    return await context.store.write(work)
  } catch (error) {
    // Another request token of the same user was exchanged concurrently, and created the access
    // token.
    if (error instanceof UniqueViolation) return context.store.write(work)
    throw error
  }
}

/** Atomic: a request token is used up exactly when its access token exists. */
async function attempt(
  tx: Transaction,
  token: string,
  verifier: string,
  context: Pick<OauthDependencies, 'clock' | 'random' | 'sealer'>,
) {
  const { sealer, clock } = context
  const tokenHash = sealer.hashToken(token)
  const row = await tx.first(takeAttempt, { tokenHash, attempts: MAX_ATTEMPTS, now: clock.now() })
  if (!row?.user_id || !row.verifier_hash)
    throw apiError('invalid token', 'request token used, denied, invalidated or not approved')
  const expected = Buffer.from(row.verifier_hash)
  if (!timingSafeEqual(Buffer.from(hashVerifier(token, verifier, sealer)), expected)) return 'wrong' as const
  const user = await tx.first(userById, { id: row.user_id })
  if (!user || user.suspended === 1) throw apiError('user suspended')
  await tx.run(useRequest, { tokenHash })
  const grant = { appId: row.app_id, userId: user.id, access: row.access as Permission }
  const { token: oauth_token, secret: oauth_token_secret } = await grantAccessToken(tx, grant, context)
  return { oauth_token, oauth_token_secret, user_id: user.id, screen_name: user.screen_name }
}
