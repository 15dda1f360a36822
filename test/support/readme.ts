import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const [tour = '', rest = ''] = read('README.md').split(/(?=^## In a test$)/m)

/** The README, and the guides that go on with what it starts, in an order to follow them. */
export const README = [
  tour,
  read('docs/guides/tour.md'),
  read('docs/guides/webhooks.md'),
  rest,
  read('docs/guides/ci.md'),
].join('\n')

/** The guides of one tool each, which start what they need. */
export const TOOL_GUIDES = [
  read('docs/guides/seeds.md'),
  read('docs/guides/admin.md'),
  read('docs/guides/console.md'),
  read('docs/guides/clock.md'),
  read('docs/guides/snapshots.md'),
  read('docs/guides/faults.md'),
  read('docs/guides/journal.md'),
  read('docs/guides/record.md'),
  read('docs/guides/streams.md'),
  read('docs/guides/advertising.md'),
  read('docs/guides/oauth.md'),
  read('docs/guides/troubleshooting.md'),
  read('docs/guides/clients.md'),
  read('docs/guides/operation.md'),
  read('docs/guides/settings.md'),
  read('docs/guides/limits.md'),
].join('\n')

/** The webhook consumer with Express, as it is in the guides. */
export function consumerOf(markdown: string): string {
  const blocks = [...markdown.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  const found = blocks.filter((code) => code.includes("from 'express'"))
  assert.equal(found.length, 1, 'the guides have one consumer with Express')
  return String(found[0])
}
