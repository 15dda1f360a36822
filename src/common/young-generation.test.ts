import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'

/** Makes what stays in a thread of its own, whose young generation nothing else uses. Resolves to its most bytes. */
function mostBytes(what: 'hold' | 'release'): Promise<number> {
  const module = new URL('./young-generation.ts', import.meta.url).href
  const script = `
    const { parentPort } = require('node:worker_threads')
    import(${JSON.stringify(module)}).then((young) => {
      young.${what}YoungGeneration()
      globalThis.kept = []
      let most = 0
      for (let n = 0; n < 500_000; n++) {
        kept.push({ n, more: [n] })
        if (n % 1000 === 0) most = Math.max(most, young.youngGenerationBytes())
      }
      parentPort.postMessage(most)
    })`
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { eval: true })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

test('the young generation does not grow while it is held, and grows after that', async () => {
  const held = await mostBytes('hold')
  assert.ok(held <= 12 * 2 ** 20, `${held} bytes`)
  const released = await mostBytes('release')
  assert.ok(released >= 20 * 2 ** 20, `${released} bytes`)
})
