import { Type } from 'typebox'
import {
  userBlocked,
  userFollowed,
  userMuted,
  userUnblocked,
  userUnfollowed,
  userUnmuted,
} from '../../../identity/relations/events.ts'
import type { TokenScope } from '../../../identity/tokens/scopes.ts'
import type { EventKind } from '../../../platform/events/event.ts'
import { type ActivitySource, activityKind, type KindOf, sourceOf } from '../kind.ts'
import { closed, WrappedUser } from '../payloads.ts'

// A type, not an interface: event data need an index signature.
export type Relation = { user_id: string; target_id: string }

const relationKind = (
  name: string,
  description: string,
  more: { scope?: TokenScope; isDirected?: boolean },
) =>
  activityKind<Relation>({
    name,
    description,
    ...more,
    payload: Type.Object({ source: WrappedUser, target: WrappedUser }, closed),
    async prepare(facts, reader) {
      const users = await reader.users(facts.flatMap(({ user_id, target_id }) => [user_id, target_id]))
      return ({ user_id, target_id }) => {
        const [source, target] = [users(user_id), users(target_id)]
        return source && target && { payload: { source: { data: source }, target: { data: target } } }
      }
    },
  })

export const follow = relationKind('follow.follow', 'The user follows someone, or is followed.', {
  isDirected: true,
})
export const unfollow = relationKind(
  'follow.unfollow',
  'The user no longer follows someone, or is no longer followed.',
  {
    isDirected: true,
  },
)
export const mute = relationKind('mute.mute', 'The user mutes someone.', { scope: 'mute.read' })
export const unmute = relationKind('mute.unmute', 'The user no longer mutes someone.', { scope: 'mute.read' })
export const block = relationKind('block.block', 'The user blocks someone.', { scope: 'block.read' })
export const unblock = relationKind('block.unblock', 'The user no longer blocks someone.', {
  scope: 'block.read',
})

export const relationKinds = [follow, unfollow, mute, unmute, block, unblock]

/** Both users see it. */
const seenByBoth = <Data extends Relation>(
  event: EventKind<Data>,
  kind: KindOf<Relation>,
  isShown: (facts: Data) => boolean,
): ActivitySource =>
  sourceOf(event, (facts, logged) =>
    isShown(facts)
      ? [
          kind.of({ event: logged, facts, subject: { user: facts.user_id }, direction: 'outbound' }),
          kind.of({ event: logged, facts, subject: { user: facts.target_id }, direction: 'inbound' }),
        ]
      : [],
  )

/** The muted or blocked user never sees it. */
const seenByActor = (event: EventKind<Relation>, kind: KindOf<Relation>): ActivitySource =>
  sourceOf(event, (facts, logged) => [kind.of({ event: logged, facts, subject: { user: facts.user_id } })])

export const relationSources = [
  seenByBoth(userFollowed, follow, () => true),
  // A follow that a block ended is not an action of the follower.
  seenByBoth(userUnfollowed, unfollow, ({ by_block }) => !by_block),
  seenByActor(userMuted, mute),
  seenByActor(userUnmuted, unmute),
  seenByActor(userBlocked, block),
  seenByActor(userUnblocked, unblock),
]
