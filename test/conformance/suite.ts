import { after, before, describe } from 'node:test'
import { conformanceName } from '../../scripts/endpoints-page.ts'
import { endpoints } from '../../src/app/endpoints.ts'
import { authenticationTests } from './authentication.ts'
import type { Extent } from './extent.ts'
import { parameterTests } from './parameters.ts'
import { aliasTests, routeTests } from './routes.ts'
import { tenancyTests } from './tenancy.ts'
import type { World } from './world.ts'

/**
 * All tests derived from the endpoints, in one world. Each world has a separate file, so that two can run at the same
 * time.
 */
export function conformance(
  name: string,
  skip: string | false,
  open: () => Promise<World>,
  extent: Extent = 'all',
): void {
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
        authenticationTests(endpoint, world, extent)
        parameterTests(endpoint, world, extent)
        if (extent !== 'stored') routeTests(endpoint, world)
        aliasTests(endpoint, world)
        tenancyTests(endpoint, world)
      })
    }
  })
}
