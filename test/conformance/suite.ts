import { basename } from 'node:path'
import { after, before, describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import { conformanceName } from '../../scripts/endpoints-page.ts'
import { endpoints } from '../../src/app/endpoints.ts'
import { type Stage, stages } from '../support/stages.ts'
import { authenticationTests } from './authentication.ts'
import type { Extent } from './extent.ts'
import { parameterTests } from './parameters.ts'
import { areas } from './recipes/recipes.ts'
import { aliasTests, routeTests } from './routes.ts'
import { tenancyTests } from './tenancy.ts'
import { openWorld, type World } from './world.ts'

const EXAMPLE_VOCABULARY = fileURLToPath(new URL('../../docs/vocabulary.example.json', import.meta.url))

/** The area after which a test file is named. */
function areaOf(file: string): keyof typeof areas {
  const name = basename(file, '.test.ts')
  if (!(name in areas))
    throw new Error(`${file} is named after no area of test/conformance/recipes/recipes.ts`)
  return name as keyof typeof areas
}

/**
 * The tests of an area that depend on the endpoint and reach its access checks or its storage, in
 * memory and with services. All tests run with the example vocabulary.
 */
export function storedConformance(file: string, on: readonly Stage[]): void {
  for (const stage of on.filter(({ name, shared }) => shared || name === 'SQLite in memory')) {
    conformance(file, stage, () => openWorld(stage), 'stored')
  }
}

/** All tests of an area, with the example vocabulary. */
export function vocabularyConformance(file: string): void {
  const [memory] = stages
  const stage = { name: 'the example vocabulary', skip: false } as const
  if (memory) conformance(file, stage, () => openWorld(memory, { vocabulary: EXAMPLE_VOCABULARY }), 'all')
}

/** The tests derived from the endpoints of an area, in one world. */
function conformance(
  file: string,
  { name, skip }: { name: string; skip: string | false },
  open: () => Promise<World>,
  extent: Extent,
): void {
  const ids = new Set(areas[areaOf(file)].flatMap((group) => Object.keys(group)))
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
    for (const endpoint of endpoints.filter(({ id }) => ids.has(id))) {
      describe(conformanceName(endpoint), () => {
        authenticationTests(endpoint, world, extent)
        parameterTests(endpoint, world, extent)
        if (extent !== 'stored') routeTests(endpoint, world)
        aliasTests(endpoint, world)
        tenancyTests(endpoint, world)
      })
    }
  })
}
