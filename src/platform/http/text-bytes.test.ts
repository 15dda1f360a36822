import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bytesOf } from './text-bytes.ts'

test('parts of any text are the bytes of the whole', () => {
  const part = fc.oneof(fc.string({ maxLength: 5 }), fc.string({ unit: 'grapheme', maxLength: 5 }))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) =>
      assert.deepEqual(bytesOf(parts), Buffer.concat(parts.map((part) => Buffer.from(part)))),
    ),
  )
})

for (const text of ['é€', '€é', '€€', 'é', '😀', 'a😀', 'a€€€€€€'])
  test(`a last part that needs more room than it has characters: ${text}`, () =>
    assert.equal(bytesOf(['ab', text]).toString(), `ab${text}`))
