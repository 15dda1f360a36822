import type { Transaction } from '../../platform/storage/store.ts'
import type { PostRow } from '../posts/tables.ts'
import { communitiesByIds, communityMember } from './queries.ts'

/** Why a post cannot be written in a community. */
export type PostingFault = 'no community' | 'other community' | 'not a member'

interface NewCommunityPost {
  /** The community that the author names. */
  given: string | undefined
  /** The post that it replies to. */
  target: Pick<PostRow, 'community_id'> | undefined
  authorId: string
}

/**
 * The community of a new post: the one that its author names. A reply belongs to the community of
 * its post. Only members write in a community; a reply to a post of one that does not exist is in
 * none.
 */
export async function communityOfPost(
  tx: Pick<Transaction, 'all' | 'first'>,
  { given, target, authorId }: NewCommunityPost,
): Promise<{ id: string | null } | { fault: PostingFault }> {
  const inherited = target?.community_id ?? undefined
  const id = given ?? inherited
  if (id === undefined) return { id: null }
  const found = await tx.all(communitiesByIds, { ids: JSON.stringify([...new Set([id, inherited ?? id])]) })
  const exists = (one: string | undefined) => found.some((row) => row.id === one)
  if (given !== undefined && !exists(given)) return { fault: 'no community' }
  if (!exists(id)) return { id: null }
  if (exists(inherited) && inherited !== id) return { fault: 'other community' }
  const member = await tx.first(communityMember, { community_id: id, user_id: authorId })
  return member ? { id } : { fault: 'not a member' }
}
