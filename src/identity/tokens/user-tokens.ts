import { createHash } from 'node:crypto'
import { type RandomSource, randomText } from '../../platform/common/random.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import type { IdentityDependencies } from '../apps/parts.ts'
import {
  addUserGrant,
  addUserToken,
  moveCredentialEpoch,
  removeUserGrant,
  removeUserGrants,
  removeUserToken,
  userGrantAt,
  userTokenAt,
} from '../apps/queries.ts'
import { endAccess, giveAccess, type UserAppAccess } from './access.ts'
import type { TokenScope } from './scopes.ts'
import type { Oauth2GrantRow } from './tables.ts'

/** Where tokens come from. */
export const AUTHORIZE_PATH = '/2/oauth2/authorize'
export const TOKEN_PATH = '/2/oauth2/token'

const ACCESS_TOKEN_LENGTH = 44
const HANDLE_LENGTH = 22
const SECRET_LENGTH = 44
/** Maximum number of valid access tokens per grant. Another one ends the oldest. */
const MAX_TOKENS_PER_GRANT = 20

/**
 * The stored form of an OAuth 2.0 code or token. Tokens contain 256 random bits, so a plain hash
 * cannot be reversed. It needs no key, and stays valid when the master key is rotated.
 */
export const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/**
 * The prefix that the code and all refresh tokens of a grant share. It identifies the grant when an
 * old token is presented.
 */
export const newHandle = (random: RandomSource): string => randomText(random, HANDLE_LENGTH)

export const handleOf = (token: string): string => token.slice(0, HANDLE_LENGTH)

/** A code, or a refresh token, of a grant. */
export const newSecret = (handle: string, random: RandomSource): string =>
  handle + randomText(random, SECRET_LENGTH)

/** A new access token of a grant. */
export async function issueUserToken(
  tx: Transaction,
  { grantId, expiresAt, token: given }: { grantId: string; expiresAt: number; token?: string | undefined },
  random: RandomSource,
): Promise<string> {
  const token = given ?? randomText(random, ACCESS_TOKEN_LENGTH)
  await tx.run(addUserToken, { token_hash: digestOf(token), grant_id: grantId, expires_at: expiresAt })
  const excess = await tx.first(userTokenAt, { grantId, skip: MAX_TOKENS_PER_GRANT })
  if (excess) {
    await tx.run(removeUserToken, { tokenHash: excess.token_hash })
    await tx.run(moveCredentialEpoch, {})
  }
  return token
}

/** Maximum number of grants that an app may have for one user. Another one ends the oldest. */
const MAX_GRANTS = 50

/** Ends the oldest grant of an app for a user, if there are too many. */
export async function endExcessGrant(tx: Transaction, access: UserAppAccess): Promise<void> {
  const oldest = await tx.first(userGrantAt, { ...access, skip: MAX_GRANTS })
  if (oldest) await endUserGrant(tx, oldest)
}

/** Tokens of a user. A refresh token is present only with `offline.access`. */
export interface GrantedTokens {
  readonly grantId: string
  readonly accessToken: string
  readonly refreshToken: string | undefined
  /** In epoch milliseconds. */
  readonly expiresAt: number
}

export interface NewUserToken extends UserAppAccess {
  readonly scopes: readonly TokenScope[]
  /** Of the access token, in epoch milliseconds. */
  readonly expiresAt: number
  /** Generated if absent. */
  readonly accessToken?: string | undefined
  /** Of at least `MIN_REFRESH_LENGTH` characters, the first of which no other grant has. */
  readonly refreshToken?: string | undefined
}

export const MIN_REFRESH_LENGTH = HANDLE_LENGTH + 1

/** Gives an app tokens of a user without a consent page and a code. */
export async function grantUserToken(
  tx: Transaction,
  { appId, userId, scopes, expiresAt, ...given }: NewUserToken,
  { ids, random }: Pick<IdentityDependencies, 'ids' | 'random'>,
): Promise<GrantedTokens> {
  const handle = given.refreshToken === undefined ? newHandle(random) : handleOf(given.refreshToken)
  const refreshToken = scopes.includes('offline.access')
    ? (given.refreshToken ?? newSecret(handle, random))
    : undefined
  const row: Oauth2GrantRow = {
    id: ids.next(),
    handle_hash: digestOf(handle),
    app_id: appId,
    user_id: userId,
    scopes: scopes.join(' '),
    redirect_uri: '',
    code_challenge: '',
    challenge_method: 'S256',
    // Of a code that nobody has.
    code_hash: digestOf(newSecret(handle, random)),
    code_used: 1,
    refresh_hash: refreshToken === undefined ? null : digestOf(refreshToken),
    created_at: tx.now,
    expires_at: refreshToken === undefined ? expiresAt : null,
  }
  const access = { appId, userId }
  await giveAccess(tx, access, {
    oauth: '2.0',
    allowed: row.scopes,
    add: () => tx.run(addUserGrant, row),
  })
  await endExcessGrant(tx, access)
  const issued = { grantId: row.id, expiresAt, token: given.accessToken }
  const accessToken = await issueUserToken(tx, issued, random)
  return { grantId: row.id, accessToken, refreshToken, expiresAt }
}

/** Ends a grant: its refresh token and all its access tokens. Resolves to whether it existed. */
export const endUserGrant = (
  tx: Transaction,
  { id, user_id: userId, app_id: appId }: Pick<Oauth2GrantRow, 'id' | 'user_id' | 'app_id'>,
): Promise<boolean> =>
  endAccess(tx, { userId, appId }, { oauth: '2.0', remove: () => tx.run(removeUserGrant, { id }) })

/** Ends all grants that an app has for a user, and codes that have not been exchanged. */
export const endUserGrants = (tx: Transaction, { userId, appId }: UserAppAccess): Promise<boolean> =>
  endAccess(
    tx,
    { userId, appId },
    {
      oauth: '2.0',
      async remove() {
        await tx.run(removeUserGrants, { userId, appId, used: 0 })
        return tx.run(removeUserGrants, { userId, appId, used: 1 })
      },
    },
  )
