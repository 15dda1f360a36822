import {
  isShownTo,
  lockPost,
  newestVersionsSeenBy,
  postExists,
  postsSeenBy,
  type SeenPostRow,
} from '../../../domain/posts/queries.ts'
import {
  notAuthorizedProblem,
  notFoundProblem,
  type ResourceProblem,
} from '../../../platform/protocols/problem/resource.ts'
import type { Naming } from '../../../platform/protocols/protocols.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'

interface SubjectRequest {
  id: string
  /** The parameter that names the post. */
  parameter: string
  /** The user who calls. */
  viewer: string | undefined
}

type SubjectResult = { post: SeenPostRow } | { problem: ResourceProblem }

/** The post that a parameter names, for the errors of a reply. */
const subjectOf = ({ id, parameter }: Pick<SubjectRequest, 'id' | 'parameter'>) =>
  ({ type: 'post', noun: 'Post', value: id, parameter }) as const

/** The post that a call is about, or why the caller does not see it. */
export async function readSubject(
  { id, parameter, viewer }: SubjectRequest,
  { store, naming }: { store: Pick<Store, 'all'>; naming: Naming },
): Promise<SubjectResult> {
  const [post] = await store.all(postsSeenBy, { ids: JSON.stringify([id]), viewer: viewer ?? '' })
  const subject = subjectOf({ id, parameter })
  if (!post || !postExists(post)) return { problem: notFoundProblem(subject, naming) }
  return isShownTo(post, viewer) ? { post } : { problem: notAuthorizedProblem(subject, 'data', naming) }
}

/**
 * The post that a call takes something back from. The caller need not see it, and it may have been
 * deleted.
 */
export async function readAnySubject(
  request: SubjectRequest,
  { store, naming }: { store: Pick<Store, 'all'>; naming: Naming },
): Promise<SubjectResult> {
  const [post] = await store.all(postsSeenBy, {
    ids: JSON.stringify([request.id]),
    viewer: request.viewer ?? '',
  })
  return post ? { post } : { problem: notFoundProblem(subjectOf(request), naming) }
}

/**
 * Locks the post that a call changes: the newest version, also if the call names a former one; for
 * a repost, that of the original. A post that is edited or deleted at the same time is read as it
 * is afterwards.
 */
export async function lockSubject(
  request: SubjectRequest & { viewer: string },
  { store, naming }: { store: Transaction; naming: Naming },
): Promise<SubjectResult> {
  const found = await readSubject(request, { store, naming })
  if ('problem' in found) return found
  const locked = await store.first(lockPost, { id: found.post.reposted_post_id ?? found.post.id })
  const ids = JSON.stringify(locked ? [locked.id] : [])
  const post = await store.first(newestVersionsSeenBy, { ids, viewer: request.viewer })
  return post && isShownTo(post, request.viewer)
    ? { post }
    : { problem: notFoundProblem(subjectOf(request), naming) }
}
