import type { ActivityKind, ActivitySource } from '../kind.ts'
import { accessKinds, accessSources } from './access.ts'
import { broadcastKinds, broadcastSources } from './broadcasts.ts'
import { chatKinds, chatSources } from './chats.ts'
import { directMessageKinds, directMessageSources } from './direct-messages.ts'
import { emittedSource } from './emitted.ts'
import { likeKinds, likeSources } from './likes.ts'
import { newsKinds, newsSources } from './news.ts'
import { postKinds, postSources } from './posts.ts'
import { profileKinds, profileSources } from './profiles.ts'
import { relationKinds, relationSources } from './relations.ts'
import { spaceKinds, spaceSources } from './spaces.ts'

/** Every kind of activity, in the order of the reference (core reference, 02 section 6.2). */
export const activityKinds: readonly ActivityKind[] = [
  ...postKinds,
  ...likeKinds,
  ...relationKinds,
  ...profileKinds,
  ...spaceKinds,
  ...broadcastKinds,
  ...chatKinds,
  ...directMessageKinds,
  ...newsKinds,
  ...accessKinds,
]

interface KindName {
  readonly kind: ActivityKind
  /** The name in events. */
  readonly name: string
  readonly isFormer: boolean
}

const namesOf = (kind: ActivityKind): [string, KindName][] => [
  ...[kind.name, ...kind.otherNames].map((name): [string, KindName] => [
    name,
    { kind, name, isFormer: false },
  ]),
  ...[...kind.formerNames].map(([former, name]): [string, KindName] => [
    former,
    { kind, name, isFormer: true },
  ]),
]
const byName = new Map(activityKinds.flatMap(namesOf))

/**
 * The kind with a name, the name that its events show, and whether the given name is deprecated.
 */
export const kindNamed = (name: string) => byName.get(name)

/** Every source of activities. */
export const activitySources: readonly ActivitySource[] = [
  ...postSources,
  ...likeSources,
  ...relationSources,
  ...profileSources,
  ...spaceSources,
  ...broadcastSources,
  ...chatSources,
  ...directMessageSources,
  ...newsSources,
  ...accessSources,
  emittedSource((name) => kindNamed(name)?.kind),
]

/** The current names that subscriptions may use. */
export const activityNames: readonly string[] = activityKinds.flatMap(({ name, otherNames }) => [
  name,
  ...otherNames,
])
/** The names used before March 2026. */
export const formerActivityNames: readonly string[] = activityKinds.flatMap(({ formerNames }) => [
  ...formerNames.keys(),
])
