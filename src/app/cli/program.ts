import { basename } from 'node:path'
import { isStartedByNpm } from '../../platform/config/config.ts'
import { quote } from './shell.ts'

/**
 * How to run this program from a shell, as it was run itself: `npx plaza` only below a folder where
 * npx finds it. Elsewhere, npx would offer to download another package of that name.
 */
export function programWords(script = process.argv[1] ?? '', byNpm = isStartedByNpm()): string {
  if (byNpm || script.includes('/node_modules/.bin/')) return 'npx plaza'
  return basename(script) === 'plaza' ? 'plaza' : `node ${quote(script)}`
}
