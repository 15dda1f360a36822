import { bind } from './query.ts'
import type { Query } from './query.ts'
import type { statements } from './sqlite-statements.ts'

/** Rows that are remembered: beyond that, all are forgotten. */
const MAX_ROWS = 1_000

/** Remembers the first rows of queries that are repeated, as long as the database is in the same state. */
export class RepeatedReads {
  readonly #reads: Pick<ReturnType<typeof statements>, 'dialect' | 'first'>
  readonly #rows = new Map<string, object>()
  #version: number | undefined

  constructor(reads: Pick<ReturnType<typeof statements>, 'dialect' | 'first'>) {
    this.#reads = reads
  }

  /** @param version the same number as long as the database is in the same state. */
  first<Args extends object, Row>(query: Query<Args, Row>, args: Args, version: number): Row | undefined {
    if (version !== this.#version || this.#rows.size >= MAX_ROWS) this.#rows.clear()
    this.#version = version
    const key = keyOf(query.index, bind(query.compile(this.#reads.dialect), args))
    const known = this.#rows.get(key)
    if (known !== undefined) return known as Row
    const row = this.#reads.first(query, args)
    // An answer that there is none is not remembered: a stranger's guesses must not push out rows.
    if (row !== undefined) this.#rows.set(key, Object.freeze(row) as object)
    return row
  }
}

/** Another text for other values: a text has its length before it. */
function keyOf(index: number, values: readonly unknown[]): string {
  let key = String(index)
  for (const value of values)
    key += typeof value === 'string' ? ` ${value.length}:${value}` : ` ${typeof value} ${value}`
  return key
}
