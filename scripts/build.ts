import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.mjs'

/**
 * `npm run build`: the package's `dist` folder. The bundler writes the program
 * (`scripts/bundle.mjs`), and the compiler the declarations. Only the declarations behind the
 * package's entry are kept, in `dist/types`.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
/** The modules of the package's `exports`. */
const ENTRIES = ['app/index.d.ts', 'client/index.d.ts']

await bundle()
const folder = mkdtempSync(join(dist, 'unfinished-'))
try {
  const types = join(folder, 'types')
  declare(types)
  dropUnusedDeclarations(types)
  rmSync(join(dist, 'types'), { recursive: true, force: true })
  renameSync(types, join(dist, 'types'))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function declare(types: string): void {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', types], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`the compiler ended with ${status}`)
}

/** Keeps the declarations that the entries refer to, directly or through one another. */
function dropUnusedDeclarations(types: string): void {
  const used = new Set<string>()
  const visit = (file: string): void => {
    if (used.has(file)) return
    used.add(file)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from|import\() ?['"](\.[^'"]+)\.[jt]s['"]/g,
    ))
      visit(resolve(dirname(file), `${name}.d.ts`))
  }
  for (const entry of ENTRIES) visit(join(types, entry))
  for (const file of globSync('**/*.d.ts', { cwd: types }))
    if (!used.has(join(types, file))) rmSync(join(types, file))
}
