import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { idAt } from '../../platform/common/ids.ts'
import { fractions, seededRandom } from '../../platform/common/random.ts'
import type { Store } from '../../platform/storage/store.ts'
import { countedIn } from '../search/document.ts'
import type { SearchIndex } from '../search/index/search-index.ts'
import { sqliteSearchIndex } from '../search/index/sqlite-index.ts'
import { type InsightQuery, keywordInsights } from './insights.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START_MS = Date.UTC(2026, 1, 1, 0, 30)
const POSTS = 20_000
const NUMBERS = { likes: 0, replies: 0, reposts: 0 }

interface MadePost {
  readonly id: string
  readonly country: string
  readonly words: readonly string[]
}

const random = fractions(seededRandom('insights'))
/** Frequent words are frequent, as in languages. */
const anyWord = () => `w${Math.floor(5_000 ** random()) - 1}`

/**
 * Posts of two days, of which some are about wombats: half of these name burrows, which few others
 * do.
 */
function madePost(n: number): MadePost {
  const id = idAt(START_MS + Math.floor((n / POSTS) * 2 * DAY_MS), 0, 0)
  const isAboutWombats = random() < 0.1
  const about = isAboutWombats ? ['wombat', ...(random() < 0.5 ? ['burrow'] : [])] : []
  const elsewhere = random() < 0.005 ? ['burrow'] : []
  const words = [...about, ...elsewhere, ...Array.from({ length: 8 }, anyWord)]
  return { id, country: n % 4 === 0 ? 'DE' : 'US', words }
}

describe('keyword insights among more posts than are read', () => {
  const posts = Array.from({ length: POSTS }, (_, n) => madePost(n))
  const postsById = new Map(posts.map((post) => [post.id, post]))
  let index: SearchIndex
  let read = 0
  /** Returns the texts of the posts whose ids are asked for. */
  const store = {
    async all(_: unknown, { ids }: { ids: string }) {
      const asked = JSON.parse(ids) as string[]
      read = asked.length
      return asked.map((id, n) => ({
        id,
        author_id: String(n),
        text: postsById.get(id)?.words.join(' ') ?? '',
        entities: JSON.stringify({ hashtags: [], cashtags: [], mentions: [], urls: [] }),
      }))
    },
  } as Pick<Store, 'all'>

  before(async () => {
    index = sqliteSearchIndex(undefined)
    await index.apply(
      posts.map(({ id, country, words }) => ({
        kind: 'put',
        document: { id, words, links: [], terms: [countedIn(country)], numbers: NUMBERS },
      })),
    )
    await index.finish()
  })
  after(() => index.close())

  const search = (query: Partial<InsightQuery>) =>
    keywordInsights(store, (_, work) => work(index)).search({
      keywords: [['wombat']],
      negativeKeywords: [],
      country: 'US',
      startMs: START_MS,
      endMs: START_MS + 2 * DAY_MS,
      bucketMs: DAY_MS,
      owner: 'user 1',
      ...query,
    })
  const numberOf = (isCounted: (post: MadePost) => boolean) => posts.filter(isCounted).length
  const isOf = ({ id, country }: MadePost, day: number) =>
    country === 'US' &&
    BigInt(id) >= BigInt(idAt(START_MS + day * DAY_MS, 0, 0)) &&
    BigInt(id) < BigInt(idAt(START_MS + (day + 1) * DAY_MS, 0, 0))

  test('counts are exact', async () => {
    const { volume } = await search({ negativeKeywords: [['burrow', 'w0']] })
    const isCounted = ({ words }: MadePost) =>
      words.includes('wombat') && !(words.includes('burrow') && words.includes('w0'))
    const expected = [0, 1].map((day) => numberOf((post) => isOf(post, day) && isCounted(post)))
    assert.deepEqual(volume, expected)
  })

  test('the closest words come first, and words that occur by chance stay behind', async () => {
    const { related } = await search({})
    assert.equal(related[0], 'burrow')
    assert.ok(!related.includes('w0'), 'the most frequent word is everywhere')
    assert.ok(read <= 1_012, `${read} posts were read`)
    const { related: ofBurrows } = await search({ keywords: [['burrow']] })
    assert.equal(ofBurrows[0], 'wombat')
    assert.deepEqual(await search({}), await search({}))
  })
})
