import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'

const MODULE = new URL('./old-generation.ts', import.meta.url).href
const MB = 2 ** 20

/**
 * Runs a script in a process of its own, with `old` (the module), `fill` and `heap`, and returns
 * what it printed.
 */
async function printed(script: string): Promise<string> {
  const parts = `
    import * as old from ${JSON.stringify(MODULE)}
    import { getHeapStatistics } from 'node:v8'
    const heap = () => getHeapStatistics().total_heap_size
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    const objects = (count) => Array.from({ length: count }, (_, n) => ({ n, more: [n, n + 1, n + 2] }))
    /**
     * Keeps the objects of the last turns, so that they become old. Resolves to the largest heap.
     */
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
  const child = spawn(
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
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  assert.equal(status, 0, stderr)
  return stdout
}

const figureOf = (name: string, lines: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(lines)?.[1])
const REDUCING = /Mark-Compact \(reduce\)/g

// Together, because one waits until its process counts as idle.
describe('the old generation of a process', { concurrency: true }, () => {
  test('at most doubles between two collections', async () => {
    const most = async (call: string) =>
      figureOf('most', await printed(`${call}; console.log('most ' + (await churn(300, 40)))`))
    const bounded = await most('old.boundOldGeneration()')
    const unbounded = await most('')
    assert.ok(bounded < 0.8 * unbounded, `${bounded / MB} MB, otherwise ${unbounded / MB} MB`)
  })

  test('an idle process gives memory back, and a busy one does not collect for that', async () => {
    const lines = await printed(`
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
    assert.ok(figureOf('worked', lines) > 40 * MB, lines)
    assert.ok(figureOf('idle', lines) <= 20 * MB, lines)
    const busy = lines.slice(lines.indexOf('\nbusy'), lines.indexOf('\nend'))
    assert.match(busy, /Mark-Compact /)
    assert.equal(busy.match(REDUCING), null)
  })
})
