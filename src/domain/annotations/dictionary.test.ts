import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEntities } from '../../platform/text/entities.ts'
import { Dictionary, openDictionary } from './dictionary.ts'

const names = new Dictionary([
  ['10', 'Person', 'Person', '7:Ada Lovelace|Lovelace', 'Ada'],
  ['13', 'Place', 'Place', 'São Paulo', 'New York City|New York', '東京'],
  ['66', 'Hobbies', '-', 'Chess'],
])

const read = (text: string) => {
  const { annotations, contexts } = names.read(text, readEntities(text))
  const points = [...text]
  return [
    ...annotations.map(({ start, end, normalized_text }) => [
      points.slice(start, end + 1).join(''),
      normalized_text,
    ]),
    ...contexts.map(({ domain, entity }) => `${domain.id}:${entity.name}`),
  ]
}

test('the longest form counts, without accents, and names begin with a capital letter', () => {
  assert.deepEqual(read('👩‍💻 Ada LOVELACE in Sao Paulo'), [
    ...[
      ['Ada LOVELACE', 'Ada Lovelace'],
      ['Sao Paulo', 'São Paulo'],
    ],
    ...['10:Ada Lovelace', '13:São Paulo'],
  ])
  assert.deepEqual(read('Ada. Then New York; lovelace, ada'), [
    ...[
      ['Ada', 'Ada'],
      ['New York', 'New York City'],
    ],
    ...['10:Ada', '13:New York City'],
  ])
  assert.deepEqual(read('New. York'), [['New. York', 'New York City'], '13:New York City'])
  assert.deepEqual(read('New (York)'), [])
})

test('topics are no names: they are found in any case, and are only contexts', () => {
  assert.deepEqual(read('chess, Chess and #chess'), ['66:Chess'])
})

test('links and mentions contain no names, hashtags do', () => {
  assert.deepEqual(read('@Ada https://a.example.com/Ada'), [])
  assert.deepEqual(read('#Ada'), [['Ada', 'Ada'], '10:Ada'])
})

test('ids are those of the rows, or derive from the names', () => {
  const [, ada] = names.read('Lovelace Ada', { urls: [], mentions: [] }).contexts
  assert.deepEqual(names.read('Lovelace', { urls: [], mentions: [] }).contexts, [
    { domain: { id: '10', name: 'Person' }, entity: { id: '7', name: 'Ada Lovelace' } },
  ])
  assert.match(ada?.entity.id ?? '', /^[0-9]{19}$/)
})

test('the dictionary of the package can be read; a file with a wrong row cannot', () => {
  const { annotations } = openDictionary({ annotations: 'default' }).read('Ada Lovelace', {
    urls: [],
    mentions: [],
  })
  assert.deepEqual(annotations, [
    { start: 0, end: 11, probability: 1, type: 'Person', normalized_text: 'Ada Lovelace' },
  ])
  assert.throws(
    () => openDictionary({ annotations: '/nowhere.tsv' }),
    /^Error: --annotations: \/nowhere.tsv: /,
  )
  assert.throws(() => new Dictionary([['x', 'Person', 'Person', 'Ada']]), /^Error: entry 1 must begin with/)
})

test('the time for a text grows with its length only', () => {
  const text = 'New York '.repeat(3_000)
  assert.equal(names.read(text, { urls: [], mentions: [] }).annotations.length, 50)
})
