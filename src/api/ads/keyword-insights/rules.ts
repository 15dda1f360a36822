import { HOUR_MS } from '../../../domain/insights/sample.ts'
import { keywordTerms } from '../../../domain/insights/terms.ts'
import { SearchTooComplex } from '../../../domain/search/index/search-index.ts'
import { instantText } from '../../../platform/common/instant.ts'
import { msg, word } from '../../../platform/http/message.ts'
import { AdsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { type AdsError, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { emptyWindow } from '../messages.ts'

/** The duration of one number in `post_volume`, in milliseconds. */
export const BUCKET_MS = { DAY: 24 * HOUR_MS, HOUR: HOUR_MS } as const
export const GRANULARITIES = ['DAY', 'HOUR'] as const satisfies readonly (keyof typeof BUCKET_MS)[]

/** Maximum number of keywords in a call, positive and negative together (interface, Limits). */
export const MAX_KEYWORDS = 10
const MAX_WORDS = 8
const MAX_DAYS = 7

/** The errors of keywords: there are too many, or posts cannot contain one of them. */
export function wrongKeywords(lists: Readonly<Record<'keywords' | 'negative_keywords', readonly string[]>>) {
  const total = lists.keywords.length + lists.negative_keywords.length
  const tooMany = msg`keywords and negative_keywords may have at most ${MAX_KEYWORDS} entries together, got ${total}`
  const errors = total > MAX_KEYWORDS ? [wrongParameter('keywords', tooMany)] : []
  for (const [name, list] of Object.entries(lists))
    for (const keyword of list) {
      const words = keywordTerms(keyword).length
      if (words === 0)
        errors.push(
          wrongParameter(name, msg`Expected a word or an emoji, got "${keyword}" for ${word(name)}`),
        )
      if (words > MAX_WORDS)
        errors.push(
          wrongParameter(name, msg`Expected at most ${MAX_WORDS} words, got "${keyword}" for ${word(name)}`),
        )
    }
  return errors
}

/** The errors of a window: it is in the future, or too long. */
export function wrongWindow(
  { start, end }: { start: number; end: number | undefined },
  now: number,
): AdsError[] {
  const wrong = (name: string, message: ReturnType<typeof msg>) => [
    wrongParameter(name, message, 'INVALID_TIME_WINDOW'),
  ]
  if (start >= now)
    return wrong('start_time', msg`Expected a time in the past, got "${instantText(start)}" for start_time`)
  if (end !== undefined && end <= start) return [emptyWindow(start, end)]
  if ((end ?? now) - start > MAX_DAYS * BUCKET_MS.DAY)
    return wrong(
      end === undefined ? 'start_time' : 'end_time',
      msg`Expected at most ${MAX_DAYS} days, got "${instantText(start)}" for start_time and "${instantText(end ?? now)}" for end_time`,
    )
  return []
}

/**
 * Resolves to the result. Keywords of more posts than can be counted are an error of the keywords.
 */
export async function answered<Result>(search: Promise<Result>): Promise<Result> {
  try {
    return await search
  } catch (error) {
    if (!(error instanceof SearchTooComplex)) throw error
    throw new AdsApiError({ errors: [wrongParameter('keywords', msg`${error.message}`)] })
  }
}

export const wrongLocation = (value: string) =>
  wrongParameter('location', msg`Expected the targeting_value of a country, got "${value}" for location`)
