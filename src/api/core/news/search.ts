import { Type } from 'typebox'
import { NEWS_POSTS } from '../../../domain/news/posts.ts'
import { storiesWithWords } from '../../../domain/news/queries.ts'
import { searchWords } from '../../../domain/news/refresh.ts'
import { component, text } from '../../../platform/http/schema.ts'
import { objectEndpoint } from '../objects/endpoint.ts'
import { NEWS, NEWS_LIMITS } from './example.ts'

const MAX_RESULTS = 100
const DEFAULT_RESULTS = 10
const HOUR_MS = 3_600_000
const MAX_HOURS = 720
const DEFAULT_HOURS = 168
/** If a query has more words, only the first ones count. */
const MAX_WORDS = 50

const NewsSearchMeta = component(
  'NewsSearchMeta',
  Type.Object(
    { result_count: Type.Integer({ minimum: 0, description: 'Stories of the reply.' }) },
    { additionalProperties: false },
  ),
)

/** GET /2/news/search: stories about something (core reference, 04 section 2). */
export const searchNews = objectEndpoint({
  id: 'searchNews',
  path: '/2/news/search',
  summary: 'Search news stories',
  description:
    'Returns stories that contain every word of the query in their name, hook, summary, keywords or contexts, newest first. Case and accents are ignored. Stories are built from public posts every minute.',
  source: 'Other core endpoints named in release notes',
  auth: ['app', 'user'],
  limits: NEWS_LIMITS,
  query: {
    query: text(1, 2048, 'Words.'),
    max_results: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_RESULTS,
        default: DEFAULT_RESULTS,
        description: 'Stories of the reply.',
      }),
    ),
    max_age_hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_HOURS,
        default: DEFAULT_HOURS,
        description: 'Maximum age of the last post of a story, in hours.',
      }),
    ),
  },
  returns: { object: 'news', count: 'many', meta: NewsSearchMeta },
  example: { data: [NEWS], meta: { result_count: 1 } },
  async find({ query }, { store, clock, indexes }) {
    const { max_results: limit = DEFAULT_RESULTS, max_age_hours: hours = DEFAULT_HOURS } = query
    const words = searchWords(query.query).slice(0, MAX_WORDS)
    const after = clock.now() - hours * HOUR_MS
    const args = { words: JSON.stringify(words), count: words.length, after, limit }
    await indexes.caughtUp(NEWS_POSTS)
    const found = words.length === 0 ? [] : await store.all(storiesWithWords, args)
    return {
      keys: found.map(({ id }) => id),
      meta: (shown) => ({ result_count: shown.length }),
    }
  },
})
