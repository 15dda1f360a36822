import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { collectInOneThread } from '../src/platform/common/young-generation.ts'

// The garbage collector of the load generator: a pause of it counts as latency of the server, and
// its threads take the processor from the server.

setFlagsFromString('--expose-gc')
collectInOneThread()
const collect = runInNewContext('gc') as () => void

/** Collects what was made before a measurement, so that it is not collected within. */
export const collectGarbage = (): void => collect()
