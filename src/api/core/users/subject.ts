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

interface SubjectDependencies {
  store: Pick<Store, 'all'>
  naming: Naming
}

/** A user as a viewer sees them, or why nobody sees the user. */
async function readUser(id: string, viewer: string | undefined, { store, naming }: SubjectDependencies) {
  const [user] = await store.all(usersSeenBy, { ids: JSON.stringify([id]), viewer: viewer ?? '' })
  const named = namedUser('id', id)
  if (!user) return { problem: notFoundProblem(named, naming) }
  if (user.suspended === 1) return { problem: suspendedProblem(named, naming) }
  return { user }
}

/** Why nobody sees a user; undefined if the user exists and is not suspended. */
export async function whyUnknown(
  id: string,
  dependencies: SubjectDependencies,
): Promise<ResourceProblem | undefined> {
  const found = await readUser(id, undefined, dependencies)
  return 'problem' in found ? found.problem : undefined
}

/**
 * Why a caller does not see what belongs to a user; undefined if the caller sees it. Only the user
 * and their followers see what belongs to a protected user.
 */
export async function whyHidden(
  id: string,
  viewer: string | undefined,
  dependencies: SubjectDependencies,
): Promise<ResourceProblem | undefined> {
  const found = await readUser(id, viewer, dependencies)
  if ('problem' in found) return found.problem
  const isSeen = found.user.protected === 0 || found.user.viewer !== null || id === viewer
  return isSeen ? undefined : notAuthorizedProblem(namedUser('id', id), 'data', dependencies.naming)
}
