import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainQuery } from './explain.ts'
import { parseQuery } from './parse.ts'
import type { QueryUse } from './query.ts'

function explain(text: string, use: QueryUse) {
  const parsed = parseQuery(text, { for: use })
  assert.ok(parsed.ok)
  return explainQuery(parsed.query, 'self-serve')
}

test('a rule is explained: its tree, its limits and its terms', () => {
  assert.deepEqual(explain('(coca-cola OR #pets) lang:en -dog', 'stream'), {
    tree: {
      label: 'all of',
      nodes: [
        {
          label: 'any of',
          nodes: [
            { label: 'coca-cola', matches: 'posts with the words coca, cola in sequence', nodes: [] },
            { label: '#pets', matches: 'posts with the hashtag pets', nodes: [] },
          ],
        },
        { label: 'lang:en', matches: 'posts in this language', nodes: [] },
        { label: '-dog', matches: 'not posts with the word dog', nodes: [] },
      ],
    },
    length: { used: 33, most: 1024 },
    clauses: { used: 4, most: 200 },
    findsNoReposts: false,
    terms: [{ oneOf: ['words coca cola', 'hashtag pets'], and: 'language en' }],
  })
})

test('an operator for which there are no data says so', () => {
  assert.deepEqual(explain('cat -list:1', 'search/all').tree.nodes, [
    { label: 'cat', matches: 'posts with the word cat', nodes: [] },
    {
      label: '-list:1',
      matches: 'not posts by members of this list',
      nodes: [],
    },
  ])
})

test('each branch has terms of its own, save for single words, which share one', () => {
  const { terms } = explain('cat OR from:ada has:media OR dog', 'stream')
  assert.deepEqual(terms, [
    { oneOf: ['word cat', 'word dog'] },
    { oneOf: ['author ada'], and: 'property media' },
  ])
})

test('a query for search has no terms, and leaves reposts out when it looks for words', () => {
  const { terms, length, findsNoReposts } = explain('cat', 'search/recent')
  assert.deepEqual(
    { terms, length, findsNoReposts },
    { terms: [], length: { used: 3, most: 512 }, findsNoReposts: true },
  )
})
