import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { endpoints } from '../../src/endpoints.ts'
import { conformanceName } from '../../src/kit/reference.ts'
import { stages } from '../support/stages.ts'
import { authenticationTests } from './authentication.ts'
import { parameterTests } from './parameters.ts'
import { recipes } from './recipes/recipes.ts'
import { routeTests } from './routes.ts'
import { tenancyTests } from './tenancy.ts'
import type { World } from './world.ts'
import { openWorld } from './world.ts'

const EXAMPLE_VOCABULARY = fileURLToPath(new URL('../../docs/vocabulary.example.json', import.meta.url))

test('every endpoint has a recipe, and every recipe an endpoint', () => {
  assert.deepEqual(Object.keys(recipes).sort(), endpoints.map(({ id }) => id).sort())
})

for (const stage of stages.filter(({ name }) => name !== 'SQLite file')) {
  conformance(stage.name, stage.skip, () => openWorld(stage))
}
const [memory] = stages
if (memory) {
  conformance('the example vocabulary', false, () => openWorld(memory, { vocabulary: EXAMPLE_VOCABULARY }))
}

function conformance(name: string, skip: string | false, open: () => Promise<World>): void {
  describe(name, { skip }, () => {
    let opened: World | undefined
    const world = () => {
      if (!opened) throw new Error('the world is not open')
      return opened
    }
    before(async () => {
      opened = await open()
    })
    after(() => opened?.close())
    for (const endpoint of endpoints) {
      describe(conformanceName(endpoint), () => {
        authenticationTests(endpoint, world)
        parameterTests(endpoint, world)
        routeTests(endpoint, world)
        tenancyTests(endpoint, world)
      })
    }
  })
}
