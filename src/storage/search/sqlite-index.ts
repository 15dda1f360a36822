import { Gate } from '../../common/gate.ts'
import { Thread } from '../../common/thread.ts'
import { StoreUnavailable } from '../store.ts'
import type { Branch } from './branches.ts'
import { branchesOf } from './branches.ts'
import type { Count, Found, SearchIndex, SearchWindow } from './search-index.ts'
import { CANDIDATE_LIMITS, tooManyToCount } from './search-index.ts'
import { DAMAGED } from './sqlite-database.ts'
import type { SearchStep } from './sqlite-steps.ts'
import type { SearchThread, SearchThreadData } from './sqlite-thread.ts'

/** Maximum number of waiting steps: more than there are searches at the same time. */
const MAX_WAITING = 1_000
/** Maximum number of steps in the thread, so that a change of the index waits for no more. */
const MAX_IN_THREAD = 2
/** How many candidates the first step of a search may read. */
const FIRST_EFFORT = 5_000
const LEAST_EFFORT = 500
/** A step of this effort takes about 35 ms. */
const MOST_EFFORT = 50_000
/** After a shorter step, the next one does more; after a longer step, less. */
const SHORT_MS = 5
const LONG_MS = 25

/**
 * The index of the embedded store, in a thread that starts with the first call. A thread that died is replaced; applied
 * changes are in its file. Searches are divided into steps: those of different searches take turns.
 */
export function sqliteSearchIndex(file: string | undefined, limits = CANDIDATE_LIMITS): SearchIndex {
  const thread = new IndexThread(file)
  return {
    state: () => thread.call('state', []),
    apply: (changes) => thread.call('apply', [changes]),
    reopen: () => thread.call('reopen', []),
    clear: () => thread.call('clear', []),
    finish: () => thread.call('finish', []),
    onLost: (lost) => thread.onLost(lost),
    async find(expression, window, limit) {
      const found: Found[] = []
      const steps = new Steps(branchesOf(expression), window, limits.found)
      while (steps.next) {
        const step = await thread.step('find', [steps.next, limit - found.length])
        found.push(...step.found)
        if (found.length >= limit) return { found }
        steps.done(step)
      }
      return { found, ...(steps.rest && { rest: steps.rest }) }
    },
    async count(expression, window, bucketMs) {
      const parts: Float64Array[] = []
      const steps = new Steps(branchesOf(expression), window, limits.counted)
      while (steps.next) {
        const step = await thread.step('count', [steps.next, bucketMs])
        parts.push(step.counts)
        steps.done(step)
      }
      if (steps.rest) throw tooManyToCount(limits.counted)
      return countsOf(parts.reverse())
    },
    close: () => thread.close(),
  }
}

/** Counts in parts, both oldest first. Two parts may have counts of one span. */
function countsOf(parts: readonly Float64Array[]): Count[] {
  const counts: { start: number; count: number }[] = []
  for (const part of parts)
    for (let at = 0; at < part.length; at += 2) {
      const [start, count] = [part[at] ?? 0, part[at + 1] ?? 0]
      const last = counts.at(-1)
      if (last?.start === start) last.count += count
      else counts.push({ start, count })
    }
  return counts
}

/** The steps of one search. */
class Steps {
  /** The next step; undefined at the end. */
  next: SearchStep | undefined
  /** The part of the window that was not searched, because too many candidates were read. */
  rest: SearchWindow | undefined

  /** The branches share the candidates. */
  constructor(branches: readonly Branch[], window: SearchWindow, candidates: number) {
    if (branches.length === 0 || BigInt(window.from) >= BigInt(window.before)) return
    const left = branches.map(() => Math.max(1, Math.floor(candidates / branches.length)))
    this.next = { branches, window, left, effort: FIRST_EFFORT }
  }

  done({ left, rest, ms }: { left: number[]; rest?: SearchWindow; ms: number }): void {
    const last = this.next
    this.next = undefined
    if (!last || !rest) return
    if (left.some((one) => one <= 0)) this.rest = rest
    else this.next = { branches: last.branches, window: rest, left, effort: effortAfter(last.effort, ms) }
  }
}

/** The results do not depend on the effort, so it may follow the time. */
function effortAfter(effort: number, ms: number): number {
  if (ms < SHORT_MS) return Math.min(4 * effort, MOST_EFFORT)
  return ms > LONG_MS ? Math.max(effort / 2, LEAST_EFFORT) : effort
}

/** The thread of an index, which is replaced when it dies. */
class IndexThread {
  readonly #file: string | undefined
  readonly #gate = new Gate(MAX_IN_THREAD, MAX_WAITING)
  readonly #listeners = new Set<(reason: Error) => void>()
  #thread: Thread<SearchThread> | undefined

  constructor(file: string | undefined) {
    this.#file = file
  }

  onLost(lost: (reason: Error) => void): Disposable {
    this.#listeners.add(lost)
    return { [Symbol.dispose]: () => void this.#listeners.delete(lost) }
  }

  /** @throws StoreUnavailable The index was damaged, and is empty now. */
  async call<Name extends keyof SearchThread & string>(
    method: Name,
    args: Parameters<SearchThread[Name]>,
  ): Promise<Awaited<ReturnType<SearchThread[Name]>>> {
    try {
      return await this.#alive().call(method, args)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === DAMAGED)) throw error
      this.#tellLost(error)
      throw new StoreUnavailable('the search index was damaged and is being built', { cause: error })
    }
  }

  /** A step of a search, in the order of the calls. */
  step<Name extends 'find' | 'count'>(
    method: Name,
    args: Parameters<SearchThread[Name]>,
  ): Promise<Awaited<ReturnType<SearchThread[Name]>>> {
    return this.#gate.through(() => this.call(method, args))
  }

  async close(): Promise<void> {
    await this.#thread?.close()
  }

  #alive(): Thread<SearchThread> {
    if (this.#thread?.alive) return this.#thread
    const isLost = this.#thread !== undefined && this.#file === undefined
    this.#thread = new Thread<SearchThread>(new URL('./sqlite-thread.ts', import.meta.url), {
      file: this.#file,
    } satisfies SearchThreadData)
    if (isLost) this.#tellLost(new Error('the thread of the search index has ended, and its memory with it'))
    return this.#thread
  }

  #tellLost(reason: Error): void {
    for (const lost of this.#listeners) lost(reason)
  }
}
