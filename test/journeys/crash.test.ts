import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crash } from '../../bench/crash.ts'

test('acknowledged changes survive when the process is killed', async () => {
  const { rounds, acknowledged, losses } = await crash({ rounds: 3, seed: 'three rounds' })
  assert.deepEqual(losses, [])
  assert.equal(rounds, 3)
  assert.ok(acknowledged > 0)
})
