import { Type } from 'typebox'
import { usersSeenBy } from '../../../identity/users/queries.ts'
import {
  notAuthorizedProblem,
  notFoundProblem,
  type ResourceProblem,
  suspendedProblem,
} from '../../../platform/protocols/problem/resource.ts'
import type { Naming } from '../../../platform/protocols/protocols.ts'
import type { Store } from '../../../platform/storage/store.ts'

/** A name of a user (interface, usernames); compared without case. */
export const username = (description: string) => Type.String({ pattern: '^[A-Za-z0-9_]{1,15}$', description })

/** The user whom the documents show. */
export const USER = { id: '1900000000000000007', name: 'Demo Developer', username: 'demo' }

/** A user whom a parameter names. */
export const namedUser = (parameter: string, value: string) =>
  ({ type: 'user', noun: 'User', value, parameter }) as const

/**
 * Why a caller does not see what belongs to a user; undefined if the caller sees it. Only the user
 * and their followers see what belongs to a protected user.
 */
export async function whyHidden(
  id: string,
  viewer: string | undefined,
  { store, naming }: { store: Pick<Store, 'all'>; naming: Naming },
): Promise<ResourceProblem | undefined> {
  const [user] = await store.all(usersSeenBy, { ids: JSON.stringify([id]), viewer: viewer ?? '' })
  const named = namedUser('id', id)
  if (!user) return notFoundProblem(named, naming)
  if (user.suspended === 1) return suspendedProblem(named, naming)
  const isSeen = user.protected === 0 || user.viewer !== null || id === viewer
  return isSeen ? undefined : notAuthorizedProblem(named, 'data', naming)
}
