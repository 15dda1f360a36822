import { appById } from '../../identity/apps/queries.ts'
import { keyOfScreenName, noUser } from '../../identity/users/named.ts'
import { userByScreenName } from '../../identity/users/queries.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Emitted } from './emit.ts'
import type { ActivityKind, Direction } from './kind.ts'
import { activityKinds } from './kinds/kinds.ts'

/** What an operator enters to emit an activity. */
export interface SubscriptionRequest {
  /** Screen name. */
  readonly user?: string | undefined
  readonly text?: string | undefined
  /** The id of the app. */
  readonly app?: string | undefined
  readonly direction?: string | undefined
}

/** The member that each kind of filter needs. */
export const NEEDED = { user: 'user', keyword: 'text', none: 'app' } as const
const ABOUT = ['user', 'text', 'app'] as const

/** The kind with a name, in the spelling of the interface or of the vocabulary. */
export const kindCalled = (name: string, vocabulary: Vocabulary): ActivityKind | undefined =>
  activityKinds.find((kind) =>
    [kind.name, ...kind.otherNames].some((one) => one === name || vocabulary.spellings(one).includes(name)),
  )

/**
 * Why the input does not fit the kind, as words that follow the name of the kind; `say` names a
 * member that is needed, or one that is too much. Undefined when it fits.
 */
export function misfit(
  { filter, isDirected }: ActivityKind,
  wanted: SubscriptionRequest,
  say: (member: keyof SubscriptionRequest, isNeeded: boolean) => string,
): string | undefined {
  for (const member of ABOUT) {
    const isNeeded = member === NEEDED[filter]
    // Who revokes the app.
    if (member === 'user' && filter === 'none') continue
    if ((wanted[member] === undefined) === isNeeded)
      return `${isNeeded ? 'needs' : 'has no'} ${say(member, isNeeded)}`
  }
  const { direction } = wanted
  if (direction === undefined) return undefined
  if (!isDirected) return `has no ${say('direction', false)}`
  return isDirection(direction) ? undefined : `needs ${say('direction', true)} to be inbound or outbound`
}

const isDirection = (text: string | undefined): text is Direction => text === 'inbound' || text === 'outbound'

/**
 * Looks up the user or app of an activity that fits its kind. Resolves to a sentence when it does
 * not exist.
 */
export async function emittedOf(
  kind: ActivityKind,
  { user, text, app, direction }: SubscriptionRequest,
  store: Store,
): Promise<Emitted | string> {
  const about = { kind, direction: isDirection(direction) ? direction : undefined }
  const found =
    user === undefined ? undefined : await store.first(userByScreenName, { key: keyOfScreenName(user) })
  if (user !== undefined && !found) return noUser(user)
  if (app !== undefined && !(await store.first(appById, { id: app })))
    return `There is no app with the id ${app}.`
  return { ...about, user: found?.id, text, app }
}
