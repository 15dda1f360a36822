import { stages } from '../support/stages.ts'
import { conformance } from './suite.ts'
import { openWorld } from './world.ts'

for (const stage of stages.filter(({ shared }) => shared)) {
  // Other files that run at the same time need connections of the database server too.
  conformance(stage.name, stage.skip, () => openWorld(stage, { databaseConnections: 8 }), 'stored')
}
