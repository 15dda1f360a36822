import type { LoggedEvent } from '../events/event.ts'
import { eventKind, isOfKind } from '../events/event.ts'

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

// The subject of these events is the user who acts, `user_id`.

type Reaction = { user_id: string; post_id: string; author_id: string }
const actor = ({ user_id }: Reaction) => user_id

export const postLiked = eventKind<Reaction>('post.liked', actor)
export const postUnliked = eventKind<Reaction>('post.unliked', actor)
export const postBookmarked = eventKind<Reaction>('post.bookmarked', actor)
export const postUnbookmarked = eventKind<Reaction>('post.unbookmarked', actor)
/** The author of a conversation, `user_id`, hides a reply from it, or shows it again. */
export const replyHidden = eventKind<Reaction>('post.reply_hidden', actor)
export const replyShown = eventKind<Reaction>('post.reply_shown', actor)

/**
 * Posts of the past were added, or their numbers changed, many at once. They do not happen now: streams and webhooks send
 * none of them. `post_ids`: ids with commas between.
 */
export const postsImported = eventKind<{ import_id: string; count: number; post_ids: string }>(
  'posts.imported',
  ({ import_id }) => import_id,
)

/** The most posts that one event names. */
export const POSTS_OF_AN_EVENT = 500

/** The posts that an event says something of; none for events about something else. */
export function postIdsOf(event: LoggedEvent): readonly string[] {
  if (isOfKind(event, postsImported)) return event.data.post_ids.split(',')
  const { post_id } = event.data
  return event.kind.startsWith('post.') && typeof post_id === 'string' ? [post_id] : []
}
