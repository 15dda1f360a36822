import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashUploads } from '../../bench/audience-crash.ts'

test('each upload that was acknowledged is there whole after the process is killed, and each other one whole or not at all', async () => {
  const { rounds, acknowledged, losses } = await crashUploads({ rounds: 3, seed: 'three rounds' })
  assert.deepEqual(losses, [])
  assert.equal(rounds, 3)
  assert.ok(acknowledged > 0)
})
