import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentOf, type RequireParameter } from './parameters.ts'

const need: RequireParameter = () => assert.fail('nothing is missing')

/**
 * The fastest of several rejections, in milliseconds: other work on the processor delays some of
 * them, but not all.
 */
async function fastest(media: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 20; turn++) {
    const started = performance.now()
    await assert.rejects(contentOf({ media }, [], 'media', need), { reason: 'media not readable' })
    least = Math.min(least, performance.now() - started)
  }
  return least
}

test('the time that a text takes that is not Base64 grows no faster than the text', async () => {
  const times = 20
  for (const textOf of [
    (length: number) => `${' '.repeat(length)}%`,
    (length: number) => `QUJD==${'\n'.repeat(length)}%`,
  ]) {
    const growth = (await fastest(textOf(1_000 * times))) / (await fastest(textOf(1_000)))
    // If it grew with the square of the length, it would be 400.
    assert.ok(growth < 5 * times, `${growth}`)
  }
})
