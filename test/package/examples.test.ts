import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { isCurrent } from '../../bin/stamp.mjs'
import { bundle, EXTERNAL } from '../../scripts/bundle.mjs'

// The examples of tests, each run by its own runner with the package of this repository.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NO_REGISTRY = /\b(EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ENOTCACHED)\b/
/** The runners that come from the npm registry. */
const RUNNERS = { vitest: 'vitest@5.1.2', jest: 'jest@30.5.2' }

const folder = mkdtempSync(join(tmpdir(), 'plaza-examples-'))

interface Ended {
  code: number | null
  text: string
}

function run(
  cwd: string,
  [program = '', ...args]: string[],
  more: Record<string, string> = {},
): Promise<Ended> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PLAZA|NODE(?!_EXTRA)|npm)_/.test(name))
  const child = spawn(program, args, {
    cwd,
    env: {
      ...Object.fromEntries(inherited),
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      npm_config_prefer_offline: 'true',
      npm_config_update_notifier: 'false',
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ code, text }))
  })
}

/** A copy of an example, with the package installed beside it. */
function project(name: string): string {
  const path = join(folder, name)
  cpSync(join(ROOT, 'examples', name), path, { recursive: true })
  if (!existsSync(join(path, 'package.json')))
    writeFileSync(join(path, 'package.json'), '{"private":true,"type":"module"}\n')
  return path
}

/** Puts the package into a project as npm would. */
function installPlaza(path: string): string {
  const installed = join(path, 'node_modules', 'plaza')
  mkdirSync(join(path, 'node_modules', '.bin'), { recursive: true })
  mkdirSync(installed)
  for (const name of ['bin', 'dist', 'package.json', 'action.yml'])
    cpSync(join(ROOT, name), join(installed, name), { recursive: true })
  for (const name of EXTERNAL) {
    const target = join(path, 'node_modules', name)
    mkdirSync(dirname(target), { recursive: true })
    if (!existsSync(target)) symlinkSync(join(ROOT, 'node_modules', name), target)
  }
  symlinkSync('../plaza/bin/plaza.mjs', join(path, 'node_modules', '.bin', 'plaza'))
  return installed
}

describe('the examples of tests', () => {
  before(async () => {
    if (!isCurrent(ROOT)) await bundle()
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  test('node --test', async () => {
    const path = project('node-test')
    installPlaza(path)
    const { code, text } = await run(path, [process.execPath, '--test', '--test-reporter=tap'])
    assert.equal(code, 0, text)
    assert.match(text, /^# pass 4$/m)
  })

  test('an empty folder becomes a green test, with a frozen clock and a fault', async (t) => {
    const began = performance.now()
    const path = join(folder, 'empty')
    mkdirSync(path)
    writeFileSync(join(path, 'package.json'), '{"private":true,"type":"module"}\n')
    installPlaza(path)
    const name = 'faults.test.mjs'
    cpSync(join(ROOT, 'examples', 'node-test', name), join(path, name))
    const { code, text } = await run(path, [process.execPath, '--test', '--test-reporter=tap'])
    assert.equal(code, 0, text)
    assert.match(text, /^ok 1 - a client that is limited once sends its post again$/m)
    t.diagnostic(`${Math.round(performance.now() - began)} ms of machine time`)
  })

  for (const [name, version] of Object.entries(RUNNERS))
    test(name, async (t) => {
      const path = project(name)
      const installed = await run(path, ['npm', 'install', '--no-audit', '--no-fund', '--no-save', version])
      if (installed.code !== 0 && NO_REGISTRY.test(installed.text))
        return t.skip('the npm registry does not answer')
      assert.equal(installed.code, 0, installed.text)
      installPlaza(path)
      const line = name === 'jest' ? ['npm', 'test'] : ['npx', 'vitest', 'run']
      const { code, text } = await run(path, line, { CI: 'true', NO_COLOR: '1' })
      assert.equal(code, 0, text)
      assert.match(text, /Tests:? +2 passed/)
    })

  test('pytest', async (t) => {
    const found = await run(folder, ['python3', '-m', 'pytest', '--version']).catch(() => ({ code: 1 }))
    if (found.code !== 0) return t.skip('pytest is not installed: python3 -m pip install pytest')
    const path = project('pytest')
    installPlaza(path)
    const line = ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider']
    const { code, text } = await run(path, line, {
      PLAZA_PROGRAM: `${process.execPath} node_modules/.bin/plaza`,
    })
    assert.equal(code, 0, text)
    assert.match(text, /2 passed/)
  })

  interface Step {
    id?: string
    run?: string
    uses?: string
    env?: Record<string, string>
  }

  test('the workflow for GitHub Actions starts Plaza by the action, and calls it', async (t) => {
    const path = project('github-actions')
    const installed = installPlaza(path)
    const workflow = parse(readFileSync(join(path, 'test.yml'), 'utf8')) as {
      jobs: { test: { steps: Step[] } }
    }
    const action = parse(readFileSync(join(installed, 'action.yml'), 'utf8')) as {
      inputs: Record<string, { default: string }>
      outputs: Record<string, { value: string }>
      runs: { using: string; steps: Step[] }
    }
    const steps = workflow.jobs.test.steps.filter(
      ({ run, uses }) => uses?.startsWith('./') || (run && run !== 'npm ci'),
    )
    assert.equal(steps.length, 2)
    assert.equal(join(path, String(steps[0]?.uses)), installed)
    assert.equal(action.runs.using, 'composite')
    const files = { GITHUB_ENV: join(path, 'env'), GITHUB_OUTPUT: join(path, 'output') }
    for (const file of Object.values(files)) writeFileSync(file, '')
    const runner = { ...files, GITHUB_ACTION_PATH: installed, RUNNER_TEMP: path }
    const filled = (text: string) =>
      text.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, input: string) => action.inputs[input]?.default ?? '?')
    for (const { run: script = '', env = {} } of action.runs.steps) {
      const given = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]))
      const { code, text } = await run(path, ['bash', '-c', script], { ...runner, ...given })
      assert.equal(code, 0, text)
    }
    const linesOf = (file: string) =>
      Object.fromEntries(
        readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => line.split(/=(.*)/s).slice(0, 2)),
      ) as Record<string, string>
    const set = linesOf(files.GITHUB_ENV)
    const ready = String(linesOf(files.GITHUB_OUTPUT)['ready-file'])
    t.after(() => run(path, [process.execPath, 'node_modules/.bin/plaza', 'stop', '--ready-file', ready]))
    for (const { value } of Object.values(action.outputs))
      assert.equal(value, `\${{ steps.${action.runs.steps[0]?.id}.outputs.ready-file }}`)
    assert.equal(set.PLAZA_READY_FILE, ready)
    const { code, text } = await run(path, ['bash', '-c', String(steps[1]?.run)], set)
    assert.equal(code, 0, text)
    assert.match(text, /"token_type":"bearer"/)
  })

  test('every folder of examples is run here', () => {
    const folders = readdirSync(join(ROOT, 'examples'), { withFileTypes: true }).filter((one) =>
      one.isDirectory(),
    )
    assert.deepEqual(folders.map(({ name }) => name).sort(), [
      'github-actions',
      'jest',
      'node-test',
      'pytest',
      'vitest',
    ])
  })
})
