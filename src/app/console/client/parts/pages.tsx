import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Resource, useAdmin } from '../resource.ts'

/** A list of the admin API. */
export interface List<T> {
  readonly data: readonly T[]
  readonly meta: { readonly result_count: number; readonly next_token?: string }
}

interface Pages<T> extends Resource<List<T>> {
  /** Buttons that lead to other pages; empty if there are none. */
  readonly pager: JSX.Element
}

/** Reads a list of the admin API page by page. Another path begins at its first page. */
export function usePages<T>(path: string, everyMs?: number): Pages<T> {
  const [place, setPlace] = useState<{ path: string; tokens: readonly string[] }>({ path, tokens: [] })
  const tokens = place.path === path ? place.tokens : []
  const token = tokens.at(-1)
  const mark = path.includes('?') ? '&' : '?'
  const list = useAdmin<List<T>>(
    token === undefined ? path : `${path}${mark}pagination_token=${token}`,
    everyMs,
  )
  const next = list.data?.meta.next_token
  const pager = (
    <div class="row center">
      {token !== undefined && (
        <button type="button" onClick={() => setPlace({ path, tokens: tokens.slice(0, -1) })}>
          Back
        </button>
      )}
      {next !== undefined && (
        <button type="button" onClick={() => setPlace({ path, tokens: [...tokens, next] })}>
          More
        </button>
      )}
    </div>
  )
  return { ...list, pager }
}
