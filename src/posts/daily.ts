import type { Services } from '../http/contract.ts'
import type { DayCount } from '../http/day-limits.ts'
import { compileDayCount } from '../http/day-limits.ts'

/** Posts of a user and of an app in a day, whichever API publishes them: those of the endpoint `createPost`. */
export const POSTS_PER_DAY = { 'user-24hour': '2400/24h', 'app-24hour': '10000/24h' } as const

/** Whose post it is, and which app publishes it. */
interface Published {
  readonly authorId: string
  readonly appId: string
}

/**
 * Counts a post for the day of its author and of its app, where it is published: after everything that may be wrong with
 * it. Beyond a limit it must not be published. Throws `ClusterUnavailable` when it cannot be counted.
 */
export type CountPost = (post: Published) => Promise<DayCount>

const UNLIMITED: DayCount = { allowed: true, headers: {} }

/** Makes the counter of posts, under the rules of the operator. */
export function postCounter(services: Pick<Services, 'count' | 'limitRules'>): CountPost {
  const count = compileDayCount({ id: 'createPost', limits: POSTS_PER_DAY, limitGroup: undefined }, services)
  if (!count) return async () => UNLIMITED
  return ({ authorId, appId }) => count({ user: authorId, app: appId })
}
