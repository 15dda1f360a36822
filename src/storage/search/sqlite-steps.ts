import type { StatementSync } from 'node:sqlite'
import { ID_EPOCH_MS, ID_TIME_SHIFT } from '../../common/ids.ts'
import type { Branch, Lookup } from './branches.ts'
import { isAnchored, listsOf, phraseWordsOf, withoutPhrases } from './branches.ts'
import { filterSql } from './filter-sql.ts'
import type { Found, SearchWindow } from './search-index.ts'
import { SHORTEST_SHIFT } from './spans.ts'
import { matchOf } from './sqlite-match.ts'

// A search is a series of steps, newest documents first, so that searches of others come in between. A step ends after
// so much work, and says which part of the window is left. The results do not depend on where a step ends.

/** What a step is to do. */
export interface SearchStep {
  branches: readonly Branch[]
  /** What is left of the window. */
  window: SearchWindow
  /** How many candidates each branch may still read. */
  left: readonly number[]
  /** How many candidates the step may read. */
  effort: number
}

/** What a step leaves. */
interface Rest {
  left: number[]
  /** The part of the window that is left; undefined at its end. */
  rest?: SearchWindow
}

export interface FoundStep extends Rest {
  found: Found[]
}

export interface CountedStep extends Rest {
  /** Pairs of a time and a count, oldest first: there may be many, and numbers are copied fast. */
  counts: Float64Array
}

/** Comparing a document with one list of entries takes a tenth of the time of reading a candidate. */
const ENTRIES_OF_CANDIDATE = 10
const FOUND = 'cast(d.id as text) as id, d.likes, d.replies, d.reposts'
/** FTS5 scans from newest to oldest if the order requests it. */
const IN_WINDOW = 'words match ? and words.rowid >= ? and words.rowid < ?'
const NEWEST = `select words.rowid as id from words where ${IN_WINDOW} order by words.rowid desc limit ?`
const NEWEST_DOCUMENTS =
  'select id from documents where id >= ? and id < ? order by documents.id desc limit ?'

/** A range of ids: the first, and the one after the last. */
interface Range {
  from: bigint
  before: bigint
}

type Row = Record<string, unknown>

/** Performs the steps of searches and counts. */
export class SearchSteps {
  readonly #statement: (sql: string) => StatementSync

  /** `statement` prepares a statement, or returns one that was prepared before. */
  constructor(statement: (sql: string) => StatementSync) {
    this.#statement = statement
  }

  /** The newest documents that match, at most `limit`. */
  find(step: SearchStep, limit: number): FoundStep {
    const { branches, window } = step
    const part = this.#partOf(step)
    const [first] = branches
    const newest =
      first && branches.length === 1 && this.#findNewest(first, part, candidatesOf(step, 0), limit)
    if (newest && newest.length >= limit) return { found: newest, left: [...step.left] }
    const { range, left } = this.#read(step, part, isBounded)
    const all = newest || merged(branches.map((branch) => this.#findIn(branch, range, limit)))
    if (all.length >= limit) return { found: all.slice(0, limit), left }
    return { found: all, left, ...restOf(window, range) }
  }

  /** How many documents match. Each of them is a candidate. */
  count(step: SearchStep, bucketMs: number): CountedStep {
    const { range, left } = this.#read(step, this.#partOf(step), () => true)
    // Two branches may match the same document.
    const ids = step.branches.map((branch) => `select words.rowid as id from ${matched(branch)}`)
    const rows = this.#statement(
      `select ((id >> ${ID_TIME_SHIFT}) + ${ID_EPOCH_MS}) / ? as bucket, count(*) as count from (${ids.join(' union ')}) group by 1 order by 1`,
    ).all(BigInt(bucketMs), ...step.branches.flatMap((branch) => boundsOf(branch.lookup, range)))
    const counts = rows.flatMap((row) => [Number(row.bucket) * bucketMs, Number(row.count)])
    return { counts: Float64Array.from(counts), left, ...restOf(step.window, range) }
  }

  /** The newest part of the window with few enough documents for one step. */
  #partOf({ branches, window, effort }: SearchStep): Range {
    const lists = branches.reduce((sum, { lookup }) => sum + listsOf(lookup), 0)
    const documents = Math.max(1, Math.floor((effort * ENTRIES_OF_CANDIDATE) / lists))
    const [from, before] = [BigInt(window.from), BigInt(window.before)]
    const spans = this.#statement(
      'select span, documents from spans where span >= ? and span <= ? order by span desc',
    ).iterate(from >> SHORTEST_SHIFT, (before - 1n) >> SHORTEST_SHIFT)
    let sum = 0
    for (const span of spans) {
      sum += Number(span.documents)
      if (sum < documents) continue
      const start = BigInt(Number(span.span)) << SHORTEST_SHIFT
      const first = sum < 2 * documents ? start : (this.#nthDocument(window, documents) ?? start)
      return { from: first > from ? first : from, before }
    }
    return { from, before }
  }

