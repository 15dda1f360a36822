import { stages } from '../support/stages.ts'
import { conformance } from './suite.ts'
import { openWorld } from './world.ts'

for (const stage of stages.filter(({ shared }) => shared)) {
  // Values are read before anything is stored: another storage reads them no other way.
  conformance(stage.name, stage.skip, () => openWorld(stage), 'few')
}
