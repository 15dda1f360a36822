import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BODY_WORDS, type Words } from '../check.ts'
import { SqliteMembers } from './store.ts'

const words = Object.fromEntries(BODY_WORDS.map((word) => [word, word])) as Words
const store = new SqliteMembers({ folder: undefined, words, maxWaitingBytes: 100_000_000 })
after(() => store.close())

const NOW = 1_800_000_000_000
const take = (body: string) =>
  store.take({ account: 'a', audience: 'one', target: 'audience', body: Buffer.from(body) }, NOW)

/** As many of a part as a body takes. */
const BODY_BYTES = 5_000_000
const full = (part: string) => part.repeat(BODY_BYTES / part.length)
const listed = (part: string) => `[${full(`${part},`).slice(0, -3)}]`.padEnd(BODY_BYTES)
const different = (part: (name: string) => string) =>
  Array.from({ length: 300_000 }, (_, n) => part(n.toString(36))).join()

test('the thread that checks bodies has the memory for any of them', async () => {
  const half = BODY_BYTES / 2
  const bodies = [
    '['.repeat(half) + ']'.repeat(half),
    listed('{}'),
    listed('[]'),
    `[${different((name) => `{"${name}":{}}`)}]`,
    `[{${different((name) => `"${name}":[]`)}}]`,
    `[{"operation_type":"Update","params":{"users":${'['.repeat(half)}${']'.repeat(half)}}}]`,
  ]
  for (const body of bodies) {
    const answer = await take(body)
    assert.ok(answer !== 'full' && answer.kind !== 'fine')
  }
})

test('tells of every operation how it was understood, however many are alike', async () => {
  const operation = (type: string, users: number) => ({
    operation_type: type,
    params: { users: Array.from({ length: users }, (_, n) => ({ partner_user_id: [`p${n}`] })) },
  })
  const sent = [
    operation('Update', 1),
    operation('Update', 1),
    operation('Delete', 1),
    operation('Update', 2),
    operation('Update', 1),
  ]
  const answer = await take(JSON.stringify(sent))
  assert.ok(answer !== 'full' && answer.kind === 'fine')
  assert.deepEqual(
    answer.understood.map(({ type, users }) => [type, users]),
    [
      ['Update', 1],
      ['Update', 1],
      ['Delete', 1],
      ['Update', 2],
      ['Update', 1],
    ],
  )
})
