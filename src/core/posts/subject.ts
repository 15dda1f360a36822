import type { ResourceProblem } from '../../protocols/problem/resource.ts'
import { notAuthorizedProblem, notFoundProblem } from '../../protocols/problem/resource.ts'
import type { Naming } from '../../protocols/protocols.ts'
import type { SeenPostRow } from '../../posts/queries.ts'
import { isShownTo, isThere, postsSeenBy } from '../../posts/queries.ts'
import type { Store } from '../../storage/store.ts'

interface Asked {
  id: string
  /** The parameter that names the post. */
  parameter: string
  /** The user who calls. */
  viewer: string | undefined
}

type Found = { post: SeenPostRow } | { problem: ResourceProblem }

/** The post that a call is about, or why the caller does not see it. */
export async function readSubject(
  { id, parameter, viewer }: Asked,
  { store, naming }: { store: Pick<Store, 'all'>; naming: Naming },
): Promise<Found> {
  const [post] = await store.all(postsSeenBy, { ids: JSON.stringify([id]), viewer: viewer ?? '' })
  const named = { type: 'post', noun: 'Post', value: id, parameter } as const
  if (!post || !isThere(post)) return { problem: notFoundProblem(named, naming) }
  return isShownTo(post, viewer) ? { post } : { problem: notAuthorizedProblem(named, 'data', naming) }
}
