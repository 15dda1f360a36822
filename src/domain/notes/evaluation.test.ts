import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { claimOpinionScore, evaluate, hasAddress, noteLength } from './evaluation.ts'
import { readSelection } from './feed.ts'
import {
  type Helpfulness,
  noRatings,
  type RatingCounts,
  statusOf,
  topTag,
  type Viewpoint,
  withRating,
} from './ratings.ts'

describe('the score of a text', () => {
  const scores: readonly (readonly [string, number])[] = [
    ['The bridge was opened in 1932: https://example.com/bridge', 1.5],
    ['According to official records of 12 May 1932: https://example.com/a https://example.org/b', 4],
    ['Two links of one site: https://example.com/a https://www.example.com/b', 1],
    ['I think this is terrible!', -4.5],
    ['Maybe it was the other bridge.', -0.75],
    ['The report says "it was opened in 1932"', 1.5],
    ['', 0],
    [
      'I think I believe my obviously terrible idiot moron liar enemies are always, always wrong!!! WRONG WRONG WRONG',
      -10,
    ],
  ]
  for (const [text, score] of scores)
    test(`${score}: ${text}`, () => assert.equal(claimOpinionScore(text), score))
})

describe('the evaluators', () => {
  const bucketsOf = (text: string) => evaluate(text).map((result) => result.evaluator_score_bucket)
  const cases: readonly (readonly [string, string[]])[] = [
    ['It was opened in 1932: https://example.com/bridge', ['High', 'High', 'High']],
    ['It was opened in 1932: http://bridge', ['Low', 'High', 'High']],
    ['It was opened in 1932: http://bridge https://example.com', ['Medium', 'High', 'High']],
    ['I feel sorry: https://example.com/bridge', ['High', 'Medium', 'High']],
    ['I think this liar is terrible: https://example.com', ['High', 'Low', 'Medium']],
    ['You idiot, you liar: https://example.com', ['High', 'Medium', 'Low']],
  ]
  for (const [text, buckets] of cases)
    test(`${buckets.join(', ')}: ${text}`, () => assert.deepEqual(bucketsOf(text), buckets))
})

test('each address of a note counts one character, and an emoji too', () => {
  assert.equal(noteLength('See https://example.com/a/very/long/address 😀'), 7)
  assert.equal(hasAddress('See HTTP://example.com'), true)
  assert.equal(hasAddress('See example.com'), false)
})

describe('the status that follows from ratings', () => {
  /** This many ratings of each viewpoint: helpful, somewhat helpful, not helpful. */
  const countsOf = (given: Partial<Record<Viewpoint, readonly [number, number, number]>>): RatingCounts => {
    let counts = noRatings()
    for (const [viewpoint, numbers] of Object.entries(given))
      for (const [at, helpfulness] of (['helpful', 'somewhat_helpful', 'not_helpful'] as const).entries())
        for (let n = 0; n < (numbers[at] ?? 0); n++)
          counts = withRating(counts, rating(viewpoint as Viewpoint, helpfulness), 1)
    return counts
  }
  const rating = (viewpoint: Viewpoint, helpfulness: Helpfulness, tags: string[] = []) => ({
    viewpoint,
    helpfulness,
    tags,
  })
  const cases: readonly (readonly [string, Parameters<typeof countsOf>[0]])[] = [
    ['needs_more_ratings', {}],
    ['minimum_ratings_not_met', { neutral: [4, 0, 0] }],
    ['currently_rated_helpful', { neutral: [5, 0, 0] }],
    ['currently_rated_helpful', { positive: [6, 0, 0], negative: [1, 0, 1] }],
    ['insufficient_consensus', { positive: [9, 0, 0], negative: [0, 0, 1] }],
    ['needs_your_help', { neutral: [3, 0, 2] }],
    ['needs_more_ratings', { neutral: [2, 2, 2] }],
    ['currently_rated_not_helpful', { neutral: [0, 0, 9] }],
    ['firm_reject', { neutral: [1, 0, 9] }],
  ]
  for (const [status, given] of cases)
    test(`${status}: ${JSON.stringify(given)}`, () => assert.equal(statusOf(countsOf(given)), status))

  test('a rating that is taken back leaves no trace in the counts', () => {
    const one = rating('positive', 'helpful', ['clear'])
    const counts = withRating(withRating(noRatings(), one, 1), one, -1)
    assert.equal(statusOf(counts), 'needs_more_ratings')
    assert.equal(topTag(counts.positive, ['clear']), undefined)
  })

  test('the tag that was given most is shown', () => {
    let counts = noRatings()
    for (const tags of [['clear'], ['good_sources'], ['good_sources', 'clear'], ['good_sources']])
      counts = withRating(counts, rating('neutral', 'helpful', tags), 1)
    assert.deepEqual(topTag(counts.neutral, ['clear', 'good_sources']), {
      tag_name: 'good_sources',
      tag_count: 3,
    })
  })
})

describe('the selection of posts', () => {
  const cases: readonly (readonly [string | undefined, string | undefined])[] = [
    [undefined, 'small en'],
    ['feed_size: small, feed_lang: en', 'small en'],
    ['feed_lang:all,feed_size:xxl', 'xxl all'],
    ['feed_size: XL', 'xl en'],
    ['feed_lang: he', 'small iw'],
    ['feed_lang: zh-tw', 'small zh'],
    ['feed_size: huge', undefined],
    ['feed_lang: xx', undefined],
    ['feed_size: small, feed_size: large', undefined],
    ['feed_size: small,', undefined],
    ['small', undefined],
  ]
  for (const [text, expected] of cases)
    test(`${text}: ${expected}`, () => {
      const read = readSelection(text)
      assert.equal(read && `${read.size} ${read.lang}`, expected)
    })
})
