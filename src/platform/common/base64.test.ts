import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeBase64 } from './base64.ts'
import { Slices } from './slices.ts'

const decoded = async (text: string) => decodeBase64(Buffer.from(text), new Slices())

test('what is encoded in either alphabet decodes to the same bytes, with or without padding', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 50 }), async (bytes) => {
      const content = Buffer.from(bytes)
      const text = content.toString('base64')
      for (const encoded of [
        text,
        text.replaceAll('=', ''),
        content.toString('base64url'),
        `${text.replace(/./g, '$& ')}\n`,
      ])
        assert.deepEqual(await decoded(encoded), content, encoded)
    }),
    { seed: 7, numRuns: 500 },
  )
})

test('a text that crosses windows is decoded as a whole', async () => {
  const content = Buffer.alloc(200_001, 'a long text ')
  assert.deepEqual(await decoded(content.toString('base64')), content)
})

test('anything else is rejected', async () => {
  for (const text of ['AAAA!', 'AA=A', 'AA===', '=AAA=', 'ÄÄÄÄ', 'AAAA\0'])
    assert.equal(await decoded(text), undefined, text)
})
