import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { call, isAborted, sentenceOf } from './api.ts'
import { every } from './timers.ts'

/** What a page reads. `error` is a sentence; the last data stay beside it. */
export interface Resource<T> {
  readonly data: T | undefined
  readonly error: string | undefined
  readonly isLoading: boolean
  reload(): void
}

/** Reads something when the page is shown, when `key` changes, and every `everyMs`. */
export function useResource<T, K extends string = string>(
  key: K | undefined,
  load: (key: K, ended: AbortSignal) => Promise<T>,
  everyMs?: number,
): Resource<T> {
  const [state, setState] = useState<{ key?: string | undefined; data?: T; error?: string }>({})
  const [turn, setTurn] = useState(0)
  const latest = useRef(load)
  latest.current = load
  const reload = useCallback(() => setTurn((before) => before + 1), [])
  useEffect(() => {
    if (key === undefined) return undefined
    const controller = new AbortController()
    latest.current(key, controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) setState({ key, data })
      },
      (error) => {
        if (controller.signal.aborted || isAborted(error)) return
        setState((before) => ({
          ...(before.key === key && before.data !== undefined && { data: before.data }),
          key,
          error: sentenceOf(error),
        }))
      },
    )
    return () => controller.abort()
  }, [key, turn])
  useEffect(() => (everyMs === undefined ? undefined : every(everyMs, reload)), [everyMs, reload])
  const isCurrent = state.key === key
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading: key !== undefined && !isCurrent,
    reload,
  }
}

/** Reads a path of the admin API. */
export const useAdmin = <T>(path: string | undefined, everyMs?: number): Resource<T> =>
  useResource<T>(path, (one, ended) => call<T>('GET', one, { signal: ended }), everyMs)

/** A change that a reader asks for: whether it runs, and how it ended. */
export interface Action<A extends readonly unknown[]> {
  readonly isRunning: boolean
  readonly error: string | undefined
  /** A sentence about the last success. */
  readonly done: string | undefined
  run(...args: A): Promise<boolean>
  clear(): void
}

/** `work` resolves to a sentence that says what was done, or to nothing. */
export function useAction<A extends readonly unknown[]>(
  work: (...args: A) => Promise<string | undefined>,
): Action<A> {
  const [state, setState] = useState<{ isRunning: boolean; error?: string; done?: string }>({
    isRunning: false,
  })
  return {
    isRunning: state.isRunning,
    error: state.error,
    done: state.done,
    clear: () => setState({ isRunning: false }),
    async run(...args) {
      setState({ isRunning: true })
      try {
        const done = await work(...args)
        setState({ isRunning: false, ...(done !== undefined && { done }) })
        return true
      } catch (error) {
        setState({ isRunning: false, error: sentenceOf(error) })
        return false
      }
    },
  }
}
