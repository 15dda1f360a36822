import type { Services } from '../../platform/http/contract.ts'
import { compileDayCount, type DayCount } from '../../platform/http/day-limits.ts'

/**
 * The daily limits of posts per user and per app. The APIs share them; they are those of the
 * endpoint `createPost`.
 */
export const POSTS_PER_DAY = { 'user-24hour': '2400/24h', 'app-24hour': '10000/24h' } as const

/** The author of a post, and the app that publishes it. */
interface PostPublisher {
  readonly authorId: string
  readonly appId: string
}

/** Counts a post for its author and its app. Throws `ClusterUnavailable` if that fails. */
export type CountPost = (post: PostPublisher) => Promise<DayCount>

const UNLIMITED: DayCount = { allowed: true, headers: {}, undo: async () => undefined }

/** For a post that the caller may not publish. */
export const notCounted: CountPost = async () => ({ ...UNLIMITED, allowed: false })

/**
 * Counts a post and publishes it, unless a limit is reached: `publish` checks that after everything
 * else. A post that is not published does not count. Call it outside a transaction, whose function
 * may run more than once and makes other writes wait.
 */
export async function countedFor<T>(
  post: PostPublisher,
  countPost: CountPost,
  publish: (day: DayCount) => Promise<T>,
): Promise<T> {
  const day = await countPost(post)
  try {
    return await publish(day)
  } catch (error) {
    await day.undo()
    throw error
  }
}

/** Creates the counter of posts, under the operator's rules. */
export function postCounter(services: Pick<Services, 'count' | 'uncount' | 'limitRules'>): CountPost {
  const count = compileDayCount({ id: 'createPost', limits: POSTS_PER_DAY, limitGroup: undefined }, services)
  return ({ authorId, appId }) => count({ user: authorId, app: appId })
}
