import { spawn } from 'node:child_process'
import { globSync, mkdirSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SEEN_FOLDER } from './seen.ts'

/**
 * `npm test`: every `*.test.ts` of src, test and scripts, at most two files at a time. Arguments name files, or parts of
 * paths: `npm test -- webhooks conformance`. What starts with a dash goes to the runner:
 * `npm test -- --test-name-pattern=replay`. Ends with the runner's counts; exits non-zero when a test failed.
 * A run of everything records which tests used which endpoints, for `npm run seen`.
 */
const CONCURRENCY = 2
/** Only what hangs takes so long: the largest files take many minutes of a slow machine. */
const FILE_TIMEOUT_MS = 3_600_000

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const flags = args.filter((arg) => arg.startsWith('-'))
const wanted = args
  .filter((arg) => !arg.startsWith('-'))
  .map((arg) => relative(root, arg).replace(/^(\.\.\/)+/, ''))

const files = globSync(['{src,test,scripts}/**/*.test.ts'], { cwd: root })
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort()

if (files.length === 0) {
  console.error(`no test file matches ${wanted.join(', ')}`)
  process.exit(1)
}

const isWhole = args.length === 0
if (isWhole) {
  rmSync(SEEN_FOLDER, { recursive: true, force: true })
  mkdirSync(SEEN_FOLDER, { recursive: true })
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
    ...files,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(isWhole && { PLAZA_TEST_SEEN: SEEN_FOLDER }) },
  },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal))
runner.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
