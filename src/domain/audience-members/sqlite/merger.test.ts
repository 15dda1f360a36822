import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, test } from 'node:test'
import { BODY_WORDS, type Words } from '../check.ts'
import { SqliteMembers } from './store.ts'

const words = Object.fromEntries(BODY_WORDS.map((word) => [word, word])) as Words
const NOW = 1_800_000_000_000

let folder = ''
let members: SqliteMembers
const open = () => new SqliteMembers({ folder, words, maxWaitingBytes: 1e9 })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plaza-merger-'))
  members = open()
})
afterEach(async () => {
  await members.close()
  rmSync(folder, { recursive: true, force: true })
})

async function upload(audience: string, ...ids: string[]): Promise<void> {
  const params = { users: ids.map((id) => ({ partner_user_id: [id] })) }
  const body = Buffer.from(JSON.stringify([{ operation_type: 'Update', params }]))
  const taken = await members.take({ account: 'a', audience, target: 'audience', body }, NOW)
  assert.ok(taken !== 'full' && taken.kind === 'fine')
}

/** Merges all that can be; tells of what could not. */
async function mergeAll(): Promise<string[]> {
  const errors: string[] = []
  for (;;) {
    const step = await members.merge(NOW, NOW)
    errors.push(...(step.errors ?? []).map(({ message }) => message))
    if (!step.more) return errors
  }
}

const state = async (audience: string) => (await members.states([audience], NOW)).get(audience)

/** Writes to one of the files as if the disk had. */
function damage(file: string, statement: string, ...args: string[]): void {
  const db = new DatabaseSync(join(folder, file))
  db.prepare(statement).run(...args)
  db.close()
}

function addDeadLetter(): number {
  const db = new DatabaseSync(join(folder, 'membership.db'), { readOnly: true })
  const total = Number(db.prepare('SELECT count(*) AS total FROM membership_set_aside').get()?.total)
  db.close()
  return total
}

test('a batch that cannot be merged becomes a dead letter, and keeps no other waiting', async () => {
  for (const id of ['a', 'b', 'c']) await upload('damaged', id)
  await upload('sound', 'a')
  damage('membership-log.db', "UPDATE membership_log SET data = x'00112233' WHERE seq = 2")
  const errors = await mergeAll()
  assert.deepEqual(errors, [
    'batch 2 of audience damaged became a dead letter: a stored batch has the unknown version 0',
  ])
  assert.deepEqual(await state('damaged'), { processing: false, size: 2 })
  assert.deepEqual(await state('sound'), { processing: false, size: 1 })
  assert.equal(addDeadLetter(), 1)
  // Nothing of it comes again.
  await members.close()
  members = open()
  await upload('damaged', 'd')
  assert.deepEqual(await mergeAll(), [])
  await members.forget('damaged', NOW)
  await mergeAll()
  while ((await members.maintain(NOW)).more);
  assert.equal(addDeadLetter(), 0)
})

test('an audience with damaged members keeps no other waiting', async () => {
  await upload('damaged', 'a')
  await upload('sound', 'a')
  await mergeAll()
  damage(
    'membership.db',
    "CREATE TRIGGER damage BEFORE INSERT ON membership_keys WHEN NEW.audience = 'damaged' BEGIN SELECT RAISE(ABORT, 'no'); END",
  )
  await upload('damaged', 'b')
  await upload('sound', 'b')
  assert.deepEqual(await mergeAll(), ['batch 3 of audience damaged became a dead letter: no'])
  assert.deepEqual(await state('sound'), { processing: false, size: 2 })
})

test('uploads are merged after an older log was put in place of the one that was there', async () => {
  await upload('one', 'a')
  await mergeAll()
  await members.close()
  const [log, copy] = [join(folder, 'membership-log.db'), join(folder, 'copy')]
  copyFileSync(log, copy)
  members = open()
  for (const id of ['b', 'c', 'd']) await upload('one', id)
  await mergeAll()
  await members.close()
  copyFileSync(copy, log)
  members = open()
  await upload('one', 'e')
  await mergeAll()
  assert.deepEqual(await state('one'), { processing: false, size: 5 })
  await members.close()
  for (const end of ['', '-wal', '-shm']) rmSync(`${log}${end}`, { force: true })
  members = open()
  await upload('one', 'f')
  await mergeAll()
  assert.deepEqual(await state('one'), { processing: false, size: 6 })
})
