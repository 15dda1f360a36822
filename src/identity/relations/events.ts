import { eventKind } from '../../platform/events/event.ts'

// The subject of these events is the acting user, `user_id`, so that the actions of one user stay
// in order.

type Relation = { user_id: string; target_id: string }
/** `by_block`: a block by either user ended it, rather than an action of `user_id`. */
type RelationEnd = Relation & { by_block: boolean }

const actor = ({ user_id }: Relation) => user_id

/** `user_id` follows `target_id` from now on. */
export const userFollowed = eventKind<Relation>('user.followed', actor)
export const userUnfollowed = eventKind<RelationEnd>('user.unfollowed', actor)

/** `user_id` requests to follow `target_id`, who is protected. */
export const followRequested = eventKind<Relation>('user.follow_requested', actor)
export const followRequestEnded = eventKind<RelationEnd>('user.follow_request_ended', actor)
/** `user_id` accepts that `target_id` follows. `user.followed` is emitted after it. */
export const followAccepted = eventKind<Relation>('user.follow_accepted', actor)

export const userBlocked = eventKind<Relation>('user.blocked', actor)
export const userUnblocked = eventKind<Relation>('user.unblocked', actor)
export const userMuted = eventKind<Relation>('user.muted', actor)
export const userUnmuted = eventKind<Relation>('user.unmuted', actor)
