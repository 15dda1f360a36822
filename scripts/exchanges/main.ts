import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compare } from './compare.ts'

/**
 * `npm run exchanges -- record FOLDER [TEST…]`: runs tests and writes every request with its reply
 * into FOLDER. Tests are parts of paths; by default, conformance and all journeys. `npm run
 * exchanges -- compare OLD NEW`: prints the differences between two recordings, and fails if there
 * are any.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const USUAL = ['test/conformance/stored/', 'test/conformance/saving.test.ts', 'test/journeys/']

const [command, first, second, ...rest] = process.argv.slice(2)
if (command === 'record' && first !== undefined)
  recordInto(resolve(first), second ? [second, ...rest] : USUAL)
else if (command === 'compare' && second !== undefined)
  process.exitCode = compare(first as string, second) > 0 ? 1 : 0
else {
  console.error('npm run exchanges -- record FOLDER [TEST…] | compare OLD NEW')
  process.exitCode = 2
}

function recordInto(folder: string, wanted: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  const flags = wanted.filter((one) => one.startsWith('-'))
  const parts = wanted.filter((one) => !one.startsWith('-'))
  const files = globSync('test/**/*.test.ts', { cwd: root })
    .filter((file) => parts.some((part) => file.includes(part)))
    .sort()
  const recorder = new URL('recorder.ts', import.meta.url).href
  const { status } = spawnSync(
    process.execPath,
    [
      '--import',
      recorder,
      '--test',
      '--test-concurrency=2',
      '--disable-warning=ExperimentalWarning',
      '--test-reporter=./scripts/reporter.ts',
      '--test-reporter-destination=stdout',
      ...flags,
      ...files,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, PLAZA_RECORD: folder } },
  )
  process.exitCode = status ?? 1
}
