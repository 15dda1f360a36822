import type { App } from '../../../identity/apps/app.ts'
import { lockAccess, rotateRefresh, userGrantByHandle } from '../../../identity/apps/queries.ts'
import type { Oauth2GrantRow } from '../../../identity/tokens/tables.ts'
import {
  digestOf,
  endUserGrant,
  handleOf,
  issueUserToken,
  newSecret,
} from '../../../identity/tokens/user-tokens.ts'
import { userById } from '../../../identity/users/queries.ts'
import { sameText } from '../../../platform/common/same-text.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { OauthDependencies } from '../endpoint.ts'
import type { IssuedTokens } from './codes.ts'

type RefreshDependencies = Pick<OauthDependencies, 'store' | 'random' | 'config'>

/**
 * Exchanges a refresh token for new tokens, once. If it is used again, two parties have it: its
 * whole grant ends, with the tokens that were issued since. Access tokens of the grant otherwise
 * stay valid until they expire.
 */
export async function refresh(app: App, token: string, context: RefreshDependencies): Promise<IssuedTokens> {
  const tokens = await context.store.write((tx) => attempt(tx, app, token, context))
  // Thrown after the transaction, so that the grant stays ended.
  if (!tokens) throw apiError('user token invalid')
  return tokens
}

async function attempt(
  tx: Transaction,
  app: App,
  token: string,
  { random, config }: RefreshDependencies,
): Promise<IssuedTokens | undefined> {
  const handle = handleOf(token)
  const hash = digestOf(token)
  const row = await lockedGrant(tx, app, digestOf(handle))
  // The code of a grant begins with the same characters, but is not a refresh token.
  if (!row || row.refresh_hash === null || sameText(row.code_hash, hash)) return undefined
  const user = await tx.first(userById, { id: row.user_id })
  if (!user || user.suspended === 1) return undefined
  const refreshToken = newSecret(handle, random)
  const change = { id: row.id, formerHash: hash, refreshHash: digestOf(refreshToken) }
  const isCurrent = sameText(row.refresh_hash, hash) && (await tx.run(rotateRefresh, change)) > 0
  if (!isCurrent) {
    await endUserGrant(tx, row)
    return undefined
  }
  const expiresAt = tx.now + config.oauth2AccessSeconds * 1000
  const accessToken = await issueUserToken(tx, { grantId: row.id, expiresAt }, random)
  return { accessToken, refreshToken, scopes: row.scopes }
}

/**
 * The grant of an app, as earlier transactions have left it. A grant is changed only while the row
 * of its access is locked, so that two callers never wait for each other.
 */
async function lockedGrant(
  tx: Transaction,
  app: App,
  handleHash: string,
): Promise<Oauth2GrantRow | undefined> {
  const found = await tx.first(userGrantByHandle, { handleHash })
  if (found?.app_id !== app.id) return undefined
  await tx.run(lockAccess, { userId: found.user_id, appId: found.app_id })
  return tx.first(userGrantByHandle, { handleHash })
}
