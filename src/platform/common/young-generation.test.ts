import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const MODULE = new URL('./young-generation.ts', import.meta.url).href

/**
 * Calls a function of the module in a process of its own, allocates what stays, and returns what
 * was printed.
 */
function printed(call: string, flags: readonly string[] = []): string {
  const script = `
    import * as young from ${JSON.stringify(MODULE)}
    young.${call}
    globalThis.kept = []
    let most = 0
    for (let n = 0; n < 500_000; n++) {
      kept.push({ n, more: [n] })
      if (n % 1000 !== 0) continue
      most = Math.max(most, young.youngGenerationBytes())
      await new Promise((resolve) => setTimeout(resolve))
    }
    console.log('most ' + most)
    process.exit()`
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [...flags, '--input-type=module', '--eval', script],
    { encoding: 'utf8' },
  )
  assert.equal(status, 0, stderr)
  return stdout
}

const mostBytes = (call: string) => Number(/^most (\d+)$/m.exec(printed(call))?.[1])
const MB = 2 ** 20

test('the young generation does not grow while it is held', () => {
  assert.ok(mostBytes('holdYoungGeneration()') <= 12 * MB)
})

test('a limited young generation grows to its limit and stops', () => {
  const small = mostBytes(`limitYoungGeneration({ maxBytes: ${4 * MB}, checkEveryMs: 1 })`)
  assert.ok(small >= 4 * MB && small <= 8 * MB, `${small} bytes`)
  const large = mostBytes(`limitYoungGeneration({ maxBytes: ${24 * MB}, checkEveryMs: 1 })`)
  assert.ok(large >= 20 * MB && large <= 48 * MB, `${large} bytes`)
})

test('one thread collects the young generation', () => {
  const lines = printed('collectInOneThread()', ['--trace-gc', '--trace-parallel-scavenge'])
  const collections = lines.match(/Scavenge /g)?.length ?? 0
  const shares = lines.match(/scavenge\[/g)?.length ?? 0
  assert.ok(collections > 3, lines)
  assert.equal(shares, collections)
})
