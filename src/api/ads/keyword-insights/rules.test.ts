import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tooManyToCount } from '../../../domain/search/index/search-index.ts'
import { AdsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { answered } from './rules.ts'

test('keywords of more posts than can be counted are an error of the keywords', async () => {
  await assert.rejects(answered(Promise.reject(tooManyToCount(1_000_000))), (error) => {
    assert.ok(error instanceof AdsApiError)
    assert.deepEqual(
      error.errors.map(({ code, parameter }) => [code, parameter]),
      [['INVALID_PARAMETER', 'keywords']],
    )
    assert.match(error.message, /counts among more than 1000000 posts\. Choose a shorter time window/)
    return true
  })
  await assert.rejects(answered(Promise.reject(new RangeError('another'))), RangeError)
})
