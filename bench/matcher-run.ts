import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { byApp, type IndexedRule } from '../src/delivery/streams/posts/rule-sets.ts'
import { matches } from '../src/domain/query-language/match.ts'
import type { MatchablePost } from '../src/domain/query-language/matchable-post.ts'
import { parseQuery } from '../src/domain/query-language/parse.ts'
import type { Query } from '../src/domain/query-language/query.ts'
import { RuleIndex } from '../src/domain/query-language/rule-index.ts'
import { wordsOf } from '../src/domain/query-language/tokenize.ts'
import { Corpus, type RawPost } from './matcher-corpus.ts'

// One measurement of the matcher in a process of its own: `matcher-run.ts rule|longRule COUNT
// SECONDS`. Writes a line of JSON.

const [kind = 'rule', count = '25000', seconds = '5'] = process.argv.slice(2)
const POSTS = 20_000
const COMPARED_MS = 4_000
const CHANGES = 2_000
const APPS = Array.from({ length: 25 }, (_, n) => `app ${n}`)

export interface MatcherResult {
  /** Per second of processor time, cutting the text into words included. */
  postsPerSecond: number
  /** The same with words at hand. */
  matchedPerSecond: number
  /** The same, as streams take them: by the apps of the rules. */
  byAppPerSecond: number
  rulesPerPost: number
  naivePerSecond: number
  comparedPosts: number
  differences: number
  /** Milliseconds: the mean and the 99th percentile. */
  add: readonly [number, number]
  remove: readonly [number, number]
  residentMb: number
  indexMb: number
}

const collect = (globalThis as { gc?: () => void }).gc ?? (() => {})
const usedMb = () => {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}

function ruleOf(text: string): Query {
  const parsed = parseQuery(text, { for: 'stream', access: 'enterprise' })
  if (!parsed.ok) throw new Error(`${text}: ${parsed.errors[0].message}`)
  return parsed.query
}

const withWords = (post: RawPost): MatchablePost => ({ ...post, words: wordsOf(post.text) })

const corpus = new Corpus(`matcher ${kind}`)
const posts = Array.from({ length: POSTS }, () => corpus.post())
const index = new RuleIndex<IndexedRule>()
const ruleAt = (id: string): IndexedRule => ({
  id,
  app: APPS[Number(id) % APPS.length] as string,
  shown: { id },
})
const texts = new Map<string, string>()
const before = usedMb()
for (let n = 0; n < Number(count); n++) {
  const text = kind === 'longRule' ? corpus.longRule() : corpus.rule()
  index.add(ruleAt(String(n)), ruleOf(text))
  if (kind === 'rule') texts.set(String(n), text)
}
const indexMb = usedMb() - before

/** Posts per second of processor time of this process, which others on the machine do not lower. */
function speedOf(
  prepare: (post: RawPost) => MatchablePost,
  take: (rules: readonly IndexedRule[]) => number = ({ length }) => length,
): { perSecond: number; found: number } {
  let done = 0
  let found = 0
  const start = process.cpuUsage()
  const spent = () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1e6
  }
  while (spent() < Number(seconds)) {
    for (let n = 0; n < 1_000; n++) found += take(index.match(prepare(posts[done++ % POSTS] as RawPost)))
  }
  return { perSecond: done / spent(), found: found / done }
}

speedOf(withWords)
const cut = speedOf(withWords)
const grouped = speedOf(withWords, (rules) => byApp(rules).size)
collect()
// Pages that are free go back to the system a little later.
await sleep(1_000)
const residentMb = process.memoryUsage.rss() / 2 ** 20
const ready = new Map(posts.map((post) => [post, withWords(post)]))
const matched = speedOf((post) => ready.get(post) as MatchablePost)
ready.clear()

/** Every rule against posts, one after another: what it costs, and where the outcome differs. */
function compare() {
  const queries = [...texts].map(([id, text]) => [id, ruleOf(text)] as const)
  let compared = 0
  let differences = 0
  let spent = 0
  while (queries.length > 0 && spent < COMPARED_MS && compared < POSTS) {
    const post = withWords(posts[compared++] as RawPost)
    const start = process.cpuUsage()
    const naive = queries.filter(([, query]) => matches(query, post)).map(([id]) => id)
    const { user, system } = process.cpuUsage(start)
    spent += (user + system) / 1e3
    if (
      naive.sort().join() !==
      index
        .match(post)
        .map(({ id }) => id)
        .sort()
        .join()
    )
      differences++
  }
  return { naivePerSecond: compared / (spent / 1e3), comparedPosts: compared, differences }
}

/** Takes rules out and adds them again. */
function change(): Pick<MatcherResult, 'add' | 'remove'> {
  const times = { add: [] as number[], remove: [] as number[] }
  for (let n = 0; n < CHANGES; n++) {
    const text = kind === 'longRule' ? corpus.longRule() : corpus.rule()
    const query = ruleOf(text)
    const id = String(corpus.below(Number(count)))
    const start = performance.now()
    index.delete(id)
    const middle = performance.now()
    index.add(ruleAt(id), query)
    times.add.push(performance.now() - middle)
    times.remove.push(middle - start)
  }
  return { add: summary(times.add), remove: summary(times.remove) }
}

function summary(times: number[]): readonly [number, number] {
  const sorted = times.toSorted((one, other) => one - other)
  const mean = sorted.reduce((sum, one) => sum + one, 0) / sorted.length
  return [mean, sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN]
}

const comparison = compare()
const result: MatcherResult = {
  postsPerSecond: cut.perSecond,
  matchedPerSecond: matched.perSecond,
  byAppPerSecond: grouped.perSecond,
  rulesPerPost: cut.found,
  ...comparison,
  ...change(),
  residentMb,
  indexMb,
}
console.log(JSON.stringify(result))
