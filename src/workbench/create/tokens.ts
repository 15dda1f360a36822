import type { Permission } from '../../identity/apps/app.ts'
import type { IdentityDependencies } from '../../identity/apps/parts.ts'
import { appById, grantOf, moveCredentialEpoch, revokeBearer } from '../../identity/apps/queries.ts'
import type { AppRow } from '../../identity/apps/tables.ts'
import { endAccessToken, grantAccessToken, type TokenPair } from '../../identity/tokens/access-tokens.ts'
import { bearerOf } from '../../identity/tokens/bearer.ts'
import { appOf } from '../../identity/tokens/credentials.ts'
import type { TokenScope } from '../../identity/tokens/scopes.ts'
import { endUserGrants, grantUserToken } from '../../identity/tokens/user-tokens.ts'
import type { ProfileRow } from '../../identity/users/tables.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { WrongValue } from './wrong.ts'

/** Kinds of access. */
export const TOKEN_KINDS = ['oauth1', 'oauth2', 'bearer'] as const

/**
 * Gives an app the OAuth 1.0a token of a user: the current one if it has the same access, otherwise
 * a new one that replaces it.
 */
export const giveToken = (
  tx: Transaction,
  { app, user, access }: { app: AppRow; user: ProfileRow; access: Permission },
  parts: IdentityDependencies,
): Promise<TokenPair> => grantAccessToken(tx, { appId: app.id, userId: user.id, access }, parts)

export interface UserTokenValues {
  readonly app: AppRow
  readonly user: ProfileRow
  readonly scopes: readonly TokenScope[]
  /** Of the access token. */
  readonly seconds: number
}

/**
 * Gives an app OAuth 2.0 tokens of a user, as the consent page would.
 * @throws WrongValue
 */
export function giveUserToken(
  tx: Transaction,
  { app, user, scopes, seconds }: UserTokenValues,
  parts: IdentityDependencies,
) {
  if (app.client_id === null)
    throw new WrongValue('app_id', app.id, `The app ${app.id} is no OAuth 2.0 client.`)
  const expiresAt = tx.now + seconds * 1000
  return grantUserToken(tx, { appId: app.id, userId: user.id, scopes, expiresAt }, parts)
}

/** The bearer token of an app. It is issued if there is none. */
export const giveBearer = (
  app: AppRow,
  { store, sealer }: Pick<IdentityDependencies, 'sealer'> & { store: Store },
) =>
  bearerOf(appOf(app, sealer), {
    store,
    sealer,
    credentials: {
      async appById(id) {
        const row = await store.first(appById, { id })
        return row && appOf(row, sealer)
      },
    },
  })

/** Ends tokens on every node. Resolves to whether there were any. */
export async function endTokens(
  tx: Transaction,
  kind: (typeof TOKEN_KINDS)[number],
  { app, user }: { app: AppRow; user: ProfileRow | undefined },
): Promise<boolean> {
  if (kind === 'bearer') {
    if (app.bearer_hash === null) return false
    const ended = await tx.run(revokeBearer, { id: app.id, bearerHash: app.bearer_hash })
    if (ended > 0) await tx.run(moveCredentialEpoch, {})
    return ended > 0
  }
  if (!user) throw new WrongValue('user', '', `\`user\` is missing: tokens of the kind ${kind} have one.`)
  const access = { userId: user.id, appId: app.id }
  if (kind === 'oauth2') return endUserGrants(tx, access)
  return (await tx.first(grantOf, access)) === undefined ? false : endAccessToken(tx, access)
}
