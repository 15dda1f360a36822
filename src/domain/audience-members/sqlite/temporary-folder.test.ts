import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ManualClock } from '../../../platform/common/clock.ts'
import { neutralVocabulary } from '../../../platform/http/vocabulary.ts'
import { openMembership } from '../open.ts'
import { makeTemporaryFolder, removeAbandoned } from './temporary-folder.ts'

const place = mkdtempSync(join(tmpdir(), 'plaza-temporary-'))
after(() => rmSync(place, { recursive: true, force: true }))

test('files of a killed process are removed, and those of a running one are not', () => {
  const used = makeTemporaryFolder(place)
  // The lock of a process ends with it.
  const left = makeTemporaryFolder(place)
  left.unlock()
  for (const { path } of [used, left]) writeFileSync(join(path, 'membership.db'), 'hashes')
  removeAbandoned(place)
  assert.equal(existsSync(left.path), false)
  assert.equal(existsSync(join(used.path, 'membership.db')), true)
  used.remove()
  assert.equal(existsSync(used.path), false)
})

test('a membership that keeps nothing begins with it, and leaves nothing behind', async () => {
  const left = makeTemporaryFolder(place)
  left.unlock()
  const { TMPDIR } = process.env
  process.env.TMPDIR = place
  try {
    const membership = openMembership({
      place: { kind: 'temporary' },
      clock: new ManualClock(0),
      vocabulary: neutralVocabulary,
      delaySeconds: 0,
      maxWaitingBytes: 1e6,
      onError: assert.fail,
    })
    assert.deepEqual(readdirSync(place), [])
    const users = [{ partner_user_id: ['p'] }]
    const body = Buffer.from(JSON.stringify([{ operation_type: 'Update', params: { users } }]))
    await membership.accept({ account: 'a', audience: 'a', target: 'audience', body })
    assert.equal(readdirSync(place).length, 1)
    await membership.close()
    assert.deepEqual(readdirSync(place), [])
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
})

test('nothing else is touched', () => {
  const elsewhere = join(place, 'elsewhere')
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, 'lock.db'), '')
  symlinkSync(elsewhere, join(place, 'plaza-audiences-link'))
  mkdirSync(join(place, 'plaza-audiences-new'))
  writeFileSync(join(place, 'plaza-audiences-file'), '')
  removeAbandoned(place)
  assert.equal(existsSync(join(elsewhere, 'lock.db')), true)
  // A process may be about to lock it.
  assert.equal(existsSync(join(place, 'plaza-audiences-new')), true)
  removeAbandoned(join(place, 'none'))
})
