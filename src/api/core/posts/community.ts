import { communityOfPost } from '../../../domain/communities/posting.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { msg } from '../../../platform/http/message.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { communityIdIn } from '../communities/community-id.ts'
import type { CreatePostBody } from './body.ts'
import { wrong } from './wrong.ts'

/** The body with the digits of the id of its community. */
export const withCommunityDigits = (body: CreatePostBody): CreatePostBody =>
  body.community_id === undefined
    ? body
    : { ...body, community_id: communityIdIn('body', 'community_id', body.community_id) }

/** The community of a new post. Throws unless the author is a member of it. */
export async function readCommunity(
  tx: Transaction,
  given: string | undefined,
  { target, authorId }: { target: PostRow | undefined; authorId: string },
): Promise<string | null> {
  const found = await communityOfPost(tx, { given, target, authorId })
  if ('id' in found) return found.id
  if (found.fault === 'not a member') throw apiError('not community member')
  throw wrong(
    'community_id',
    given ?? '',
    found.fault === 'no community'
      ? msg`Your community ID is invalid.`
      : msg`A reply belongs to the community of the post that it replies to.`,
  )
}
