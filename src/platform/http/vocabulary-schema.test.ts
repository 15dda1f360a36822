import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { readVocabulary } from './vocabulary.ts'
import { vocabularySchema } from './vocabulary-schema.ts'

const accepts = new Ajv2020({ strict: false }).compile(vocabularySchema())

const reads = (file: unknown): boolean => {
  try {
    readVocabulary(JSON.stringify(file))
    return true
  } catch {
    return false
  }
}

test('the schema accepts what a start accepts, and nothing else', () => {
  const example = readFileSync(new URL('../../../docs/vocabulary.example.json', import.meta.url), 'utf8')
  const right = [
    JSON.parse(example),
    {},
    { $schema: 'vocabulary.schema.json' },
    { words: { post: ['memo', 'note'] }, versions: { 12: ['12', '11.5'] } },
    { paths: { '/2/posts': ['/2/notes', '/3/notes'] }, events: { post: 'note' } },
  ]
  const wrong = [
    [],
    { word: {} },
    { words: 'post' },
    { words: { Post: 'memo' } },
    { words: { post: 'a memo' } },
    { words: { post: [] } },
    { words: { post: Array(11).fill('memo') } },
    { words: { post: 1 } },
    { headers: { 'x-a': ['x-b'] } },
    { paths: { '/2/posts': '2/notes' } },
    { versions: { twelve: '12' } },
    { versions: { 12: 'twelve' } },
    { events: { 'post.create': 'note' } },
  ]
  for (const file of right) assert.deepEqual([accepts(file), reads(file)], [true, true], JSON.stringify(file))
  for (const file of wrong)
    assert.deepEqual([accepts(file), reads(file)], [false, false], JSON.stringify(file))
})
