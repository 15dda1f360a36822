import { useEffect, useState } from 'preact/hooks'
import { call, isAborted, lines, sentenceOf } from '../../api.ts'
import { after } from '../../timers.ts'
import { type Filter, queryOf, type Summary } from './entry.ts'

const SHOWN = 200
const MAX_KEPT = 1_000
const AGAIN_MS = 2_000

interface List {
  readonly data: readonly Summary[]
  readonly meta: { readonly last_sequence: number }
}

export interface Followed {
  readonly entries: readonly Summary[] | undefined
  readonly error: string | undefined
  /** Whether older entries may follow. */
  readonly hasMore: boolean
  more(): void
}

/** The entries that match, the newest first, and new ones as they come unless it is paused. */
export function useEntries(filter: Filter, isLive: boolean, turn: number): Followed {
  const [state, setState] = useState<{ entries?: readonly Summary[]; error?: string; hasMore: boolean }>({
    hasMore: false,
  })
  const query = queryOf(filter, { limit: String(SHOWN) })
  useEffect(() => {
    const ended = new AbortController()
    let again: (() => void) | undefined
    const begin = async () => {
      try {
        const { data, meta } = await call<List>('GET', `/journal?${query}`, { signal: ended.signal })
        setState({ entries: data, hasMore: data.length === SHOWN })
        if (!isLive) return
        const from = queryOf(filter, { after: String(meta.last_sequence) })
        for await (const line of lines<{ data: Summary }>(`/journal/stream?${from}`, ended.signal))
          setState((before) => ({ ...before, entries: withNewer(line.data, before.entries ?? []) }))
      } catch (error) {
        if (ended.signal.aborted || isAborted(error)) return
        setState((before) => ({ ...before, error: sentenceOf(error) }))
      }
      if (isLive && !ended.signal.aborted) again = after(AGAIN_MS, () => void begin())
    }
    void begin()
    return () => {
      ended.abort()
      again?.()
    }
    // The query has all members of the filter.
  }, [query, isLive, turn])
  const more = async () => {
    const before = state.entries?.at(-1)?.sequence
    if (before === undefined) return
    try {
      const { data } = await call<List>('GET', `/journal?${query}&before=${before}`)
      setState(({ entries = [] }) => ({ entries: [...entries, ...data], hasMore: data.length === SHOWN }))
    } catch (error) {
      setState((old) => ({ ...old, error: sentenceOf(error) }))
    }
  }
  return { entries: state.entries, error: state.error, hasMore: state.hasMore, more: () => void more() }
}

/** A stream has one entry, which changes while it is open. */
const withNewer = (entry: Summary, entries: readonly Summary[]): readonly Summary[] =>
  [entry, ...entries.filter(({ sequence }) => sequence !== entry.sequence)].slice(0, MAX_KEPT)
