import { randomText } from '../../platform/common/random.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import type { Permission } from '../apps/app.ts'
import type { IdentityDependencies } from '../apps/parts.ts'
import { addAccessToken, grantOf, liveUserGrant, moveCredentialEpoch, removeGrant } from '../apps/queries.ts'
import { endAccess, giveAccess, replaceAccess } from './access.ts'

const TOKEN_LENGTH = 40
const TOKEN_SECRET_LENGTH = 45

export interface TokenPair {
  token: string
  secret: string
}

/** Grants an app access to a user's account: a token `<user id>-<random>` and its secret. */
export async function createAccessToken(
  tx: Transaction,
  grant: { appId: string; userId: string; access: Permission; token?: string; secret?: string },
  { clock, random, sealer }: Omit<IdentityDependencies, 'ids'>,
): Promise<TokenPair> {
  const token = grant.token ?? `${grant.userId}-${randomText(random, TOKEN_LENGTH)}`
  const secret = grant.secret ?? randomText(random, TOKEN_SECRET_LENGTH)
  const tokenHash = sealer.hashToken(token)
  const row = {
    token_hash: tokenHash,
    token_sealed: sealer.seal(token, `access token ${tokenHash}`),
    secret_sealed: sealer.seal(secret, `access token secret ${tokenHash}`),
    app_id: grant.appId,
    user_id: grant.userId,
    access: grant.access,
    created_at: clock.now(),
  }
  await giveAccess(tx, grant, {
    oauth: '1.0a',
    allowed: grant.access,
    add: () => tx.run(addAccessToken, row),
  })
  // So that cached OAuth 2.0 tokens get the level of this one.
  if (await tx.first(liveUserGrant, { userId: grant.userId, appId: grant.appId, now: tx.now }))
    await tx.run(moveCredentialEpoch, {})
  return { token, secret }
}

/**
 * The only access token of a user and an app: the current one if it has the same access, otherwise
 * a new one that replaces it.
 */
export const grantAccessToken = async (
  tx: Transaction,
  grant: { appId: string; userId: string; access: Permission },
  parts: Omit<IdentityDependencies, 'ids'>,
): Promise<TokenPair> => (await livePair(tx, grant, parts)) ?? (await createAccessToken(tx, grant, parts))

/**
 * The access token that the app has for the user, if it has the access that was granted now. The
 * user's last decision counts: an access token with other access ends here, on every node.
 */
async function livePair(
  tx: Transaction,
  grant: { appId: string; userId: string; access: Permission },
  { sealer }: Pick<IdentityDependencies, 'sealer'>,
): Promise<TokenPair | undefined> {
  const row = await tx.first(grantOf, grant)
  if (!row) return undefined
  if (row.access !== grant.access) {
    await replaceAccess(tx, grant, { oauth: '1.0a', remove: () => tx.run(removeGrant, grant) })
    return undefined
  }
  return {
    token: sealer.unseal(row.token_sealed, `access token ${row.token_hash}`),
    secret: sealer.unseal(row.secret_sealed, `access token secret ${row.token_hash}`),
  }
}

/** Ends the access token that an app has for a user. Resolves to whether there was one. */
export const endAccessToken = (
  tx: Transaction,
  access: { userId: string; appId: string },
): Promise<boolean> =>
  endAccess(tx, access, {
    oauth: '1.0a',
    remove: () => tx.run(removeGrant, { userId: access.userId, appId: access.appId }),
  })
