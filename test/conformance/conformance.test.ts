import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../../src/app/endpoints.ts'
import { stages } from '../support/stages.ts'
import { recipes } from './recipes/recipes.ts'
import { conformance } from './suite.ts'
import { openWorld } from './world.ts'

test('every endpoint has a recipe, and every recipe an endpoint', () => {
  assert.deepEqual(Object.keys(recipes).sort(), endpoints.map(({ id }) => id).sort())
})

for (const stage of stages.filter(({ name }) => name === 'SQLite in memory')) {
  // All tests run with the example vocabulary.
  conformance(stage.name, stage.skip, () => openWorld(stage), 'stored')
}
