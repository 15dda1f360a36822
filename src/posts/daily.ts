import type { Services } from '../http/contract.ts'
import type { DayCount } from '../http/day-limits.ts'
import { compileDayCount } from '../http/day-limits.ts'

/**
 * The daily limits of posts per user and per app. The APIs share them; they are those of the endpoint `createPost`.
 */
export const POSTS_PER_DAY = { 'user-24hour': '2400/24h', 'app-24hour': '10000/24h' } as const

/** The author of a post, and the app that publishes it. */
interface Published {
  readonly authorId: string
  readonly appId: string
}

/**
 * Counts a post for the day of its author and of its app. It is called after all other checks, just before the post is
 * published. Beyond a limit, the post must not be published. Throws `ClusterUnavailable` when it cannot be counted.
 */
export type CountPost = (post: Published) => Promise<DayCount>

const UNLIMITED: DayCount = { allowed: true, headers: {} }

/** Creates the counter of posts, under the operator's rules. */
export function postCounter(services: Pick<Services, 'count' | 'limitRules'>): CountPost {
  const count = compileDayCount({ id: 'createPost', limits: POSTS_PER_DAY, limitGroup: undefined }, services)
  if (!count) return async () => UNLIMITED
  return ({ authorId, appId }) => count({ user: authorId, app: appId })
}
