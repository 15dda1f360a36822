import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { spec, type TestEvent } from 'node:test/reporters'
import { SEEN_COMPLETE, SEEN_ENDED, SEEN_QUICK } from './seen.ts'

/**
 * One line for each test file when it ends, and failures in full. Passed tests are only counted, so
 * that failures stay visible.
 */
export async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string, Outcome> {
  const failures: TestEvent[] = []
  const skipped: string[] = []
  const todo: string[] = []
  const failedFiles = new Set<string>()
  let total: Counts | undefined
  for await (const event of source) {
    switch (event.type) {
      case 'test:fail':
        if (isTodo(event.data)) todo.push(`- ${event.data.name}: ${event.data.todo}`)
        else failures.push(event)
        if (isFile(event.data)) {
          failedFiles.add(shortName(event.data.file ?? ''))
          yield `✖ ${shortName(event.data.file ?? '')} (its process failed)\n`
        }
        break
      case 'test:pass':
        if (typeof event.data.skip === 'string' && event.data.skip !== '') skipped.push(skipLine(event.data))
        break
      case 'test:stderr':
      case 'test:stdout':
        yield event.data.message
        break
      case 'test:summary': {
        const { file, success, counts, duration_ms } = event.data
        if (file === undefined) total = { ...counts, duration_ms: Math.round(duration_ms) }
        else {
          if (!success) failedFiles.add(shortName(file))
          yield `${success ? '✔' : '✖'} ${shortName(file)} (${counts.tests} tests, ${Math.round(duration_ms)} ms)\n`
        }
        break
      }
    }
  }
  record(failures.length === 0, skipped)
  if (todo.length > 0) yield `\nTo do, known to fail:\n${todo.join('\n')}\n`
  if (process.env.PLAZA_TEST_SET === 'quick') yield WITHOUT_SERVICES
  else if (skipped.length > 0) yield `\nSkipped:\n${[...new Set(skipped)].join('\n')}\n`
  yield* inFull(failures)
  return { passed: failures.length === 0, counts: total ?? {}, failedFiles: [...failedFiles] }
}

/** As a reporter of `node --test`: ends with the counts. */
export default async function* reporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const { counts } = yield* report(source)
  yield countLines(counts)
}

/** The results of a run. */
export interface Outcome {
  passed: boolean
  counts: Counts
  /** Relative to the folder that the tests ran in. */
  failedFiles: readonly string[]
}

/** The counts, a line each (`# pass 12`). */
export const countLines = (counts: Counts) =>
  `\n${Object.entries(counts)
    .map(([name, count]) => `# ${NAMES[name] ?? name} ${count}`)
    .join('\n')}\n`

/**
 * A machine without one of these shows less: it is skipped with the name of what switches it on.
 */
const SWITCH = /PLAZA_TEST_(POSTGRES_URL|REDIS_URL|CHROMIUM)\b/

const WITHOUT_SERVICES = `
Left out: PostgreSQL, Redis, object stores, browser, clients, most journeys. \`npm run test:all\` runs everything; services that
are not on 127.0.0.1 are named in PLAZA_TEST_POSTGRES_URL and PLAZA_TEST_REDIS_URL (CONTRIBUTING.md).
`

/** Leaves behind how a run of a whole set ended. */
function record(passed: boolean, skipped: readonly string[]): void {
  const set = process.env.PLAZA_TEST_SET
  if (set === undefined) return
  if (set === 'quick') {
    if (passed) writeFileSync(SEEN_QUICK, '')
    return
  }
  writeFileSync(SEEN_ENDED, '')
  if (passed && (set === 'all' || existsSync(SEEN_QUICK)) && !skipped.some((line) => SWITCH.test(line)))
    writeFileSync(SEEN_COMPLETE, '')
}

type Counts = Record<string, number>

const NAMES: Record<string, string> = { passed: 'pass', failed: 'fail' }

const isTodo = ({ todo }: { todo?: string | boolean | undefined }) => todo !== undefined && todo !== false

const skipLine = ({ name, skip }: { name: string; skip?: string | boolean }) => `- ${name}: ${skip}`

/**
 * Whether a result is that of the process of a file, which may have ended before it told any other.
 */
const isFile = ({ name, file }: { name: string; file?: string | undefined }) => resolve(name) === file

const shortName = (file: string) => file.replace(`${process.cwd()}/`, '')

/** Failures in the words of Node's own reporter. */
async function* inFull(failures: readonly TestEvent[]): AsyncGenerator<string> {
  if (failures.length === 0) return
  const stream = new spec()
  for (const failure of failures) stream.write(failure)
  stream.end()
  for await (const text of stream) yield String(text)
}
