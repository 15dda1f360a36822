import { type ListTokens, type PagingQuery, TIME_TOKENS } from '../../paging.ts'

/** Posts that can be paged through, from the newest on (core reference, 06 section 1.3). */
export const REACH = 800

const BASE = 36
const RANK_DIGITS = 2

/** Tokens of pages that end at `REACH`: before each, the number of newer posts, 0 to 799. */
export const REACHING_TOKENS = {
  pattern: `^([0-9a-l][0-9a-z]|m[0-7])${TIME_TOKENS.pattern.slice(1)}`,
}

interface ReachingPage {
  /** The paging parameters for the list itself. */
  query: PagingQuery
  /** The number of posts that are newer than the place where the page begins. */
  rank: number
  isNewer: boolean
}

/** Where a page begins, and how many posts it may have. */
export function pageWithin(
  { max_results, pagination_token }: PagingQuery,
  defaultLimit: number,
): ReachingPage {
  const limit = max_results ?? defaultLimit
  if (pagination_token === undefined) return { query: { max_results: limit }, rank: 0, isNewer: false }
  const rank = Number.parseInt(pagination_token.slice(0, RANK_DIGITS), BASE)
  const token = pagination_token.slice(RANK_DIGITS)
  const isNewer = TIME_TOKENS.read(token).newer
  const max = isNewer ? limit : Math.min(limit, REACH - rank)
  return { query: { max_results: max, pagination_token: token }, rank, isNewer }
}

/** The tokens of a page with some posts. There is none for posts beyond `REACH`. */
export function tokensWithin(
  { rank, isNewer }: ReachingPage,
  posts: number,
  { next_token, previous_token }: ListTokens,
): ListTokens {
  const first = isNewer ? Math.max(0, rank - posts) : rank
  const end = isNewer ? rank : rank + posts
  const withRank = (count: number, token: string) => count.toString(BASE).padStart(RANK_DIGITS, '0') + token
  return {
    ...(next_token !== undefined && end < REACH && { next_token: withRank(end, next_token) }),
    ...(previous_token !== undefined && { previous_token: withRank(first, previous_token) }),
  }
}
