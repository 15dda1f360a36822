import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Flags, UsageError } from './command.ts'
import { shortText } from './values.ts'

test('what is shown to people has a visible character, no control character, and is not too long', () => {
  const read = (title: string) => shortText(new Flags({ title }), 'title', 5)
  assert.equal(read('Tea ☕'), 'Tea ☕')
  for (const [text, sentence] of [
    ['\u200b\u2060', '--title must have a visible character'],
    [' ', '--title must have a visible character'],
    ['a\nb', '--title must be at most 5 characters, none of them a control character'],
    ['abcdef', '--title must be at most 5 characters, none of them a control character'],
  ])
    assert.throws(() => read(text ?? ''), new UsageError(sentence))
})
