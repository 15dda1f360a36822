import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../platform/common/clock.ts'
import { seededRandom } from '../../platform/common/random.ts'
import { hashPassword, MADE_PASSWORD_ROUNDS, NO_PASSWORD, passwordMatches } from './password.ts'
import { prepareUser } from './users.ts'

/** As all versions have stored it. */
const STORED = 'scrypt$bG07-lfK-elo5aY7KUll2Q$M84GTXmUBGcU6Svt_hgaYuXTEOBryzOhPoNg0eez7EI'

test('a password is stored as scrypt of 2^16 rounds, and only it matches', async () => {
  assert.equal(await hashPassword('correct horse', seededRandom('x')), STORED)
  assert.equal(await passwordMatches('correct horse', STORED), true)
  assert.equal(await passwordMatches('correct hors', STORED), false)
})

test('another number of rounds is stored with the hash', async () => {
  const stored = await hashPassword('correct horse', seededRandom('x'), 256)
  assert.match(stored, /^scrypt\$bG07-lfK-elo5aY7KUll2Q\$[\w-]{43}\$256$/)
  assert.equal(await passwordMatches('correct horse', stored), true)
  assert.equal(await passwordMatches('correct hors', stored), false)
  assert.equal(await passwordMatches('correct horse', stored.replace('$256', '')), false)
})

test('nothing matches an unknown user, nor a user without a password', async () => {
  assert.equal(await passwordMatches('', undefined), false)
  assert.equal(await passwordMatches('', NO_PASSWORD), false)
})

test('a password that Plaza made is hashed with fewer rounds, one that a person chose is not', async () => {
  const parts = { clock: new ManualClock(0), ids: { next: () => '1' }, random: seededRandom('x') } as never
  const user = { screenName: 'ada', name: 'Ada', password: 'Kq3vT9xW2mZ7bN5c' }
  const made = (await prepareUser({ ...user, isMade: true }, parts)).password_hash
  assert.ok(made.endsWith(`$${MADE_PASSWORD_ROUNDS}`))
  assert.equal(await passwordMatches(user.password, made), true)
  assert.equal(await passwordMatches('another', made), false)
  const chosen = (await prepareUser(user, parts)).password_hash
  assert.match(chosen, /^scrypt\$[\w-]+\$[\w-]+$/)
})
