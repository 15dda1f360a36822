import { createHash } from 'node:crypto'
import { type RandomSource, randomText } from '../../platform/common/random.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import {
  addUserToken,
  moveCredentialEpoch,
  removeUserGrant,
  removeUserGrants,
  removeUserToken,
  userTokenAt,
} from '../apps/queries.ts'
import { endAccess, type UserAppAccess } from './access.ts'
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
  { grantId, expiresAt }: { grantId: string; expiresAt: number },
  random: RandomSource,
): Promise<string> {
  const token = randomText(random, ACCESS_TOKEN_LENGTH)
  await tx.run(addUserToken, { token_hash: digestOf(token), grant_id: grantId, expires_at: expiresAt })
  const excess = await tx.first(userTokenAt, { grantId, skip: MAX_TOKENS_PER_GRANT })
  if (excess) {
    await tx.run(removeUserToken, { tokenHash: excess.token_hash })
    await tx.run(moveCredentialEpoch, {})
  }
  return token
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
