import { writeFileSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'
import { spec } from 'node:test/reporters'
import { SEEN_COMPLETE, SEEN_ENDED } from './seen.ts'

/**
 * A line for each test file, failures in full, and at the end the counts (`# pass 12`). Tests that passed are
 * only counted: what matters must not scroll away.
 */
export default async function* reporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failures: TestEvent[] = []
  const skipped: string[] = []
  let total: Counts | undefined
  for await (const event of source) {
    switch (event.type) {
      case 'test:fail':
        failures.push(event)
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
        else
          yield `${success ? '✔' : '✖'} ${shortName(file)} (${counts.tests} tests, ${Math.round(duration_ms)} ms)\n`
        break
      }
    }
  }
  const isComplete = failures.length === 0 && !skipped.some((line) => SWITCH.test(line))
  if (process.env.PLAZA_TEST_SEEN !== undefined) {
    writeFileSync(SEEN_ENDED, '')
    if (isComplete) writeFileSync(SEEN_COMPLETE, '')
  }
  if (skipped.length > 0) yield `\nSkipped:\n${[...new Set(skipped)].join('\n')}\n`
  yield* inFull(failures)
  yield `\n${Object.entries(total ?? {})
    .map(([name, count]) => `# ${NAMES[name] ?? name} ${count}`)
    .join('\n')}\n`
}

/** A machine without one of these shows less: it is skipped with the name of what switches it on. */
const SWITCH = /PLAZA_TEST_(POSTGRES_URL|REDIS_URL|CHROMIUM)\b/

type Counts = Record<string, number>

const NAMES: Record<string, string> = { passed: 'pass', failed: 'fail' }

const skipLine = ({ name, skip }: { name: string; skip?: string | boolean }) => `- ${name}: ${skip}`

const shortName = (file: string) => file.replace(`${process.cwd()}/`, '')

/** Failures in the words of Node's own reporter. */
async function* inFull(failures: readonly TestEvent[]): AsyncGenerator<string> {
  if (failures.length === 0) return
  const stream = new spec()
  for (const failure of failures) stream.write(failure)
  stream.end()
  for await (const text of stream) yield String(text)
}