  #nthDocument({ from, before }: SearchWindow, n: number): bigint | undefined {
    const row = this.#statement(
      'select cast(id as text) as id from documents where id >= ? and id < ? order by documents.id desc limit 1 offset ?',
    ).get(BigInt(from), BigInt(before), n - 1)
    return row && BigInt(String(row.id))
  }

  /**
   * The part of a range whose candidates may be read, and how many each branch may read after it. All branches read the
   * same part, so that each document is found whichever branch it matches.
   */
  #read(step: SearchStep, part: Range, isLimited: (branch: Branch) => boolean) {
    const limited = step.branches
      .map((branch, at) => ({ branch, at }))
      .filter(({ branch }) => isLimited(branch))
    const read = limited.map(({ branch, at }) => this.#candidates(branch, part, candidatesOf(step, at)))
    const from = read.reduce((latest, one) => (one.from > latest ? one.from : latest), part.from)
    const range = { from, before: part.before }
    const left = [...step.left]
    for (const [index, { branch, at }] of limited.entries()) {
      const all = read[index]
      const most = candidatesOf(step, at)
      const count = all?.from === from ? all.count : this.#candidates(branch, range, most).count
      left[at] = (left[at] ?? 0) - count * weightOf(branch)
    }
    return { range, left }
  }

  /** How many candidates of a branch there are in a range, at most `most`, and from which id on they were counted. */
  #candidates(branch: Branch, range: Range, most: number): { count: number; from: bigint } {
    const [newest, bounds] = isAnchored(branch)
      ? [NEWEST, boundsOf(withoutPhrases(branch.lookup), range)]
      : [NEWEST_DOCUMENTS, [range.from, range.before]]
    const row = this.#statement(
      `select count(*) as count, cast(min(id) as text) as oldest from (${newest})`,
    ).get(...bounds, most)
    const count = Number(row?.count)
    return { count, from: count < most ? range.from : BigInt(String(row?.oldest)) }
  }

  /**
   * The newest documents of a branch: its candidates are compared only as far as the page requires. Undefined if that is
   * not possible.
   */
  #findNewest(branch: Branch, range: Range, candidates: number, limit: number): Found[] | undefined {
    if (branch.filters.length === 0 || isPhrase(branch) || !isAnchored(branch)) return undefined
    return this.#statement(
      `select ${FOUND} from (${NEWEST}) c cross join documents d on d.id = c.id where ${filtersOf(branch)} limit ?`,
    )
      .all(...boundsOf(branch.lookup, range), candidates, limit)
      .map(foundOf)
  }

  #findIn(branch: Branch, range: Range, limit: number): Found[] {
    const filters = branch.filters.length === 0 ? '' : ` and ${filtersOf(branch)}`
    return this.#statement(
      `select ${FOUND} from words cross join documents d on d.id = words.rowid where ${IN_WINDOW}${filters} order by words.rowid desc limit ?`,
    )
      .all(...boundsOf(branch.lookup, range), limit)
      .map(foundOf)
  }
}

/** The results of several branches, newest first. A document may match several of them. */
function merged(lists: readonly Found[][]): Found[] {
  const [only] = lists
  if (only && lists.length === 1) return only
  const found = new Map(lists.flat().map((one) => [one.id, one]))
  return [...found.values()].sort((one, two) => (BigInt(one.id) < BigInt(two.id) ? 1 : -1))
}

const isPhrase = ({ lookup }: Branch) => phraseWordsOf(lookup) > 0

/** Whether something is compared in the candidates that words and terms lead to. */
const isBounded = (branch: Branch) => branch.filters.length > 0 || isPhrase(branch)

/** The limit of a branch that only looks words and terms up stays as it is. */
const weightOf = ({ lookup }: Branch) => Math.max(1, phraseWordsOf(lookup))

/** How many candidates a branch may read in a step: at least one, so that every search makes progress. */
function candidatesOf({ branches, left, effort }: SearchStep, at: number): number {
  const branch = branches[at]
  const most = Math.min(effort / branches.length, left[at] ?? 0)
  return Math.max(1, Math.floor(branch ? most / weightOf(branch) : most))
}

const filtersOf = ({ filters }: Branch): string => filters.map(filterSql).join(' and ')

/** The rows of a branch. */
const matched = (branch: Branch): string =>
  branch.filters.length === 0
    ? `words where ${IN_WINDOW}`
    : `words join documents d on d.id = words.rowid where ${IN_WINDOW} and ${filtersOf(branch)}`

const boundsOf = (lookup: Lookup, { from, before }: Range): [string, bigint, bigint] => [
  matchOf(lookup),
  from,
  before,
]

const foundOf = ({ id, likes, replies, reposts }: Row): Found => ({
  id: String(id),
  numbers: { likes: Number(likes), replies: Number(replies), reposts: Number(reposts) },
})

const restOf = (window: SearchWindow, { from }: Range): { rest?: SearchWindow } =>
  from > BigInt(window.from) ? { rest: { from: window.from, before: String(from) } } : {}
