import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../platform/common/random.ts'
import { hashPassword, NO_PASSWORD, passwordMatches } from './password.ts'

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
