import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Figure } from './figure.ts'
import type { MatcherResult } from './matcher-run.ts'

// Rules of streams against posts. Every measurement has a process of its own, so that their memory
// is their own; speed is per second of its processor time, which other work on the machine lowers
// less.

const RULES = 25_000
const MORE_RULES = 100_000
const TARGET_PER_SECOND = 50_000
const TARGET_RATIO = 50
const TARGET_LONG_PER_SECOND = 20_000
const TARGET_LONG_MB = 400
const TARGET_MORE_RATIO = 0.5
const TARGET_CHANGE_MS = 1

/**
 * With no limit the process keeps what parsing left behind; with one, its size is what the work
 * needs.
 */
const SMALL_HEAP = ['--max-old-space-size=256', '--max-semi-space-size=8']

const program = fileURLToPath(new URL('./matcher-run.ts', import.meta.url))

type Add = (figure: Figure) => void

export async function measureMatcher({ add, seconds }: { add: Add; seconds: number }): Promise<void> {
  console.log('\nmatcher: rules of streams against posts, cutting texts into words included')
  const few = await run('rule', RULES, seconds)
  addSpeed(add, `${RULES} rules of 1 to 10 operators`, few, TARGET_PER_SECOND)
  const ratio = few.postsPerSecond / few.naivePerSecond
  add({
    name: 'beside every rule one by one',
    unit: '/s',
    plaza: few.postsPerSecond,
    bare: few.naivePerSecond,
    ratio,
    target: `ratio ≥ ${TARGET_RATIO}`,
    pass: ratio >= TARGET_RATIO && few.differences === 0,
  })
  add({
    name: 'posts where both differ',
    unit: '',
    plaza: few.differences,
    target: '0',
    pass: few.differences === 0,
  })
  addChange(add, 'add a rule', few.add)
  addChange(add, 'delete a rule', few.remove)
  const long = await run('longRule', RULES, seconds)
  addSpeed(add, `${RULES} rules of 20 to 100 alternatives`, long, TARGET_LONG_PER_SECOND)
  add({
    name: 'memory of that process',
    unit: 'MB',
    plaza: long.residentMb,
    target: `< ${TARGET_LONG_MB}`,
    pass: long.residentMb < TARGET_LONG_MB,
  })
  add({ name: 'of which the index', unit: 'MB', plaza: long.indexMb })
  const more = await run('rule', MORE_RULES, seconds)
  const kept = more.postsPerSecond / few.postsPerSecond
  add({ name: `${MORE_RULES} rules: sorted by their apps`, unit: '/s', plaza: more.byAppPerSecond })
  add({ name: `${MORE_RULES} rules: rules found for a post`, unit: '', plaza: more.rulesPerPost })
  add({
    name: `${MORE_RULES} rules beside ${RULES}`,
    unit: '/s',
    plaza: more.postsPerSecond,
    bare: few.postsPerSecond,
    ratio: kept,
    target: `ratio ≥ ${TARGET_MORE_RATIO}`,
    pass: kept >= TARGET_MORE_RATIO,
  })
}

function addSpeed(add: Add, name: string, result: MatcherResult, target: number): void {
  const { postsPerSecond, matchedPerSecond, byAppPerSecond, rulesPerPost } = result
  add({
    name,
    unit: '/s',
    plaza: postsPerSecond,
    target: `≥ ${target}`,
    pass: postsPerSecond >= target,
  })
  add({ name: 'with words at hand', unit: '/s', plaza: matchedPerSecond })
  add({
    name: 'with the rules found sorted by their apps, of which there are 25',
    unit: '/s',
    plaza: byAppPerSecond,
  })
  add({ name: 'rules found for a post', unit: '', plaza: rulesPerPost })
}

function addChange(add: Add, name: string, [mean, p99]: readonly [number, number]): void {
  add({ name: `${name}: mean`, unit: 'ms', plaza: mean })
  add({
    name: `${name}: 99th percentile`,
    unit: 'ms',
    plaza: p99,
    target: `< ${TARGET_CHANGE_MS}`,
    pass: p99 < TARGET_CHANGE_MS,
  })
}

async function run(kind: 'rule' | 'longRule', count: number, seconds: number): Promise<MatcherResult> {
  const flags = ['--expose-gc', ...(kind === 'longRule' ? SMALL_HEAP : [])]
  const child = spawn(process.execPath, [...flags, program, kind, String(count), String(seconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const piece of child.stdout) text += piece
  return JSON.parse(text) as MatcherResult
}
