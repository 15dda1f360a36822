import type { Store } from '../../platform/storage/store.ts'
import { accessTokensOfPairs, userGrantsOfPairs } from '../apps/queries.ts'
import { levelsOf, readScopes, requirementsOf, type TokenScope } from './scopes.ts'

/** A user, and an app that wants to see the user's data. */
export interface UserAppPair {
  readonly app: string
  readonly user: string
}

/** Whether the user lets the app do what a scope allows. */
export type Consents = (pair: UserAppPair, scope: TokenScope) => boolean

/**
 * Reads what users allow apps, for many pairs at once; pairs may repeat. If there is an OAuth 1.0a
 * grant, its level counts, otherwise the scopes of the OAuth 2.0 grants (interface, Authentication,
 * rule 2).
 */
export async function consentsOf(
  store: Pick<Store, 'all'>,
  pairs: readonly UserAppPair[],
  now: number,
): Promise<Consents> {
  if (pairs.length === 0) return () => false
  const distinct = new Map(pairs.map(({ app, user }) => [`${user} ${app}`, [user, app]]))
  const list = JSON.stringify([...distinct.values()])
  const [tokens, grants] = await Promise.all([
    store.all(accessTokensOfPairs, { pairs: list }),
    store.all(userGrantsOfPairs, { pairs: list, now }),
  ])
  const keyOf = ({ user_id, app_id }: { user_id: string; app_id: string }) => `${user_id} ${app_id}`
  const levels = new Map(tokens.map((row) => [keyOf(row), levelsOf(row.access)]))
  const scopes = Map.groupBy(grants, keyOf)
  return ({ app, user }, scope) => {
    const key = keyOf({ user_id: user, app_id: app })
    const level = levels.get(key)
    if (level !== undefined) return requirementsOf([scope]).levels.every((required) => level.has(required))
    return (scopes.get(key) ?? []).some((grant) => readScopes(grant.scopes).has(scope))
  }
}
