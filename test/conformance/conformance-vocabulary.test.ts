import { fileURLToPath } from 'node:url'
import { stages } from '../support/stages.ts'
import { conformance } from './suite.ts'
import { openWorld } from './world.ts'

const EXAMPLE_VOCABULARY = fileURLToPath(new URL('../../docs/vocabulary.example.json', import.meta.url))
const [memory] = stages
if (memory) {
  conformance('the example vocabulary', false, () => openWorld(memory, { vocabulary: EXAMPLE_VOCABULARY }))
}
