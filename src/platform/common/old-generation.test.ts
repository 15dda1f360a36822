import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const MODULE = new URL('./old-generation.ts', import.meta.url).href
const MB = 2 ** 20

/**
 * Runs a script in a process of its own, with `old` (the module), `fill` and `heap`, and returns
 * what it printed.
 */
function printed(script: string): string {
  const parts = `
    import * as old from ${JSON.stringify(MODULE)}
    import { getHeapStatistics } from 'node:v8'
    const heap = () => getHeapStatistics().total_heap_size
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    const objects = (count) => Array.from({ length: count }, (_, n) => ({ n, more: [n, n + 1, n + 2] }))
    /** Keeps the objects of the last turns, so that they become old. Resolves to the largest heap. */
    async function churn(turns, kept) {
      const ring = []
      let most = 0
      for (let n = 0; n < turns; n++) {
        ring[n % kept] = objects(10_000)
        most = Math.max(most, heap())
        await sleep(0)
      }
      return most
    }
  `
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    // V8 collects in an idle process sooner than after 8 s.
    [
      '--gc-memory-reducer-start-delay-ms=200',
      '--max-semi-space-size=4',
      '--trace-gc',
      '--input-type=module',
      '--eval',
      parts + script,
    ],
    { encoding: 'utf8' },
  )
  assert.equal(status, 0, stderr)
  return stdout
}

const figureOf = (name: string, text: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
const REDUCING = /Mark-Compact \(reduce\)/g

test('the old generation at most doubles between two collections', () => {
  const most = (call: string) =>
    figureOf('most', printed(`${call}; console.log('most ' + (await churn(300, 40)))`))
  const bounded = most('old.boundOldGeneration()')
  const unbounded = most('')
  assert.ok(bounded < 0.8 * unbounded, `${bounded / MB} MB, otherwise ${unbounded / MB} MB`)
})

test('an idle process gives memory back, and a busy one does not collect for that', () => {
  const text = printed(`
    old.releaseWhenIdle({ checkEveryMs: 100 })
    await churn(200, 40)
    console.log('worked ' + heap())
    const end = performance.now() + 20_000
    while (heap() > ${20 * MB} && performance.now() < end) await sleep(100)
    console.log('idle ' + heap())
    // Until it counts as busy.
    for (const until = performance.now() + 500; performance.now() < until; ) await churn(1, 40)
    console.log('busy')
    await churn(200, 40)
    console.log('end')
    process.exit()`)
  assert.ok(figureOf('worked', text) > 40 * MB, text)
  assert.ok(figureOf('idle', text) <= 20 * MB, text)
  const busy = text.slice(text.indexOf('\nbusy'), text.indexOf('\nend'))
  assert.match(busy, /Mark-Compact /)
  assert.equal(busy.match(REDUCING), null)
})
