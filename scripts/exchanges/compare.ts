import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { normalized, type Recorded } from './exchange.ts'

interface Exchange {
  request: string
  reply: string
  /** Requests ran concurrently in this test, now or before, so their order is random. */
  raced: boolean
}

/** Exchanges by test. Their order does not matter. */
type Recording = Map<string, Exchange[]>

/** A kind of difference, with the tests that show it. */
interface Difference {
  raced: boolean
  lines: string[]
  tests: string[]
}

const MAX_LINES = 12
const MAX_TESTS = 3

/**
 * Prints the differences between two recordings, equal ones once. Differences after concurrent
 * requests are printed separately and not counted.
 * @returns the number of exchanges that differ
 */
export function compare(oldFolder: string, newFolder: string): number {
  const kinds = new Map<string, Difference>()
  let exchanges = 0
  for (const name of filesOf(oldFolder, newFolder)) {
    const [before, after] = [read(join(oldFolder, name)), read(join(newFolder, name))]
    for (const test of new Set([...before.keys(), ...after.keys()])) {
      const [gone, come] = [before.get(test) ?? [], after.get(test) ?? []]
      exchanges += Math.max(gone.length, come.length)
      for (const { raced, lines } of differences(gone, come)) {
        const key = [raced, ...lines].join('\n')
        const kind = kinds.get(key) ?? { raced, lines, tests: [] }
        kinds.set(key, kind)
        kind.tests.push(`${name.replace(/\.jsonl$/, '')}: ${test}`)
      }
    }
  }
  const sorted = [...kinds.values()].sort((a, b) => b.tests.length - a.tests.length)
  const [raced, different] = [sorted.filter((one) => one.raced), sorted.filter((one) => !one.raced)]
  if (raced.length > 0) printRaced(raced)
  for (const kind of different) print(kind)
  const count = countOf(different)
  console.log(`${exchanges} exchanges compared, ${count} differ in ${different.length} ways`)
  return count
}

const countOf = (kinds: readonly Difference[]) => kinds.reduce((sum, { tests }) => sum + tests.length, 0)

function printRaced(kinds: readonly Difference[]): void {
  console.log(`Not counted: ${countOf(kinds)} differences of requests that ran at the same time, in`)
  for (const test of new Set(kinds.flatMap(({ tests }) => tests))) console.log(`    ${test}`)
  console.log('')
}

function print({ lines, tests }: Difference): void {
  console.log(`${tests.length} times`)
  for (const line of lines.slice(0, MAX_LINES)) console.log(`  ${line.slice(0, 400)}`)
  if (lines.length > MAX_LINES) console.log(`  … ${lines.length - MAX_LINES} lines more`)
  for (const test of [...new Set(tests)].slice(0, MAX_TESTS)) console.log(`    in ${test}`)
  console.log('')
}

/**
 * A file that only one side has is compared if it was recorded completely: both sides ran the same
 * tests.
 */
function filesOf(oldFolder: string, newFolder: string): string[] {
  const [before, after] = [oldFolder, newFolder].map((cwd) => new Set(globSync('*.jsonl', { cwd }))) as [
    Set<string>,
    Set<string>,
  ]
  for (const name of [...before].filter((one) => !after.has(one)))
    console.log(`only in ${oldFolder}: ${name}`)
  for (const name of [...after].filter((one) => !before.has(one)))
    console.log(`only in ${newFolder}: ${name}`)
  return [...before].filter((name) => after.has(name)).sort()
}

function read(path: string): Recording {
  const recording: Recording = new Map()
  const all = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Recorded)
  const raced = racedOf(all)
  for (const exchange of all) {
    const list = recording.get(exchange.test) ?? []
    recording.set(exchange.test, list)
    list.push({ ...normalized(exchange), raced: raced.has(exchange) })
  }
  return recording
}

/** Those during which Plaza worked on another request, and what the same test saw afterwards. */
function racedOf(all: readonly Recorded[]): Set<Recorded> {
  const firstRace = new Map<string, number>()
  let longest: Recorded | undefined
  for (const one of all.filter(isPlaza).sort((a, b) => a.span[0] - b.span[0])) {
    const [began, ended] = one.span
    if (longest && began < longest.span[1])
      for (const { test } of [longest, one]) firstRace.set(test, firstRace.get(test) ?? longest.span[0])
    if (!longest || ended > longest.span[1]) longest = one
  }
  return new Set(all.filter(({ test, span }) => span[0] >= (firstRace.get(test) ?? Number.POSITIVE_INFINITY)))
}

/** Others are the servers of tests, which Plaza calls. */
const isPlaza = ({ reply }: Recorded) => reply.some((line) => line.startsWith('x-response-time: '))

/** The differences of one test; equal exchanges go first. */
function differences(before: readonly Exchange[], after: readonly Exchange[]): Omit<Difference, 'tests'>[] {
  const left = [...after]
  const take = (fits: (one: Exchange) => boolean) => {
    const index = left.findIndex(fits)
    return index < 0 ? undefined : left.splice(index, 1)[0]
  }
  const changed = before.filter(
    (old) => !take((one) => one.request === old.request && one.reply === old.reply),
  )
  const found = changed.map((old) => {
    const now = take((one) => one.request === old.request) ?? take((one) => one.reply === old.reply)
    const title = lineOf(old.request)
    if (!now) return { raced: old.raced, lines: [`- ${title}`, `- ${lineOf(old.reply)}`] }
    const lines = [title, ...changedLines(old.request, now.request), ...changedLines(old.reply, now.reply)]
    return { raced: old.raced && now.raced, lines }
  })
  const added = left.map(({ raced, request, reply }) => ({
    raced,
    lines: [`+ ${lineOf(request)}`, `+ ${lineOf(reply)}`],
  }))
  return [...found, ...added]
}

const lineOf = (text: string) => text.slice(0, `${text}\n`.indexOf('\n'))

/** Lines of one text only; of two long ones the part where they differ. */
function changedLines(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const gone = old.filter((line) => !now.includes(line))
  const come = now.filter((line) => !old.includes(line))
  if (gone.length === 0 && come.length === 0 && before !== after) return ['the same lines in another order']
  const start = gone.length === 1 && come.length === 1 ? commonStart(gone[0] ?? '', come[0] ?? '') : 0
  const shown = (line: string) => (start > 60 ? `…${line.slice(start - 40)}` : line)
  return [...gone.map((line) => `- ${shown(line)}`), ...come.map((line) => `+ ${shown(line)}`)]
}

function commonStart(a: string, b: string): number {
  let index = 0
  while (index < a.length && a[index] === b[index]) index++
  return index
}
