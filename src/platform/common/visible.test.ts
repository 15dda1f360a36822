import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBlank } from './visible.ts'

test('a text is blank when nothing of it can be seen', () => {
  const invisible = [
    ...[
      '',
      ' \n\t',
      '\u00a0',
      '\u3000',
      '\u200b',
      '\u200c\u200d',
      '\u2060',
      '\ufeff',
      '\u00ad',
      '\u200e\u202e',
    ],
    ...['\u115f', '\u3164', '\uffa0', '\u2800', '\ufe0f', '\u{e0001}', '\u0001', ' \u200b \u2060 '],
  ]
  assert.deepEqual(invisible.filter(isBlank), invisible)
  const visible = ['a', '\u200ba', '.', '👨\u200d👩\u200d👧', '\u0301', '\u0e31', '♥\ufe0f', 'क\u094d\u200dष']
  assert.deepEqual(visible.filter(isBlank), [])
})
