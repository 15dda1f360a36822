import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `npm run build`: the package's `dist` folder. The compiler writes JavaScript and declarations; this script adds what
 * the compiler does not know of: the data tables beside the modules, the file names of worker threads, and that only
 * the declarations behind the package's entry are of use to others.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
/** The modules of the package's `exports`. */
const ENTRIES = ['index.d.ts']

rmSync(dist, { recursive: true, force: true })
compile()
copyTables()
copyDetector()
for (const file of globSync('**/*.js', { cwd: dist })) renameModuleUrls(join(dist, file))
dropUnusedDeclarations()

function compile(): void {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

function copyTables(): void {
  const source = join(root, 'src')
  for (const file of globSync('**/*.tsv', { cwd: source })) copyFileSync(join(source, file), join(dist, file))
}

/** Of 12 MB that the detector of languages installs, the package needs this one module. */
function copyDetector(): void {
  const installed = join(root, 'node_modules', 'tinyld')
  copyFileSync(join(installed, 'dist', 'tinyld.normal.node.mjs'), join(dist, 'language-detector.mjs'))
  copyFileSync(join(installed, 'license'), join(dist, 'language-detector.license'))
}

/** The compiler renames the modules of imports; those of `new URL('./name.ts', import.meta.url)` are renamed here. */
function renameModuleUrls(file: string): void {
  const text = readFileSync(file, 'utf8')
  const renamed = text.replaceAll(
    /new URL\((['"])(\.{1,2}\/[\w./-]+)\.ts\1, import\.meta\.url\)/g,
    (_, quote: string, name: string) => {
      if (!existsSync(resolve(dirname(file), `${name}.js`)))
        fail(`${file} names ${name}.ts, which is not built`)
      return `new URL(${quote}${name}.js${quote}, import.meta.url)`
    },
  )
  const left = /(['"])\.{1,2}\/[\w./-]+\.ts\1/.exec(renamed)
  if (left) fail(`${file} names the source file ${left[0]}`)
  if (renamed !== text) writeFileSync(file, renamed)
}

/** Keeps the declarations that the entries refer to, directly or through one another. */
function dropUnusedDeclarations(): void {
  const used = new Set<string>()
  const visit = (file: string): void => {
    if (used.has(file)) return
    used.add(file)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from|import\() ?['"](\.[^'"]+)\.[jt]s['"]/g,
    ))
      visit(resolve(dirname(file), `${name}.d.ts`))
  }
  for (const entry of ENTRIES) visit(join(dist, entry))
  for (const file of globSync('**/*.d.ts', { cwd: dist }))
    if (!used.has(join(dist, file))) rmSync(join(dist, file))
}

function fail(message: string): never {
  console.error(`build: ${message}`)
  process.exit(1)
}
