import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../../../platform/storage/store.ts'
import { BODY_WORDS, type Words } from '../check.ts'
import { PostgresMembers } from './store.ts'

const words = Object.fromEntries(BODY_WORDS.map((word) => [word, word])) as Words
const NOW = 1_800_000_000_000

test('uploads that wait for a slow database use a bounded part of the memory, and one account only a part of that', async () => {
  let letGo = () => {}
  const writing = new Promise<void>((resolve) => (letGo = resolve))
  // All that is asked of a store here.
  const store = {
    first: async () => ({ total: 0, own: 0 }),
    write: () => writing,
  } as unknown as Store
  const members = new PostgresMembers({ store, url: '', schema: '', words, maxWaitingBytes: 1e9 })
  const user = { email: new Array(1000).fill('0'.repeat(64)) }
  const operation = { operation_type: 'Update', params: { users: new Array(70).fill(user) } }
  // 2.3 MB, packed.
  const body = Buffer.from(JSON.stringify([operation]))
  const take = (account: string) =>
    members.take({ account, audience: 'a', target: 'audience', body: Uint8Array.from(body) }, NOW)
  const sent = Array.from({ length: 16 }, () => take('greedy'))
  assert.equal(await sent.pop(), 'full')
  const other = take('other')
  letGo()
  for (const answer of [...(await Promise.all(sent)), await other, await take('greedy')])
    assert.ok(answer !== 'full' && answer.kind === 'fine')
  await members.close()
})
