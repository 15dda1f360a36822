import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEntities } from '../../platform/text/entities.ts'
import { repostText } from './repost-text.ts'

const author = { id: '1', screenName: 'ada' }
const repostOf = (text: string, word: string) =>
  repostText({ text, entities: { ...readEntities(text), mentions: [] }, author }, { name: () => word })

test('a repost mentions the author, and contains the entities of the text that is kept', () => {
  const { text, entities } = repostOf('a #heron', 'RP')
  assert.equal(text, 'RP @ada: a #heron')
  assert.deepEqual(entities.mentions, [{ start: 3, end: 7, username: 'ada', id: '1' }])
  assert.deepEqual(
    entities.hashtags.map(({ start, end }) => [start, end]),
    [[11, 17]],
  )
})

test('under a word so long that the author is cut off, no entity is beyond the text', () => {
  const { text, entities } = repostOf('a #heron', 'R'.repeat(180))
  assert.equal(text, `${'R'.repeat(138)}…`)
  assert.deepEqual([entities.mentions, entities.hashtags], [[], []])
})
