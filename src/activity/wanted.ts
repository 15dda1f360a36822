import type { Vocabulary } from '../http/vocabulary.ts'
import { appById } from '../identity/queries.ts'
import type { Store } from '../storage/store.ts'
import { keyOfScreenName, noUser } from '../users/named.ts'
import { userByScreenName } from '../users/queries.ts'
import type { Emitted } from './emit.ts'
import type { ActivityKind, Direction } from './kind.ts'
import { activityKinds } from './kinds/kinds.ts'

/** What an operator says of an activity to emit. */
export interface Wanted {
  /** Screen name. */
  readonly user?: string | undefined
  readonly text?: string | undefined
  /** Its id. */
  readonly app?: string | undefined
  readonly direction?: string | undefined
}

/** What each kind of filter needs. */
const NEEDED = { user: 'user', keyword: 'text', none: 'app' } as const
const ABOUT = ['user', 'text', 'app'] as const

/** The kind of a name, as the interface or the vocabulary spells it. */
export const kindCalled = (name: string, vocabulary: Vocabulary): ActivityKind | undefined =>
  activityKinds.find((kind) =>
    [kind.name, ...kind.otherNames].some((one) => one === name || vocabulary.spellings(one).includes(name)),
  )

/** What does not fit the kind, in words that follow its name; `say` names a member. Undefined when all of it fits. */
export function misfit(
  { filter, isDirected }: ActivityKind,
  wanted: Wanted,
  say: (member: keyof Wanted) => string,
): string | undefined {
  for (const member of ABOUT) {
    const isNeeded = member === NEEDED[filter]
    if ((wanted[member] === undefined) === isNeeded) return `${isNeeded ? 'needs' : 'has no'} ${say(member)}`
  }
  const { direction } = wanted
  if (direction === undefined) return undefined
  if (!isDirected) return `has no ${say('direction')}`
  return isDirection(direction) ? undefined : `needs ${say('direction')} to be inbound or outbound`
}

const isDirection = (text: string | undefined): text is Direction => text === 'inbound' || text === 'outbound'

/** Finds what an activity that fits its kind is about. Resolves to a sentence when there is no such user or app. */
export async function emittedOf(
  kind: ActivityKind,
  { user, text, app, direction }: Wanted,
  store: Store,
): Promise<Emitted | string> {
  const about = { kind, direction: isDirection(direction) ? direction : undefined }
  if (user !== undefined) {
    const found = await store.first(userByScreenName, { key: keyOfScreenName(user) })
    return found ? { ...about, user: found.id } : noUser(user)
  }
  if (app !== undefined && !(await store.first(appById, { id: app })))
    return `There is no app with the id ${app}.`
  return { ...about, text, app }
}
