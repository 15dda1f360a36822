import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, test } from 'node:test'
import { StoreUnavailable } from '../../../platform/storage/store.ts'
import { BODY_WORDS, type Words } from '../check.ts'
import { SqliteMembers } from './store.ts'

const words = Object.fromEntries(BODY_WORDS.map((word) => [word, word])) as Words
const NOW = 1_800_000_000_000
const users = [{ partner_user_id: ['p'] }]
const text = JSON.stringify([{ operation_type: 'Update', params: { users } }])

let folder = ''
let members: SqliteMembers
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plaza-disk-'))
  members = new SqliteMembers({ folder, words, maxWaitingBytes: 1e9 })
})
afterEach(async () => {
  await members.close()
  rmSync(folder, { recursive: true, force: true })
})

const take = () =>
  members.take({ account: 'a', audience: 'one', target: 'audience', body: Buffer.from(text) }, NOW)

async function isTaken(): Promise<void> {
  const answer = await take()
  assert.ok(answer !== 'full' && answer.kind === 'fine')
}

test('a full disk makes the store unavailable until there is room', async () => {
  await isTaken()
  const other = new DatabaseSync(join(folder, 'membership-log.db'))
  // It fails where a full disk does.
  other.exec(
    "CREATE TRIGGER full BEFORE INSERT ON membership_log BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
  )
  await assert.rejects(
    take(),
    (error) => error instanceof StoreUnavailable && /disk is full/.test(error.message),
  )
  await assert.rejects(members.forget('one', NOW), StoreUnavailable)
  assert.equal((await members.states(['one'], NOW)).get('one')?.processing, true)
  other.exec('DROP TRIGGER full')
  other.close()
  await isTaken()
})

test('files that cannot be opened make the store unavailable until they can', async () => {
  const inTheWay = join(folder, 'membership-log.db')
  mkdirSync(inTheWay)
  await assert.rejects(take(), StoreUnavailable)
  await assert.rejects(members.states(['one'], NOW), StoreUnavailable)
  rmdirSync(inTheWay)
  await isTaken()
})

test('a defect is not reported as an unavailable store', async () => {
  await isTaken()
  const upload = {
    account: 'a',
    audience: {} as string,
    target: 'audience',
    body: Buffer.from(text),
  } as const
  await assert.rejects(members.take(upload, NOW), (error) => !(error instanceof StoreUnavailable))
})
