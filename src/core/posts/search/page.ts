import { Type } from 'typebox'
import { component } from '../../../http/schema.ts'
import type { Query } from '../../../query-language/query.ts'
import type { PostSearch } from '../../../search/search.ts'
import type { Found, SearchWindow } from '../../../storage/search/search-index.ts'
import { timeOfId } from '../../../common/ids.ts'
import type { PagePlace } from './token.ts'

export const SORT_ORDERS = ['recency', 'relevancy'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

/** The `meta` of a page of search results (core reference, 03 section 6). */
export const SearchMeta = component(
  'PostSearchMeta',
  Type.Object(
    {
      newest_id: Type.Optional(Type.String({ description: 'The newest post of the page.' })),
      oldest_id: Type.Optional(Type.String({ description: 'The oldest post of the page.' })),
      result_count: Type.Integer({ minimum: 0, description: 'Posts of the page.' }),
      next_token: Type.Optional(
        Type.String({
          description:
            'Token for the next page; absent on the last page. A page may be short or empty and have one, if many posts had to be compared.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)

/** A page of posts, and where the next begins when there is one. */
export interface Page {
  readonly ids: readonly string[]
  readonly next: PagePlace | undefined
}

interface Asked {
  search: PostSearch
  query: Query
  place: PagePlace
  limit: number
  /** Whose search it is. */
  owner: string
}

/** The number of posts, newest first, that are sorted by relevance; older ones are not read. */
const RANKED_POSTS = 1_000

export const pageOf = (order: SortOrder, asked: Asked): Promise<Page> =>
  order === 'recency' ? newest(asked) : mostRelevant(asked)

/**
 * The next page begins before the id of the last post, so posts that are published meanwhile do not change any page. A
 * page that reached the limit of candidates ends there, and may be short or empty.
 */
async function newest({ search, query, place, limit, owner }: Asked): Promise<Page> {
  const { window, within = window } = place
  const { found, rest } = await search.find({ query, window: within, owner }, limit + 1)
  const ids = found.slice(0, limit).map(({ id }) => id)
  const last = ids.at(-1)
  if (found.length > limit && last !== undefined)
    return { ids, next: { window: { ...within, before: last } } }
  return { ids, next: rest && { window: rest } }
}

/**
 * All posts of the window are ranked, so that the ranks agree with those on previous pages. If that exceeds the limit
 * of candidates, only the newer part of the window is ranked, followed by pages for the older part.
 */
async function mostRelevant({ search, query, place, limit, owner }: Asked): Promise<Page> {
  const { window, within = window, after } = place
  const { found, rest: unseen } = await search.find({ query, window, owner }, RANKED_POSTS)
  const ranked = found.map((one) => ({ id: one.id, score: scoreOf(one, window) })).sort(byScore)
  const rest = ranked.filter((one) => isIn(within, one) && (!after || byScore(one, after) > 0))
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const ids = page.map(({ id }) => id)
  if (rest.length > limit && last) return { ids, next: { window, after: last } }
  return { ids, next: unseen && { window: unseen } }
}

interface Ranked {
  id: string
  score: number
}

const isIn = ({ from, before }: SearchWindow, { id }: Ranked) =>
  BigInt(id) >= BigInt(from) && BigInt(id) < BigInt(before)

/** Higher score first, then the newer post: a total order. */
function byScore(one: Ranked, other: Ranked): number {
  if (one.score !== other.score) return other.score - one.score
  if (one.id === other.id) return 0
  return BigInt(one.id) < BigInt(other.id) ? 1 : -1
}

const HALVED_EVERY_MS = 86_400_000
const STEPS = 4

/**
 * The relevance of a post: its likes, replies and, counted twice, its reposts. Doubling them equals being one day
 * newer. The end of the window stands for the present, and scores are rounded, so that pages are consistent.
 */
function scoreOf({ id, numbers: { likes, replies, reposts } }: Found, { before }: SearchWindow): number {
  const ageMs = timeOfId(before) - timeOfId(id)
  return Math.round(STEPS * (Math.log2(1 + likes + replies + 2 * reposts) - ageMs / HALVED_EVERY_MS))
}
