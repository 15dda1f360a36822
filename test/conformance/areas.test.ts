import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { endpoints } from '../../src/app/endpoints.ts'
import { areas } from './recipes/recipes.ts'

test('every endpoint has one recipe, in one area, and every recipe an endpoint', () => {
  const ids = Object.values(areas).flatMap((groups) => groups.flatMap((group) => Object.keys(group)))
  assert.deepEqual(ids.sort(), endpoints.map(({ id }) => id).sort())
})

test('every area has a test file of its name for its endpoints with their storage, and one for those with a vocabulary', () => {
  const files = Object.keys(areas).map((name) => `${name}.test.ts`)
  for (const folder of ['stored', 'vocabulary'])
    assert.deepEqual(readdirSync(new URL(folder, import.meta.url)).sort(), files.sort(), folder)
})
