import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { fullPage, MAX_PASSED_OVER } from './full-page.ts'

/** A list of numbers, of which the caller sees some. Places are positions in it. */
function listOf(length: number, isShown: (row: number) => boolean) {
  let examined = 0
  const list = {
    async read(from: number, count: number) {
      const rows = Array.from({ length: Math.min(count, length - from) }, (_, index) => from + index)
      examined += rows.length
      return { rows, next: rows.length < count ? undefined : from + count }
    },
    after: (row: number) => row + 1,
    shown: async (rows: readonly number[]) => rows.filter(isShown),
  }
  return { list, examined: () => examined }
}

describe('pages of what a caller sees', () => {
  test('contain everything once, in order, and are full except the last one', async () => {
    const cases = fc.record({
      shown: fc.array(fc.boolean(), { maxLength: 120 }),
      limit: fc.integer({ min: 1, max: 12 }),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ shown, limit }) => {
        const { list } = listOf(shown.length, (row) => shown[row] === true)
        const pages: number[][] = []
        for (let from: number | undefined = 0; from !== undefined; ) {
          const page: { rows: number[]; next: number | undefined } = await fullPage(list, { from, limit })
          pages.push(page.rows)
          from = page.next
        }
        assert.deepEqual(
          pages.flat(),
          [...shown.keys()].filter((row) => shown[row]),
        )
        for (const page of pages.slice(0, -1)) assert.equal(page.length, limit)
        // No page is empty except that of an empty list.
        if (pages.length > 1) assert.notEqual(pages.at(-1)?.length, 0)
      }),
    )
  })

  test('a page ends after a bounded number of entries that are not shown, and the next one continues', async () => {
    const { list, examined } = listOf(5_000, (row) => row === 3 || row >= 2_500)
    const first = await fullPage(list, { from: 0, limit: 5 })
    assert.deepEqual(first.rows, [3])
    assert.equal(examined(), MAX_PASSED_OVER + 6)
    const second = await fullPage(list, { from: first.next ?? 0, limit: 5 })
    assert.deepEqual([second.rows, second.next], [[], 2 * (MAX_PASSED_OVER + 6)])
    const third = await fullPage(list, { from: second.next ?? 0, limit: 5 })
    assert.deepEqual(third, { rows: [2_500, 2_501, 2_502, 2_503, 2_504], next: 2_505 })
  })

  test('a list that has done enough work ends the page', async () => {
    const { list } = listOf(100, (row) => row > 50)
    const limited = {
      ...list,
      read: async (from: number, count: number) => ({ ...(await list.read(from, count)), isLimited: true }),
    }
    assert.deepEqual(await fullPage(limited, { from: 0, limit: 10 }), { rows: [], next: 11 })
  })
})
