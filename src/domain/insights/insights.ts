import type { Indexes } from '../../platform/events/catch-up.ts'
import type { Store } from '../../platform/storage/store.ts'
import { whenBuilt } from '../search/when-built.ts'
import { BLOCK_MS, BLOCK_POSTS, BLOCKS_PER_PERIOD, BlockPosts, blockAt, placesIn, startOf } from './block.ts'
import { blocksBetween, placesOfTerms } from './queries.ts'
import type { Match } from './related.ts'
import { relatedTerms } from './related.ts'
import { KEYWORD_INSIGHTS, rollupState } from './rollup.ts'

/** A request for keyword insights. */
export interface InsightQuery {
  /** The terms of each keyword: posts that have all terms of one of them are counted. */
  readonly keywords: readonly (readonly string[])[]
  /** Posts that have all terms of one of these are not counted. */
  readonly negativeKeywords: readonly (readonly string[])[]
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** Epoch milliseconds: whole seconds, the end exclusive. */
  readonly startMs: number
  readonly endMs: number
  readonly bucketMs: number
}

export interface Insights {
  /** Posts per bucket, from the start on; the last bucket may be cut off by the end. */
  readonly volume: readonly number[]
  /** Up to 30, the most closely related first. */
  readonly related: readonly string[]
}

/** The number of posts about keywords, and related words. */
export interface KeywordInsights {
  /** @throws StoreUnavailable While the rollups are being built or catch up with changes made before the start. */
  search(query: InsightQuery): Promise<Insights>
}

export function keywordInsights(store: Pick<Store, 'all' | 'first'>, indexes: Indexes): KeywordInsights {
  const built = whenBuilt(() => rollupState(store), 'keyword insights are being built')
  return {
    async search(query) {
      await indexes.caughtUp(KEYWORD_INSIGHTS)
      await built()
      const matches = await matchesOf(query, store)
      const given = new Set([...query.keywords, ...query.negativeKeywords].flat())
      const asked = { store, country: query.country, given }
      return { volume: volumeOf(matches, query), related: await relatedTerms(matches, asked) }
    },
  }
}

/** The visible posts of each block that match a query. */
async function matchesOf(query: InsightQuery, store: Pick<Store, 'all'>): Promise<Match[]> {
  const { country, keywords, negativeKeywords, startMs, endMs } = query
  const before = blockAt(endMs - 1) + BLOCKS_PER_PERIOD
  const blocks = await store.all(blocksBetween, { country, from: blockAt(startMs), before })
  const terms = [...new Set([...keywords, ...negativeKeywords].flat())]
  const rows = await store.all(placesOfTerms, {
    country,
    blocks: JSON.stringify(blocks.map(({ block }) => block)),
    terms: JSON.stringify(terms),
  })
  const placesOf = new Map(rows.map(({ block, term, places }) => [`${block} ${term}`, places]))
  const marks = new Uint8Array(BLOCK_POSTS)
  return blocks.map(({ block, posts: bytes }) => {
    const posts = new BlockPosts(bytes)
    const mark = (all: InsightQuery['keywords'], value: number) => {
      for (const terms of all)
        for (const place of placesWithAll(terms.map((term) => placesOf.get(`${block} ${term}`))))
          marks[place] = value
    }
    marks.fill(0, 0, posts.size)
    mark(keywords, 1)
    mark(negativeKeywords, 0)
    const [from, before] = [(startMs - startOf(block)) / 1000, (endMs - startOf(block)) / 1000]
    const isWhole = from <= 0 && before >= BLOCK_MS / 1000
    const isIn = (second: number) => second >= from && second < before
    const places: number[] = []
    for (let place = 0; place < posts.size; place++) {
      if (marks[place] === 0 || !posts.isShown(place)) continue
      if (isWhole || isIn(posts.secondAt(place))) places.push(place)
    }
    return { block, posts, places }
  })
}

/** The positions that are in all lists. */
function placesWithAll(lists: readonly (Uint8Array | undefined)[]): number[] {
  const [first, ...others] = lists
  if (first === undefined) return []
  return others.reduce((places, list) => {
    const known = new Set(list && placesIn(list))
    return places.filter((place) => known.has(place))
  }, placesIn(first))
}

function volumeOf(matches: readonly Match[], { startMs, endMs, bucketMs }: InsightQuery): number[] {
  const volume = Array.from({ length: Math.ceil((endMs - startMs) / bucketMs) }, () => 0)
  for (const { block, posts, places } of matches) {
    const fromMs = startOf(block) - startMs
    for (const place of places) {
      const bucket = Math.floor((fromMs + posts.secondAt(place) * 1000) / bucketMs)
      volume[bucket] = (volume[bucket] as number) + 1
    }
  }
  return volume
}
