import { mkdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { isCurrent } from '../bin/stamp.mjs'
import { bundle } from './bundle.mjs'
import { countLines, type Outcome, report } from './reporter.ts'
import { SEEN_FOLDER } from './seen.ts'
import { allFiles, longestFirst, type SetName, testSet } from './test-sets.ts'

/**
 * `npm test`: the tests of `quick`, which need no service. `npm run test:all`: every test; with `--
 * --rest` those that `npm test` omits. Arguments name files, or parts of paths: `npm test --
 * webhooks conformance`. Other flags go to the Node of each file: `npm test --
 * --test-name-pattern=replay`. At most six files run at a time. Ends with the runner's counts;
 * exits non-zero when a test failed. A run of all tests, in one or two parts, builds the bundle if
 * it is out of date, and records for `npm run seen` which tests used which endpoints.
 */
/** For two processors: many files wait for the disk or for other programs. */
const CONCURRENCY = 6
const MAX_REPEATED_FILES = 5
/** Only what hangs takes so long: the largest files take six minutes of a busy machine. */
const FILE_TIMEOUT_MS = 900_000

const PRELOAD = new URL('test-preload.mjs', import.meta.url).href

const NODE_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  // A young generation that is large from the beginning: loading a server takes an eighth less.
  '--min-semi-space-size=16',
  `--import=${PRELOAD}`,
]

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

// Of this process, which every test file inherits.
Object.assign(process.env, {
  // Modules are compiled once for all test processes.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/compiled'),
  ...set.env,
  ...(isWhole && { PLAZA_TEST_SEEN: SEEN_FOLDER, PLAZA_TEST_SET: name }),
})
process.chdir(root)

const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort())

async function runFiles(files: readonly string[], concurrency: number): Promise<Outcome> {
  const events = run({
    files: files.map((file) => join(root, file)),
    concurrency,
    timeout: FILE_TIMEOUT_MS,
    execArgv: [...NODE_FLAGS, ...flags],
    signal: stopped.signal,
  })
  const reported = report(events as AsyncIterable<TestEvent>)
  for (;;) {
    const { done, value } = await reported.next()
    if (done) return value
    process.stdout.write(value)
  }
}

/**
 * Runs all of a set. The files of up to five that failed run once more, one at a time: a test that
 * passes then depends on what ran beside it, and is reported as flaky.
 */
async function runWhole(): Promise<Outcome> {
  const first = await runFiles(longestFirst(set.files), CONCURRENCY)
  const { failedFiles } = first
  if (first.passed || stopped.signal.aborted) return first
  if (failedFiles.length === 0 || failedFiles.length > MAX_REPEATED_FILES) return first
  console.log(`\nOnce more, alone: ${failedFiles.join(', ')}`)
  const alone = await runFiles(failedFiles, 1)
  for (const file of failedFiles)
    if (!alone.failedFiles.includes(file)) console.log(`FLAKY: ${file} failed among others and passed alone`)
  const failed = alone.counts.failed ?? 0
  const flaky = (first.counts.failed ?? 0) - failed
  const passed = (first.counts.passed ?? 0) + flaky
  return { ...alone, counts: { ...first.counts, passed, failed, flaky } }
}

/** Tests start many programs, which takes longer from the sources than from a bundle. */
async function refreshBundle(): Promise<void> {
  if (isCurrent(root)) return
  await bundle().catch((error: Error) =>
    console.error(`No bundle was built (${error.message}): tests start programs from the sources.`),
  )
}

if (isWhole) await refreshBundle()
const outcome = isWhole ? await runWhole() : await runFiles(set.files, CONCURRENCY)
process.stdout.write(countLines(outcome.counts))
if (!outcome.passed || stopped.signal.aborted) process.exitCode = 1
