import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactJson, jsonText, parseJson } from './exact-json.ts'

test('whole numbers keep every digit, wherever they stand', () => {
  const text =
    '{"a":1900000000000000042,"b":[-9223372036854775808,9007199254740991],"c":{"d":9007199254740993}}'
  assert.deepEqual(exactJson(text), {
    a: '1900000000000000042',
    b: ['-9223372036854775808', 9007199254740991],
    c: { d: '9007199254740993' },
  })
})

test('everything else is read as always', () => {
  for (const text of [
    '{"a":1.5,"b":"1900000000000000042","c":null,"d":[true]}',
    '[12345678901234567.5, 1e300, 0.1234567890123456789]',
    '"1234567890123456789"',
    '{"__proto__":{"a":1234567890123456.5}}',
  ])
    assert.deepEqual(exactJson(text), JSON.parse(text))
  assert.throws(() => exactJson('{"a":1234567890123456789'), SyntaxError)
})

test('JSON that Plaza writes and reads again keeps bigints as numbers with every digit', () => {
  const value = { a: 9223372036854775807n, b: ['9223372036854775807', -9007199254740993n, 7], c: null }
  const text = '{"a":9223372036854775807,"b":["9223372036854775807",-9007199254740993,7],"c":null}'
  assert.equal(jsonText(value), text)
  assert.deepEqual(parseJson(text), value)
  assert.deepEqual(parseJson('9223372036854775807'), 9223372036854775807n)
  assert.equal(jsonText({ a: [1n] }, 2), '{\n  "a": [\n    1\n  ]\n}')
})
