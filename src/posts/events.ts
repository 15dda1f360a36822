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
