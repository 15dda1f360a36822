import { VERSION } from '../../platform/common/version.ts'
import type { Call } from './command.ts'

/** `plaza version`. */
export async function run({ flags }: Call): Promise<number> {
  if (flags.on('json')) console.log(JSON.stringify({ plaza: VERSION, node: process.versions.node }))
  else console.log(`Plaza ${VERSION}, Node ${process.versions.node}`)
  return 0
}
