import { createHash } from 'node:crypto'
import type { App } from '../../../identity/apps/app.ts'
import { addUserGrant, useCode, userGrantByHandle } from '../../../identity/apps/queries.ts'
import { giveAccess } from '../../../identity/tokens/access.ts'
import { readScopes } from '../../../identity/tokens/scopes.ts'
import type { Oauth2GrantRow } from '../../../identity/tokens/tables.ts'
import {
  digestOf,
  endExcessGrant,
  endUserGrant,
  handleOf,
  issueUserToken,
  newHandle,
  newSecret,
} from '../../../identity/tokens/user-tokens.ts'
import { userById } from '../../../identity/users/queries.ts'
import { sameText } from '../../../platform/common/same-text.ts'
import { apiError, type Cause } from '../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { OauthDependencies } from '../endpoint.ts'
import type { AccessRequest } from './request.ts'

/** The result of an exchange. A refresh token is present only with `offline.access`. */
export interface IssuedTokens {
  accessToken: string
  refreshToken: string | undefined
  /** The granted scopes, separated by spaces, in neutral names. */
  scopes: string
}

type CodeDependencies = Pick<OauthDependencies, 'store' | 'clock' | 'random' | 'config'>

/** Creates the code that a user's consent gives an app. It is returned only here. */
export async function addCode(
  { app, redirectUri, scopes, challenge, method }: AccessRequest,
  userId: string,
  { store, clock, random, config, ids }: CodeDependencies & Pick<OauthDependencies, 'ids'>,
): Promise<string> {
  const handle = newHandle(random)
  const code = newSecret(handle, random)
  const now = clock.now()
  const row: Oauth2GrantRow = {
    id: ids.next(),
    handle_hash: digestOf(handle),
    app_id: app.id,
    user_id: userId,
    scopes: scopes.join(' '),
    redirect_uri: redirectUri,
    code_challenge: challenge,
    challenge_method: method,
    code_hash: digestOf(code),
    code_used: 0,
    refresh_hash: null,
    created_at: now,
    expires_at: now + config.oauth2CodeSeconds * 1000,
  }
  await store.write((tx) => tx.run(addUserGrant, row))
  return code
}

/** What the app sends. */
interface CodeExchange {
  app: App
  code: string
  redirectUri: string
  verifier: string
}

/**
 * Exchanges a code for tokens, once. A code that is used again was stolen, so its tokens are
 * revoked (RFC 6749 section 4.1.2). An attempt by another app, or with another redirect URL or
 * verifier, changes nothing.
 */
export async function exchangeCode(
  presented: CodeExchange,
  context: CodeDependencies,
): Promise<IssuedTokens> {
  const outcome = await context.store.write((tx) => attempt(tx, presented, context))
  // Thrown after the transaction, so that the grant stays ended.
  if (typeof outcome === 'string') throw apiError(outcome)
  return outcome
}

async function attempt(
  tx: Transaction,
  presented: CodeExchange,
  context: CodeDependencies,
): Promise<IssuedTokens | Cause> {
  const row = await tx.first(userGrantByHandle, { handleHash: digestOf(handleOf(presented.code)) })
  if (!row || row.app_id !== presented.app.id || !sameText(row.code_hash, digestOf(presented.code)))
    return 'code invalid'
  if (row.code_used === 1) {
    await endUserGrant(tx, row)
    return 'code invalid'
  }
  const fault = await faultOf(tx, row, presented)
  if (fault) return fault
  const access = { userId: row.user_id, appId: row.app_id }
  const expiresAt = tx.now + context.config.oauth2AccessSeconds * 1000
  const refreshToken = readScopes(row.scopes).has('offline.access')
    ? newSecret(handleOf(presented.code), context.random)
    : undefined
  const use = {
    refreshHash: refreshToken === undefined ? null : digestOf(refreshToken),
    expiresAt: refreshToken === undefined ? expiresAt : null,
  }
  const given = await giveAccess(tx, access, {
    oauth: '2.0',
    allowed: row.scopes,
    add: () => tx.run(useCode, { id: row.id, ...use }),
  })
  if (!given) {
    // The same code was exchanged concurrently.
    await endUserGrant(tx, row)
    return 'code invalid'
  }
  await endExcessGrant(tx, access)
  const accessToken = await issueUserToken(tx, { grantId: row.id, expiresAt }, context.random)
  return { accessToken, refreshToken, scopes: row.scopes }
}

async function faultOf(
  tx: Transaction,
  row: Oauth2GrantRow,
  { redirectUri, verifier }: CodeExchange,
): Promise<Cause | undefined> {
  if (row.expires_at === null || row.expires_at <= tx.now) return 'code invalid'
  if (row.redirect_uri !== redirectUri) return 'redirect mismatch'
  if (!sameText(row.code_challenge, challengeOf(verifier, row.challenge_method))) return 'verifier mismatch'
  const user = await tx.first(userById, { id: row.user_id })
  return !user || user.suspended === 1 ? 'code invalid' : undefined
}

/** RFC 7636 section 4.6. */
const challengeOf = (verifier: string, method: string) =>
  method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier
