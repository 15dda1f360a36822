import { Type } from 'typebox'
import { MIN_AUTHORS } from '../../../domain/insights/related.ts'
import { keywordTerms, MAX_TERM_LENGTH } from '../../../domain/insights/terms.ts'
import { countryByLocationId } from '../../../domain/reference-data/locations.ts'
import { ownerOf } from '../../../identity/auth/principal.ts'
import { choice, closedComponent, ids, instant, text } from '../../../platform/http/schema.ts'
import { AdsApiError } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsError } from '../../../platform/protocols/ads/codes.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import {
  answered,
  BUCKET_MS,
  GRANULARITIES,
  MAX_KEYWORDS,
  wrongKeywords,
  wrongLocation,
  wrongWindow,
} from './rules.ts'

const keyword = text(
  1,
  MAX_TERM_LENGTH,
  'A word, a hashtag with its sign, or several words that a post must all contain.',
)

const SECOND_MS = 1_000

/**
 * GET /12/insights/keywords/search: how much is posted about keywords (interface, Advertising
 * resources).
 */
export const searchKeywordInsights = adsEndpoint({
  id: 'searchKeywordInsights',
  method: 'GET',
  path: '/insights/keywords/search',
  summary: 'Search insights about keywords',
  description:
    'Returns the number of posts of a country that contain at least one keyword and no negative keyword, by day or hour from `start_time` on. Also returns up to 30 words that occur with the keywords more often than by chance.',
  source: 'Audiences (keyword insights)',
  limits: LIMITS.insights,
  query: {
    granularity: choice(
      [...GRANULARITIES],
      'Length of the period of each number in `post_volume`.',
      'InsightGranularity',
    ),
    keywords: ids(keyword, 'Counts posts that contain at least one of these.', MAX_KEYWORDS),
    start_time: instant('Start of the first count.'),
    end_time: Type.Optional(
      instant('End of the last count, exclusive; at most 7 days after `start_time`. The default is now.'),
    ),
    location: Type.Optional(text(1, 40, 'Targeting value of a country. The default is `--default-country`.')),
    negative_keywords: Type.Optional(
      ids(
        keyword,
        'Does not count posts that contain one of these. At most 10 together with `keywords`.',
        MAX_KEYWORDS,
      ),
    ),
  },
  codes: ['INVALID_TIME_WINDOW'],
  data: closedComponent('KeywordInsights', {
    related_keywords: Type.Array(Type.String(), {
      maxItems: 30,
      description: `What at least ${MIN_AUTHORS} users write beside the keywords, closest first.`,
    }),
    post_volume: Type.Array(Type.Integer({ minimum: 0 }), {
      description: 'Posts of each day or hour from `start_time` on; the last may be cut by `end_time`.',
    }),
  }),
  async handle({ query, principal }, { insights, clock, config }) {
    const { keywords, negative_keywords = [], start_time, end_time, location } = query
    // Times have seconds: without an end, it is the second of the call.
    const now = Math.floor(clock.now() / SECOND_MS) * SECOND_MS
    const country = location === undefined ? config.defaultCountry : countryByLocationId(location)
    const errors: AdsError[] = [
      ...wrongKeywords({ keywords, negative_keywords }),
      ...wrongWindow({ start: start_time, end: end_time }, now),
    ]
    if (country === undefined || errors.length > 0)
      throw new AdsApiError({
        errors: country === undefined ? [...errors, wrongLocation(String(location))] : errors,
      })
    const { volume, related } = await answered(
      insights.search({
        keywords: keywords.map(keywordTerms),
        negativeKeywords: negative_keywords.map(keywordTerms),
        country,
        startMs: start_time,
        endMs: end_time ?? now,
        bucketMs: BUCKET_MS[query.granularity],
        owner: ownerOf(principal),
      }),
    )
    return { data: { related_keywords: related, post_volume: volume } }
  },
})
