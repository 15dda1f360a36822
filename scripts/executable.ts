import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

/**
 * `npm run executable -- FILE`: one file that runs Plaza without Node, by Node's single executable
 * applications. It holds this Node, and the package with its dependencies.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const target = resolve(process.argv[2] ?? join(root, 'dist', 'plaza'))
const INJECTOR = 'postject@1.0.0-alpha.6'
/** Where the program of Node says that it has something injected. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
/** What the program does not need: declarations, maps, documents, tests of libraries. */
const LEFT_OUT = /\.(d\.[cm]?ts|[cm]?ts|map|md|markdown)$|\/(docs|examples|test|tests|benchmarks)\//i
const ENTRY = "import('./package/bin/plaza.mjs')\n"

const folder = mkdtempSync(join(tmpdir(), 'plaza-executable-'))
try {
  run('npm', ['pack', '--pack-destination', folder], root)
  const [packed = ''] = globSync('*.tgz', { cwd: folder })
  run(
    'npm',
    ['install', '--prefix', folder, '--no-audit', '--no-fund', `plaza@file:${join(folder, packed)}`],
    folder,
  )
  writeFileSync(join(folder, 'package.bin'), archive(join(folder, 'node_modules')))
  const configuration = {
    main: join(root, 'scripts', 'executable-entry.cjs'),
    output: join(folder, 'blob'),
    disableExperimentalSEAWarning: true,
    assets: { package: join(folder, 'package.bin') },
  }
  writeFileSync(join(folder, 'sea.json'), JSON.stringify(configuration))
  run(process.execPath, ['--experimental-sea-config', 'sea.json'], folder)
  mkdirSync(dirname(target), { recursive: true })
  rmSync(target, { force: true })
  copyFileSync(realpathSync(process.execPath), target)
  chmodSync(target, 0o755)
  const inject = ['postject', target, 'NODE_SEA_BLOB', join(folder, 'blob'), '--sentinel-fuse', FUSE]
  run('npm', ['exec', '--yes', `--package=${INJECTOR}`, '--', ...inject], folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Paths and lengths as JSON, behind its own length, and then the files one after the other. */
function archive(modules: string): Buffer {
  const names = globSync('**/*', { cwd: modules })
    .filter((name) => !name.startsWith('.') && !LEFT_OUT.test(`/${name}`))
    .filter((name) => statSync(join(modules, name)).isFile())
    .sort()
  const files: [path: string, bytes: Buffer][] = names.map((name) => [
    placeOf(name),
    readFileSync(join(modules, name)),
  ])
  files.push(['entry.cjs', Buffer.from(ENTRY)])
  const head = Buffer.from(JSON.stringify(files.map(([path, { length }]) => [path, length])))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(head.length)
  const whole = Buffer.concat([length, head, ...files.map(([, bytes]) => bytes)])
  return brotliCompressSync(whole, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 },
  })
}

/** The package beside the libraries that it finds. */
function placeOf(name: string): string {
  return name.startsWith('plaza/') ? `package/${name.slice('plaza/'.length)}` : `node_modules/${name}`
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`)
}
