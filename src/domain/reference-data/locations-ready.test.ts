import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locationById, locations, locationsReady } from './locations.ts'

test('places are made in steps, between which others get their turn', async () => {
  let turns = 0
  let done = false
  const count = () => {
    turns++
    if (!done) setImmediate(count)
  }
  setImmediate(count)
  await locationsReady()
  done = true
  assert.ok(turns > 50, `${turns} turns`)
  const all = locations()
  assert.equal(locations(), all)
  assert.equal(locationById('96683cc9126741d1')?.name, 'United States')
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
})
