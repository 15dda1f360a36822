import { eventKind } from '../events/event.ts'

type Post = {
  post_id: string
  author_id: string
  /** `production` or `sandbox`. */
  environment: string
  /** Shown by advertisements only. */
  nullcast: boolean
}

/** A post, or a repost, exists from now on; scheduled ones when their time has come. */
export const postPublished = eventKind<Post>('post.published', ({ post_id }) => post_id)

/** A new version of a post is shown in place of the former one. */
export const postEdited = eventKind<Post & { previous_post_id: string }>(
  'post.edited',
  ({ post_id }) => post_id,
)

/** A post was deleted with all its versions; `post_id` is the newest. */
export const postDeleted = eventKind<Post>('post.deleted', ({ post_id }) => post_id)
