import { pointerOf } from '../../../platform/common/json-file.ts'
import { timeIn } from '../../../workbench/create/times.ts'
import { WrongValue } from '../../../workbench/create/wrong.ts'
import type { Seed } from '../schema.ts'
import type { SeedPost, SeedThreadPost } from './schema.ts'

/** What the posts of a thread share. */
type SharedMembers = Pick<SeedPost, 'reply_settings' | 'community' | 'share_with_followers'>

/** A post of a seed. Those of a thread are separate here. */
export interface PlacedPost {
  /** Its place in the file. */
  readonly pointer: string
  readonly post: SeedThreadPost & SharedMembers
  /** Screen name, as written. */
  readonly author: string
  /** Epoch milliseconds. */
  readonly at: number
  /** The post that it replies to: a name, or the post before it in its thread. */
  readonly repliesTo: string | PlacedPost | undefined
}

const MINUTE_MS = 60_000

/** All posts of a seed, in the order of the file. A wrong time counts as now. */
export const placedPosts = ({ posts = [] }: Pick<Seed, 'posts'>, now: number): PlacedPost[] =>
  posts.flatMap(({ author, created_at, reply_to, thread = [], ...post }, index) => {
    const at = pastTime(created_at, now) ?? now
    let last: PlacedPost = { pointer: pointerOf('posts', index), post, author, at, repliesTo: reply_to }
    const placed = [last]
    for (const [position, more] of thread.entries()) {
      last = {
        pointer: pointerOf('posts', index, 'thread', position),
        post: { ...more, ...sharedMembersOf(post) },
        author,
        at: Math.min(now, at + (position + 1) * MINUTE_MS),
        repliesTo: last,
      }
      placed.push(last)
    }
    return placed
  })

const sharedMembersOf = ({ reply_settings, community, share_with_followers }: SharedMembers) => ({
  ...(reply_settings !== undefined && { reply_settings }),
  ...(community !== undefined && { community }),
  ...(share_with_followers !== undefined && { share_with_followers }),
})

/** A time of the past; undefined if it is absent or wrong. */
export const pastTime = (text: string | undefined, now: number): number | undefined =>
  text === undefined ? undefined : instantOf(text, now, now)

/** How far ahead a space can be scheduled. */
export const MAX_AHEAD_MS = 30 * 86_400_000

/** A time of a seed in epoch milliseconds; undefined if it is wrong or later than `latest`. */
export function instantOf(text: string, now: number, latest: number): number | undefined {
  try {
    return timeIn('', text, { now, latest })
  } catch (error) {
    if (error instanceof WrongValue) return undefined
    throw error
  }
}
