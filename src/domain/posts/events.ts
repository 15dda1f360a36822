import { eventKind, isOfKind, type LoggedEvent } from '../../platform/events/event.ts'

type PostEventData = {
  post_id: string
  author_id: string
  /** `production` or `sandbox`. */
  environment: string
  /** Shown only by advertisements. */
  nullcast: boolean
}

/** A post or a repost was published. For a scheduled one, this is emitted at its time. */
export const postPublished = eventKind<PostEventData>('post.published', ({ post_id }) => post_id)

/** A new version replaces a post. */
export const postEdited = eventKind<PostEventData & { previous_post_id: string }>(
  'post.edited',
  ({ post_id }) => post_id,
)

/**
 * A post was deleted with all its versions; `post_id` is the newest. `version_ids`: their ids,
 * separated by commas, the oldest first.
 */
export const postDeleted = eventKind<PostEventData & { version_ids: string }>(
  'post.deleted',
  ({ post_id }) => post_id,
)

type StandingData = PostEventData & { version_ids: string }

/** The operator withheld a post in countries. `countries`: separated by commas. */
export const postWithheld = eventKind<StandingData & { countries: string }>(
  'post.withheld',
  ({ post_id }) => post_id,
)

/** The operator took a post out of public view, or brought it back. */
export const postDropped = eventKind<StandingData>('post.dropped', ({ post_id }) => post_id)
export const postUndropped = eventKind<StandingData>('post.undropped', ({ post_id }) => post_id)

/** What the operator says of a post changed. */
export const postAnnotated = eventKind<PostEventData>('post.annotated', ({ post_id }) => post_id)

/** The places of posts were removed, many at once. `post_ids`: ids separated by commas. */
export const placesRemoved = eventKind<{ user_id: string; post_ids: string }>(
  'posts.places_removed',
  ({ user_id }) => user_id,
)

// The subject of these events is the user who acts, `user_id`.

type ReactionEventData = { user_id: string; post_id: string; author_id: string }
const actor = ({ user_id }: ReactionEventData) => user_id

export const postLiked = eventKind<ReactionEventData>('post.liked', actor)
export const postUnliked = eventKind<ReactionEventData>('post.unliked', actor)
export const postBookmarked = eventKind<ReactionEventData>('post.bookmarked', actor)
export const postUnbookmarked = eventKind<ReactionEventData>('post.unbookmarked', actor)
/** The author of a conversation, `user_id`, hid a reply, or showed it again. */
export const replyHidden = eventKind<ReactionEventData>('post.reply_hidden', actor)
export const replyShown = eventKind<ReactionEventData>('post.reply_shown', actor)

/**
 * Past posts were imported, or their counts changed, many at once. They did not happen now, so
 * streams and webhooks do not send them. `post_ids`: ids separated by commas.
 */
export const postsImported = eventKind<{ import_id: string; count: number; post_ids: string }>(
  'posts.imported',
  ({ import_id }) => import_id,
  ({ count }) => Math.max(1, count),
)

/** Maximum number of posts in one event. */
export const POSTS_OF_AN_EVENT = 500

/** The posts that an event is about; none for other events. */
export function postIdsOf(event: LoggedEvent): readonly string[] {
  if (isOfKind(event, postsImported) || isOfKind(event, placesRemoved)) return event.data.post_ids.split(',')
  const { post_id } = event.data
  return event.kind.startsWith('post.') && typeof post_id === 'string' ? [post_id] : []
}
