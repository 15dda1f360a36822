import type { App } from '../../identity/apps/app.ts'
import { appById, grantOf, pageOfApps } from '../../identity/apps/queries.ts'
import { appOf } from '../../identity/tokens/credentials.ts'
import type { AccessTokenRow } from '../../identity/tokens/tables.ts'
import { pageOfUsers, userById, userByScreenName } from '../../identity/users/queries.ts'
import type { UserRow } from '../../identity/users/tables.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import type { Store } from '../../platform/storage/store.ts'
import { recallSeeded } from '../../workbench/create/seeded.ts'

/** The key and secret of an app. */
export interface AppIdentity {
  id: string
  consumer_key: string
  consumer_secret: string
  /** The OAuth 2.0 client id; null if the app does not use OAuth 2.0. */
  client_id: string | null
  /** Null for clients that are not confidential. */
  client_secret: string | null
}

/** A user, with the access token that the app has for this user. */
export interface UserIdentity {
  id: string
  screen_name: string
  /** Null unless the first start created the user. */
  password: string | null
  access_token: string | null
  access_token_secret: string | null
}

/** An advertising account that the first start created. */
export interface AccountIdentity {
  id: string
  environment: 'production' | 'sandbox'
  name: string
  /** The user that it belongs to and whose posts it may promote: `as_user_id` of its posts. */
  user_id: string | null
  funding_instrument_ids: string[]
}

export interface Identities {
  app: AppIdentity | null
  user: UserIdentity | null
  /** The administrator of the accounts, with the access token that the app has for this user. */
  advertiser: UserIdentity | null
  accounts: AccountIdentity[]
}

interface OpenedStore {
  store: Store
  sealer: Sealer
}

/**
 * The current keys of an app and a user: the requested ones, or those that the first start created.
 * Null if the store has none.
 */
export async function currentIdentities(
  { store, sealer }: OpenedStore,
  choice: { app?: string | undefined; user?: string | undefined } = {},
): Promise<Identities> {
  const seeded = await recallSeeded(store, sealer)
  const [firstApp] = await store.all(pageOfApps, { after: '', limit: 1 })
  const appId = choice.app ?? seeded?.apps[0]?.id ?? firstApp?.id
  const row = appId === undefined ? undefined : await store.first(appById, { id: appId })
  if (!row && choice.app !== undefined) throw new Error(`There is no app with the id ${choice.app}.`)
  const app = row && appOf(row, sealer)

  const user = await chosenUser()
  const owner = seeded?.users.find(({ screenName }) => screenName === seeded.accounts[0]?.owner)
  const advertiser = owner && (await store.first(userById, { id: owner.id }))
  return {
    app: app ? appIdentity(app) : null,
    user: await identityOf(user),
    advertiser: await identityOf(advertiser),
    accounts: (seeded?.accounts ?? []).map(({ id, environment, name, owner, fundingInstrumentIds }) => ({
      id,
      environment,
      name,
      user_id: seeded?.users.find(({ screenName }) => screenName === owner)?.id ?? null,
      funding_instrument_ids: fundingInstrumentIds,
    })),
  }

  async function identityOf(one: UserRow | undefined): Promise<UserIdentity | null> {
    if (!one) return null
    const known = seeded?.users.find(({ id }) => id === one.id)
    const grant = app && (await store.first(grantOf, { appId: app.id, userId: one.id }))
    return {
      id: one.id,
      screen_name: one.screen_name,
      password: known?.password ?? null,
      ...tokenOf(grant, sealer),
    }
  }

  async function chosenUser(): Promise<UserRow | undefined> {
    if (choice.user !== undefined) {
      const chosen = await store.first(userByScreenName, { key: choice.user.toLowerCase() })
      if (!chosen) throw new Error(`There is no user @${choice.user}.`)
      return chosen
    }
    const grants = seeded?.apps.find(({ id }) => id === app?.id)?.grants
    const id = grants?.[0]?.userId ?? seeded?.users[0]?.id
    if (id !== undefined) return store.first(userById, { id })
    const [first] = await store.all(pageOfUsers, { after: '', limit: 1 })
    return first
  }
}

const appIdentity = ({ id, consumerKey, consumerSecret, client }: App): AppIdentity => ({
  id,
  consumer_key: consumerKey,
  consumer_secret: consumerSecret,
  client_id: client?.id ?? null,
  client_secret: client?.secret ?? null,
})

function tokenOf(grant: AccessTokenRow | undefined, sealer: Sealer) {
  if (!grant) return { access_token: null, access_token_secret: null }
  return {
    access_token: sealer.unseal(grant.token_sealed, `access token ${grant.token_hash}`),
    access_token_secret: sealer.unseal(grant.secret_sealed, `access token secret ${grant.token_hash}`),
  }
}
