import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { currentBuild, EXTERNAL } from './bundle.mjs'

/**
 * `prepack` and `postpack`: the package.json of the package. A clone also works with an older Node,
 * for which `npm ci` installs another; the package runs on the Node of its user. Omits what only a
 * clone needs.
 */
const ENGINE = '>=22.13'
const CLONE_ONLY = [
  'scripts',
  'devDependencies',
  'overrides',
  'private',
  'allowScripts',
  'scarfSettings',
] as const

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = join(root, 'package.json')
const kept = join(root, '.package.json.kept')

if (process.argv[2] === 'pack') {
  const text = readFileSync(manifest, 'utf8')
  const packed = { ...JSON.parse(text), engines: { node: ENGINE } } as Record<string, unknown>
  for (const member of CLONE_ONLY) delete packed[member]
  // The others are bundled.
  packed.dependencies = Object.fromEntries(
    Object.entries(packed.dependencies as Record<string, string>).filter(([name]) => EXTERNAL.includes(name)),
  )
  // Of the builds, only the newest.
  packed.files = (packed.files as string[]).flatMap((file) =>
    file === 'dist'
      ? ['dist/main.js', 'dist/index.js', 'dist/client.js', 'dist/types', `dist/${currentBuild()}`]
      : [file],
  )
  writeFileSync(kept, text)
  replace(`${JSON.stringify(packed, undefined, 2)}\n`)
} else {
  replace(readFileSync(kept, 'utf8'))
  rmSync(kept)
}

/** Atomically, because others may be reading it. */
function replace(text: string): void {
  writeFileSync(`${manifest}.new`, text)
  renameSync(`${manifest}.new`, manifest)
}
