import { firstIdAt } from '../../platform/common/ids.ts'
import type { Store } from '../../platform/storage/store.ts'
import { countedIn } from '../search/document.ts'
import type { SearchCount, SearchExpression, SearchIndex } from '../search/index/search-index.ts'
import type { IndexTurns } from '../search/search.ts'
import { relatedTerms } from './related.ts'
import { HOUR_MS, samplePosts } from './sample.ts'
import type { Keywords } from './terms.ts'

/** A request for keyword insights. */
export interface InsightQuery {
  /** Posts that have one of these are counted. */
  readonly keywords: Keywords
  /** Posts that have one of these are not counted. */
  readonly negativeKeywords: Keywords
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** Epoch milliseconds: whole seconds, the end exclusive. */
  readonly startMs: number
  readonly endMs: number
  /** A multiple of an hour. */
  readonly bucketMs: number
  /** Whose request it is: owners share the index. */
  readonly owner: string
}

export interface Insights {
  /** Posts per bucket, from the start on; the last bucket may be cut off by the end. */
  readonly volume: readonly number[]
  /** Up to 30, the most closely related first. */
  readonly related: readonly string[]
}

/** The number of posts about keywords, and related words. */
export interface KeywordInsights {
  /** Throws like `PostSearch.count`. */
  search(query: InsightQuery): Promise<Insights>
}

export const keywordInsights = (store: Pick<Store, 'all'>, turns: IndexTurns): KeywordInsights => ({
  async search(query) {
    const { hours, sample } = await turns(query.owner, (index) => read(index, query))
    return { volume: volumeOf(hours, query), related: await relatedTerms(sample, query, store) }
  },
})

async function read(index: SearchIndex, query: InsightQuery) {
  const { country, startMs, endMs } = query
  const all = term(countedIn(country))
  const matching = matchingPosts(all, query)
  const window = { from: firstIdAt(startMs), before: firstIdAt(endMs) }
  const hours = await index.count(matching, window, HOUR_MS, startMs)
  return { hours, sample: await samplePosts(index, { matching, all, hours, startMs, endMs }) }
}

function volumeOf(hours: readonly SearchCount[], { startMs, endMs, bucketMs }: InsightQuery): number[] {
  const volume = new Array<number>(Math.ceil((endMs - startMs) / bucketMs)).fill(0)
  for (const { start, count } of hours) {
    const bucket = Math.floor((start - startMs) / bucketMs)
    volume[bucket] = (volume[bucket] ?? 0) + count
  }
  return volume
}

/** Those of some posts that have a keyword, and no negative one. */
function matchingPosts(
  all: SearchExpression,
  { keywords, negativeKeywords }: InsightQuery,
): SearchExpression {
  const not = anyOf(negativeKeywords)
  const excluded: SearchExpression[] = negativeKeywords.length === 0 ? [] : [{ kind: 'not', not }]
  return { kind: 'all', of: [all, anyOf(keywords), ...excluded] }
}

const anyOf = (keywords: Keywords): SearchExpression => ({
  kind: 'any',
  of: keywords.map((terms) => ({ kind: 'all', of: terms.map(expressionOfTerm) })),
})

const term = (text: string): SearchExpression => ({ kind: 'term', term: text })

const TAGS: Readonly<Record<string, string>> = { '#': 'hashtag', $: 'cashtag', '@': 'mention' }

/** A tag with its sign, or a word. Words contain no signs. */
function expressionOfTerm(text: string): SearchExpression {
  const tag = TAGS[text.charAt(0)]
  return tag ? term(`${tag}:${text.slice(1)}`) : { kind: 'words', of: 'text', words: [text] }
}
