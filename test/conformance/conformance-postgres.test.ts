import { stages } from '../support/stages.ts'
import { conformance } from './suite.ts'
import { openWorld } from './world.ts'

for (const stage of stages.filter(({ shared }) => shared)) {
  conformance(stage.name, stage.skip, () => openWorld(stage), 'stored')
}
