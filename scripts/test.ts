import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SEEN_FOLDER } from './seen.ts'
import type { SetName } from './test-sets.ts'
import { allFiles, testSet } from './test-sets.ts'

/**
 * `npm test`: the tests of `quick`, which need no service. `npm run test:all`: every test; with `-- --rest` those that
 * `npm test` leaves out. Arguments name files, or parts of paths: `npm test -- webhooks conformance`. Other flags go to
 * the runner: `npm test -- --test-name-pattern=replay`. At most three files run at a time. Ends with the runner's counts;
 * exits non-zero when a test failed. A run of all tests, in one or two parts, records for `npm run seen` which of them
 * used which endpoints.
 */
/** Some files wait for the disk or for other programs: a third one uses the processor meanwhile. */
const CONCURRENCY = 3
/** Only what hangs takes so long: the largest files take many minutes of a slow machine. */
const FILE_TIMEOUT_MS = 3_600_000

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const flags = args.filter((arg) => arg.startsWith('-') && arg !== '--all' && arg !== '--rest')
const wanted = args
  .filter((arg) => !arg.startsWith('-'))
  .map((arg) => relative(root, arg).replace(/^(\.\.\/)+/, ''))
const name: SetName = args.includes('--rest') ? 'rest' : args.includes('--all') ? 'all' : 'quick'
const set = wanted.length > 0 ? { files: named(), env: {} } : testSet(name)
/** A part of a set records nothing. */
const isWhole = wanted.length === 0 && flags.length === 0

if (set.files.length === 0) {
  console.error(`no test file matches ${wanted.join(', ')}`)
  process.exit(1)
}
if (isWhole) {
  if (name !== 'rest') rmSync(SEEN_FOLDER, { recursive: true, force: true })
  mkdirSync(SEEN_FOLDER, { recursive: true })
}

function named(): string[] {
  return allFiles().filter((file) => wanted.some((part) => file.includes(part)))
}

const runner = spawn(
  process.execPath,
  [
    '--test',
    '--disable-warning=ExperimentalWarning',
    `--test-concurrency=${CONCURRENCY}`,
    `--test-timeout=${FILE_TIMEOUT_MS}`,
    '--test-reporter=./scripts/reporter.ts',
    '--test-reporter-destination=stdout',
    ...flags,
    ...set.files,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      // Modules are compiled once for all test processes.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
      ...process.env,
      ...set.env,
      ...(isWhole && { PLAZA_TEST_SEEN: SEEN_FOLDER, PLAZA_TEST_SET: name }),
    },
  },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal))
runner.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
