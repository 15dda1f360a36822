import { Gate } from '../../../platform/common/gate.ts'
import { Thread } from '../../../platform/common/thread.ts'
import { StoreUnavailable } from '../../../platform/storage/store.ts'
import { branchesOf, shareOf } from './branches.ts'
import { CANDIDATE_LIMITS, type SearchCount, type SearchIndex, tooManyToCount } from './search-index.ts'
import { DAMAGED } from './sqlite-database.ts'
import type { SearchThread, SearchThreadData } from './sqlite-thread.ts'

/** Maximum number of waiting searches: more than there are at the same time. */
const MAX_WAITING = 1_000
/**
 * Maximum number of searches and steps of counts in the thread, so that a change of the index waits
 * for no more.
 */
const MAX_IN_THREAD = 2

/**
 * The index of the embedded store, in a thread that starts with the first call. A thread that died
 * is replaced; applied changes are in its file. `copyOf`: the database that an index in memory
 * begins with.
 */
export function sqliteSearchIndex(
  file: string | undefined,
  limits = CANDIDATE_LIMITS,
  copyOf?: string,
): SearchIndex {
  const thread = new IndexThread(file, copyOf)
  const gate = new Gate(MAX_IN_THREAD, MAX_WAITING)
  return {
    state: () => thread.call('state', []),
    apply: (changes) => thread.call('apply', [changes]),
    reopen: () => thread.call('reopen', []),
    clear: () => thread.call('clear', []),
    finish: () => thread.call('finish', []),
    onLost: (lost) => thread.onLost(lost),
    find(expression, window, limit) {
      const request = { branches: branchesOf(expression), window, candidates: limits.found }
      return gate.through(() => thread.call('find', [request, limit]))
    },
    async count(expression, window, bucketMs, originMs = 0) {
      const parts: Float64Array[] = []
      const branches = branchesOf(expression)
      let rest = window
      for (let left = limits.counted; left > 0; left -= limits.found) {
        const request = { branches, window: rest, candidates: Math.min(limits.found, left) }
        const part = await gate.through(() => thread.call('count', [request, { bucketMs, originMs }]))
        parts.push(part.counts)
        if (!part.rest) return countsOf(parts.reverse())
        rest = part.rest
      }
      throw tooManyToCount(
        Math.min(
          ...branches.map((branch) => shareOf(branch, { candidates: limits.counted, branches: [branch] })),
        ),
      )
    },
    copyInto: (target) => thread.call('copyInto', [target]),
    close: () => thread.close(),
  }
}

/** Counts in parts, both oldest first. Two parts may have counts of one span. */
function countsOf(parts: readonly Float64Array[]): SearchCount[] {
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

/** The thread of an index, which is replaced when it dies. */
class IndexThread {
  readonly #file: string | undefined
  /** For the first thread: a later one would begin with what is out of date by then. */
  #copyOf: string | undefined
  readonly #listeners = new Set<(reason: Error) => void>()
  #thread: Thread<SearchThread> | undefined

  constructor(file: string | undefined, copyOf: string | undefined) {
    this.#file = file
    this.#copyOf = copyOf
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

  async close(): Promise<void> {
    await this.#thread?.close()
  }

  #alive(): Thread<SearchThread> {
    if (this.#thread?.alive) return this.#thread
    const isLost = this.#thread !== undefined && this.#file === undefined
    this.#thread = new Thread<SearchThread>(new URL('./sqlite-thread.ts', import.meta.url), {
      file: this.#file,
      copyOf: this.#copyOf,
    } satisfies SearchThreadData)
    this.#copyOf = undefined
    if (isLost) this.#tellLost(new Error('the thread of the search index has ended, and its memory with it'))
    return this.#thread
  }

  #tellLost(reason: Error): void {
    for (const lost of this.#listeners) lost(reason)
  }
}
