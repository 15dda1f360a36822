import { Type } from 'typebox'
import type { Query } from '../../../../domain/query-language/query.ts'
import type { SearchHit, SearchWindow } from '../../../../domain/search/index/search-index.ts'
import type { PostSearch, Searcher } from '../../../../domain/search/search.ts'
import { compareIds, timeOfId } from '../../../../platform/common/ids.ts'
import { once } from '../../../../platform/common/lookup.ts'
import { component } from '../../../../platform/http/schema.ts'
import { fullPage, type ReadableList } from '../../full-page.ts'
import type { FindVisibleKeys } from '../../objects/endpoint.ts'
import type { SearchPosition } from './token.ts'

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
export interface SearchPage {
  readonly ids: readonly string[]
  readonly next: SearchPosition | undefined
}

interface SearchRequest extends Searcher {
  search: PostSearch
  query: Query
  place: SearchPosition
  limit: number
  /**
   * For the posts that the caller sees. The index may be behind, and authors may block the caller.
   */
  shownKeys: FindVisibleKeys
}

/** The number of posts, newest first, that are sorted by relevance; older ones are not read. */
const RANKED_POSTS = 1_000

export const pageOf = (order: SortOrder, request: SearchRequest): Promise<SearchPage> =>
  order === 'recency' ? pageIn(newest(request), request) : pageIn(mostRelevant(request), request)

type ResultReader<Row> = Pick<ReadableList<Row, SearchPosition>, 'read' | 'after'>

async function pageIn<Row extends { readonly id: string }>(
  results: ResultReader<Row>,
  { place: from, limit, shownKeys }: SearchRequest,
): Promise<SearchPage> {
  const shown = async (rows: readonly Row[]) => {
    const keys = await shownKeys(rows.map(({ id }) => id))
    return rows.filter(({ id }) => keys.has(id))
  }
  const { rows, next } = await fullPage({ ...results, shown }, { from, limit })
  return { ids: rows.map(({ id }) => id), next }
}

/**
 * The next page begins before the id of the last post, so posts that are published meanwhile do not
 * change any page. A page that reached the limit of candidates ends there, and may be short or
 * empty.
 */
function newest({ search, query, place, owner, viewer }: SearchRequest): ResultReader<SearchHit> {
  const { from } = place.within ?? place.window
  return {
    async read({ window, within = window }, count) {
      const { found, rest } = await search.find({ query, window: within, owner, viewer }, count)
      if (rest) return { rows: found, next: { window: rest }, isLimited: true }
      const last = found.length < count ? undefined : found.at(-1)
      return { rows: found, next: last && { window: { from, before: last.id } } }
    },
    after: ({ id }) => ({ window: { from, before: id } }),
  }
}

/**
 * All posts of the window are ranked, so that the ranks agree with those on previous pages. If that
 * exceeds the limit of candidates, only the newer part of the window is ranked, followed by pages
 * for the older part.
 */
function mostRelevant({
  search,
  query,
  owner,
  viewer,
  place: { window, within = window },
}: SearchRequest): ResultReader<RankedPost> {
  const ranking = once(async () => {
    const { found, rest } = await search.find({ query, window, owner, viewer }, RANKED_POSTS)
    const all = found
      .map((candidate) => ({ id: candidate.id, score: scoreOf(candidate, window) }))
      .sort(byScore)
    return { ranked: all.filter((post) => isIn(within, post)), rest }
  })
  return {
    async read({ after }, count) {
      const { ranked, rest } = await ranking()
      const left = ranked.filter((post) => !after || byScore(post, after) > 0)
      const rows = left.slice(0, count)
      const last = rows.at(-1)
      if (left.length > count && last) return { rows, next: { window, after: last } }
      return { rows, next: rest && { window: rest }, isLimited: true }
    },
    after: (last) => ({ window, after: last }),
  }
}

interface RankedPost {
  id: string
  score: number
}

const isIn = ({ from, before }: SearchWindow, { id }: RankedPost) =>
  compareIds(id, from) >= 0 && compareIds(id, before) < 0

/** Higher score first, then the newer post: a total order. */
const byScore = (a: RankedPost, other: RankedPost): number =>
  other.score - a.score || compareIds(other.id, a.id)

const HALVED_EVERY_MS = 86_400_000
const STEPS = 4

/**
 * The relevance of a post: its likes, replies and, counted twice, its reposts. Doubling them equals
 * being one day newer. The end of the window stands for the present, and scores are rounded, so
 * that pages are consistent.
 */
function scoreOf({ id, numbers: { likes, replies, reposts } }: SearchHit, { before }: SearchWindow): number {
  const ageMs = timeOfId(before) - timeOfId(id)
  return Math.round(STEPS * (Math.log2(1 + likes + replies + 2 * reposts) - ageMs / HALVED_EVERY_MS))
}
