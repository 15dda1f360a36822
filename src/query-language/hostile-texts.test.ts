import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bestMs, hostileTexts } from '../../test/support/hostile-texts.ts'
import { parseQuery } from './parse.ts'
import { postOf } from './posts.fixture.ts'
import type { Query } from './query.ts'
import { RuleIndex } from './rule-index.ts'
import { foldAccents, wordsOf } from './tokenize.ts'

const LENGTH = 25_000
const MAX_MS = 50

const read = (text: string): Query => {
  const parsed = parseQuery(text, { for: 'stream', access: 'enterprise' })
  assert.ok(parsed.ok, text)
  return parsed.query
}

test(`a hostile text of ${LENGTH} characters becomes words without accents within ${MAX_MS} ms`, () => {
  for (const [description, text] of hostileTexts(LENGTH)) {
    const ms = bestMs(() => wordsOf(text).map(foldAccents), MAX_MS)
    assert.ok(ms <= MAX_MS, `${description}: ${ms} ms`)
  }
})

/** Rules that are slow to match with a text, if each of them reads it in its own way. */
const CASES: readonly (readonly [description: string, rule: (n: number) => string, text: string])[] = [
  [
    'words near each other',
    (n) => `"a b c${n}"~6`,
    `${'a b '.repeat(6_000)}${Array.from({ length: 10 }, (_, n) => `c${n}`).join(' ')}`,
  ],
  [
    'a phrase that nearly occurs everywhere',
    (n) => `"${'a '.repeat(500)}b c${n}"`,
    `${'a '.repeat(12_000)}b c1`,
  ],
  ['a phrase without accents', (n) => `"${'é '.repeat(300)}ö${n}"`, `${'é '.repeat(12_000)}ö${1}`],
]

for (const [description, rule, text] of CASES)
  test(`ten rules match a long post within ${MAX_MS} ms: ${description}`, () => {
    const index = new RuleIndex()
    for (let n = 0; n < 10; n++) index.add({ id: String(n) }, read(rule(n)))
    const post = postOf({ text })
    const ms = bestMs(() => index.match({ ...post }), MAX_MS)
    assert.ok(ms <= MAX_MS, `${ms} ms`)
  })
