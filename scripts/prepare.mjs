// Runs at the end of `npm ci` and `npm install` in a clone, on any Node from 20 on. Plaza's sources
// need Node 24; an older one gets it from the npm registry, as the program alone:
// `node_modules/.bin/node`, which npm puts first in the PATH of its scripts. Then it builds the
// bundle that `npm start` runs, and starts it once, so that its compiled code is remembered.
// Without a bundle the sources run.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PINNED = '24.21.0'
/** Longer than any start takes. */
const START_MS = 60_000
const modules = fileURLToPath(new URL('../node_modules/', import.meta.url))
const isWindows = process.platform === 'win32'
const program = join(modules, '.bin', isWindows ? 'node.exe' : 'node')

if (Number(process.versions.node.split('.')[0]) < 24 && !isThere()) bring()
if (await isBundled()) await startOnce()

function isThere() {
  if (!existsSync(program)) return false
  return run(program, ['--version']).stdout.trim() === `v${PINNED}`
}

function bring() {
  mkdirSync(dirname(program), { recursive: true })
  const folder = mkdtempSync(join(modules, '.node-'))
  try {
    // npm checks what it fetches against the registry's hash.
    const [{ filename }] = JSON.parse(npm(['pack', packageName(), '--json', '--pack-destination', folder]))
    const inside = `package/bin/${isWindows ? 'node.exe' : 'node'}`
    must(run('tar', ['-xzf', filename, inside], { cwd: folder }))
    rmSync(program, { force: true })
    copyFileSync(join(folder, inside), program)
    chmodSync(program, 0o755)
  } catch (error) {
    console.error(
      `Node ${PINNED} could not be fetched (${error.message}). Use Node 24 or later, or try again.`,
    )
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function isBundled() {
  try {
    const { bundle } = await import('./bundle.mjs')
    await bundle()
    return true
  } catch (error) {
    console.error(
      `No bundle was built (${error.message}): Plaza runs from its sources, and starts more slowly.`,
    )
    return false
  }
}

/**
 * A start that keeps nothing and ends when it is ready. What fails in it shows in a start that
 * someone wants.
 */
async function startOnce() {
  const ports = ['core', 'ads', 'ads-sandbox', 'console'].map((name) => `--${name}-port=0`)
  const node =
    Number(process.versions.node.split('.')[0]) < 24 && existsSync(program) ? program : process.execPath
  const plaza = fileURLToPath(new URL('../bin/plaza.mjs', import.meta.url))
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PLAZA_')))
  const child = spawn(node, [plaza, 'start', '--memory', '--log-level=silent', ...ports], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: START_MS,
  })
  child.on('error', () => undefined)
  child.stdout.once('data', () => child.kill('SIGTERM')).resume()
  await new Promise((resolve) => child.once('close', resolve))
}

/** The package with the program of this platform. */
function packageName() {
  const platform = isWindows ? 'win' : process.platform
  const prefix = platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  return `${prefix}-${platform}-${process.arch}@${PINNED}`
}

/** The npm that runs this script. */
function npm(args) {
  const script = process.env.npm_execpath
  return must(
    script === undefined ? run('npm', args, { shell: isWindows }) : run(process.execPath, [script, ...args]),
  )
}

function run(command, args, options = {}) {
  return spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...options })
}

function must({ status, stdout, stderr, error }) {
  if (error) throw error
  if (status !== 0) throw new Error(stderr.trim() || `exit code ${status}`)
  return stdout
}
