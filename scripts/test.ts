import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Outcome } from './reporter.ts'
import { countLines } from './reporter.ts'
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
const MAX_REPEATED_FILES = 5
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

const OUTCOME_FILE = join(SEEN_FOLDER, 'outcome')

let runner: ChildProcess
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal))

/** Resolves to the exit code. */
async function run(files: readonly string[], concurrency: number): Promise<number> {
  runner = spawn(
    process.execPath,
    [
      '--test',
      '--disable-warning=ExperimentalWarning',
      `--test-concurrency=${concurrency}`,
      `--test-timeout=${FILE_TIMEOUT_MS}`,
      '--test-reporter=./scripts/reporter.ts',
      '--test-reporter-destination=stdout',
      ...flags,
      ...files,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        // Modules are compiled once for all test processes.
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
        ...process.env,
        ...set.env,
        ...(isWhole && {
          PLAZA_TEST_SEEN: SEEN_FOLDER,
          PLAZA_TEST_SET: name,
          PLAZA_TEST_OUTCOME: OUTCOME_FILE,
        }),
      },
    },
  )
  const [code, signal] = await once(runner, 'exit')
  return signal ? 1 : (code ?? 1)
}

/**
 * Runs all of a set. The files of up to five that failed run once more, one at a time: a test that passes then depends
 * on what ran beside it, and is reported as flaky.
 */
async function runWhole(): Promise<number> {
  rmSync(OUTCOME_FILE, { force: true })
  const code = await run(set.files, CONCURRENCY)
  if (!existsSync(OUTCOME_FILE)) return code || 1
  const first = outcome()
  if (code === 0 || first.failedFiles.length === 0 || first.failedFiles.length > MAX_REPEATED_FILES) {
    process.stdout.write(countLines(first.counts))
    return code
  }
  console.log(`\nOnce more, alone: ${first.failedFiles.join(', ')}`)
  const codeAlone = await run(first.failedFiles, 1)
  const alone = outcome()
  for (const file of first.failedFiles)
    if (!alone.failedFiles.includes(file)) console.log(`FLAKY: ${file} failed among others and passed alone`)
  const failed = alone.counts.failed ?? 0
  const flaky = (first.counts.failed ?? 0) - failed
  const passed = (first.counts.passed ?? 0) + flaky
  process.stdout.write(countLines({ ...first.counts, passed, failed, flaky }))
  return codeAlone
}

const outcome = (): Outcome => JSON.parse(readFileSync(OUTCOME_FILE, 'utf8'))

process.exitCode = isWhole ? await runWhole() : await run(set.files, CONCURRENCY)
