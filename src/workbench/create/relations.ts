import type { RelationKind } from '../../identity/relations/queries.ts'
import {
  acceptFollow,
  block,
  type FollowOutcome,
  follow,
  type LockedPair,
  lockPair,
  MAX_FOLLOWING,
  mute,
  unblock,
  unfollow,
  unmute,
} from '../../identity/relations/relations.ts'
import type { ProfileRow } from '../../identity/users/tables.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { NotThere, WrongValue } from './wrong.ts'

/** Relations of one user to another, as paths name them. */
export const RELATIONS = ['following', 'blocking', 'muting'] as const
export type Relation = (typeof RELATIONS)[number]

/** The kind of rows of a relation. */
export const KIND_OF: Readonly<Record<Relation, RelationKind>> = {
  following: 'follow',
  blocking: 'block',
  muting: 'mute',
}

/** Two users: `user` follows, blocks or mutes `target`. */
export interface RelatedUsers {
  readonly user: ProfileRow
  readonly target: ProfileRow
}

const REJECTED: Readonly<Record<Exclude<FollowOutcome, 'following' | 'requested'>, string>> = {
  'blocked by target': 'is blocked by',
  'target is blocked': 'blocks',
  'too many': `follows ${MAX_FOLLOWING} users, which is the maximum, and cannot follow`,
}

/**
 * Begins a relation. Repeating it changes nothing. A protected user has to accept a follow first,
 * unless `accept` does so. Resolves to whether the follow is only requested.
 * @throws WrongValue
 */
export async function relate(
  tx: Transaction,
  relation: Relation,
  { user, target, accept = false }: RelatedUsers & { accept?: boolean | undefined },
): Promise<{ pending: boolean }> {
  const pair = await locked(tx, { user, target })
  if (relation === 'blocking') await block(pair)
  if (relation === 'muting') await mute(pair)
  if (relation !== 'following') return { pending: false }
  const outcome = await follow(pair)
  if (outcome === 'following') return { pending: false }
  if (outcome === 'requested') {
    if (!accept) return { pending: true }
    await acceptRequest(tx, { user, target })
    return { pending: false }
  }
  throw new WrongValue(
    'target',
    target.screen_name,
    `@${user.screen_name} ${REJECTED[outcome]} @${target.screen_name}.`,
  )
}

/** Ends a relation, if there is one; for a follow that is only requested, the request. */
export async function unrelate(tx: Transaction, relation: Relation, users: RelatedUsers): Promise<void> {
  const end = { following: unfollow, blocking: unblock, muting: unmute }[relation]
  await end(await locked(tx, users))
}

/**
 * The target accepts the request of the user to follow.
 * @throws WrongValue
 */
export async function acceptRequest(tx: Transaction, { user, target }: RelatedUsers): Promise<void> {
  const outcome = await acceptFollow(await locked(tx, { user, target }))
  const wrong = (sentence: string) => new WrongValue('follower', user.screen_name, sentence)
  if (outcome === 'no request')
    throw wrong(`@${user.screen_name} has not requested to follow @${target.screen_name}.`)
  if (outcome === 'too many')
    throw wrong(`@${user.screen_name} follows ${MAX_FOLLOWING} users, which is the maximum.`)
}

async function locked(tx: Transaction, { user, target }: RelatedUsers): Promise<LockedPair> {
  if (user.id === target.id)
    throw new WrongValue('target', target.screen_name, 'Users have no relation to themselves.')
  const pair = await lockPair(tx, { source: user.id, target: target.id })
  if (!pair) throw new NotThere(`There is no user ${target.screen_name}.`)
  return pair
}
