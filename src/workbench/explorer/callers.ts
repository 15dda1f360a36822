import type { App } from '../../identity/apps/app.ts'
import type { IdentityDependencies } from '../../identity/apps/parts.ts'
import { appById, grantOf, pageOfApps } from '../../identity/apps/queries.ts'
import { createAccessToken, type TokenPair } from '../../identity/tokens/access-tokens.ts'
import { appOf } from '../../identity/tokens/credentials.ts'
import type { TokenScope } from '../../identity/tokens/scopes.ts'
import { grantUserToken } from '../../identity/tokens/user-tokens.ts'
import { userById, userByScreenName } from '../../identity/users/queries.ts'
import type { UserRow } from '../../identity/users/tables.ts'
import { SCREEN_NAME } from '../../identity/users/users.ts'
import type { Store } from '../../platform/storage/store.ts'

export interface CallerServices extends Readonly<IdentityDependencies> {
  readonly store: Store
}

/** Nobody can be the caller. The message is a sentence that says why. */
export class NoCaller extends Error {
  override readonly name = 'NoCaller'
  /** The member that names the caller. */
  readonly member: 'app_id' | 'user'

  constructor(member: 'app_id' | 'user', sentence: string) {
    super(sentence)
    this.member = member
  }
}

/**
 * The app with an id; without one, the first app.
 * @throws NoCaller
 */
export async function callingApp(
  id: string | undefined,
  { store, sealer }: Pick<CallerServices, 'store' | 'sealer'>,
): Promise<App> {
  const row =
    id === undefined
      ? (await store.all(pageOfApps, { after: '', limit: 1 }))[0]
      : await store.first(appById, { id })
  if (row) return appOf(row, sealer)
  throw new NoCaller(
    'app_id',
    id === undefined ? 'There is no app yet.' : `There is no app with the id ${id}.`,
  )
}

/**
 * The user with an id or a screen name.
 * @throws NoCaller
 */
export async function callingUser(who: string, store: Store): Promise<UserRow> {
  const key = who.replace(/^@/, '').toLowerCase()
  // Ids are longer than screen names.
  const user = SCREEN_NAME.test(key)
    ? await store.first(userByScreenName, { key })
    : await store.first(userById, { id: who })
  if (user) return user
  throw new NoCaller('user', `There is no user ${who}.`)
}

/** The OAuth 1.0a token that an app has for a user. If it has none, it gets one. */
export async function tokenOf(app: App, user: UserRow, services: CallerServices): Promise<TokenPair> {
  const { store, sealer } = services
  const access = { appId: app.id, userId: user.id }
  return store.write(async (tx) => {
    const row = await tx.first(grantOf, access)
    if (!row) return createAccessToken(tx, { ...access, access: app.permission }, services)
    return {
      token: sealer.unseal(row.token_sealed, `access token ${row.token_hash}`),
      secret: sealer.unseal(row.secret_sealed, `access token secret ${row.token_hash}`),
    }
  })
}

/** One call has time to reach the server. */
const USER_TOKEN_MS = 120_000

/**
 * An OAuth 2.0 access token of a user, for one call: tokens are stored as hashes, so none can be
 * used again.
 * @throws NoCaller
 */
export async function userTokenOf(
  app: App,
  user: UserRow,
  scopes: readonly TokenScope[],
  services: CallerServices,
): Promise<string> {
  if (app.client === undefined)
    throw new NoCaller('app_id', `The app ${app.id} is no OAuth 2.0 client. Choose another one.`)
  const expiresAt = services.clock.now() + USER_TOKEN_MS
  const granted = { appId: app.id, userId: user.id, scopes, expiresAt }
  const { accessToken } = await services.store.write((tx) => grantUserToken(tx, granted, services))
  return accessToken
}
