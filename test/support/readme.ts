import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

export const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** The webhook consumer with Express, as it is in the README. */
export function consumerOf(markdown: string): string {
  const blocks = [...markdown.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  const found = blocks.filter((code) => code.includes("from 'express'"))
  assert.equal(found.length, 1, 'the README has one consumer with Express')
  return String(found[0])
}
