import { isExpired, mediaByKeys } from '../../../domain/media/media.ts'
import type { MediaRow } from '../../../domain/media/tables.ts'
import { postExists, postsSeenBy, type SeenPostRow } from '../../../domain/posts/queries.ts'
import type { Clock } from '../../../platform/common/clock.ts'
import type { Naming } from '../../../platform/http/contract.ts'
import {
  notAuthorizedProblem,
  notFoundProblem,
  type ResourceProblem,
} from '../../../platform/protocols/problem/resource.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { hiddenMedia } from '../media/reply.ts'

/** What handlers of analytics receive. */
export interface AnalyticsDependencies {
  readonly store: Pick<Store, 'all'>
  readonly clock: Pick<Clock, 'now'>
  readonly naming: Naming
}

/** The objects of the caller among those requested, in their order, and why others are missing. */
export interface Owned<Row> {
  readonly own: readonly { readonly key: string; readonly row: Row }[]
  readonly missing: readonly string[]
  readonly foreign: readonly string[]
}

/** Sorts posts by whether the caller wrote them. */
export async function ownPosts(
  ids: readonly string[],
  userId: string,
  { store }: AnalyticsDependencies,
): Promise<Owned<SeenPostRow>> {
  const rows = await store.all(postsSeenBy, { ids: JSON.stringify(ids), viewer: userId })
  const byId = new Map(rows.filter(postExists).map((row) => [row.id, row]))
  return sorted(ids, byId, (row) => row.author_id === userId)
}

/** Sorts media by whether the caller uploaded them. */
export async function ownMedia(
  keys: readonly string[],
  userId: string,
  dependencies: AnalyticsDependencies,
): Promise<Owned<MediaRow>> {
  const { store, clock } = dependencies
  const [rows, hidden] = await Promise.all([
    mediaByKeys(store, keys),
    hiddenMedia(keys, userId, dependencies),
  ])
  const shown = rows.flatMap((row) =>
    row && !hidden.has(row.media_key) && !isExpired(row, clock.now()) ? [[row.media_key, row] as const] : [],
  )
  return sorted(keys, new Map(shown), (row) => row.owner_id === userId)
}

function sorted<Row>(
  keys: readonly string[],
  rows: ReadonlyMap<string, Row>,
  isOwn: (row: Row) => boolean,
): Owned<Row> {
  const found = keys.map((key) => ({ key, row: rows.get(key) }))
  return {
    own: found.flatMap(({ key, row }) => (row !== undefined && isOwn(row) ? [{ key, row }] : [])),
    missing: found.flatMap(({ key, row }) => (row === undefined ? [key] : [])),
    foreign: found.flatMap(({ key, row }) => (row !== undefined && !isOwn(row) ? [key] : [])),
  }
}

/** The errors of a reply about objects that are missing, or that others own. */
export function ownershipErrors(
  { missing, foreign }: Omit<Owned<unknown>, 'own'>,
  object: { type: 'post' | 'media'; noun: string; parameter: string },
  naming: Naming,
): { errors?: ResourceProblem[] } {
  const errors = [
    ...missing.map((value) => notFoundProblem({ ...object, value }, naming)),
    ...foreign.map((value) => notAuthorizedProblem({ ...object, value }, 'data', naming)),
  ]
  return errors.length === 0 ? {} : { errors }
}
