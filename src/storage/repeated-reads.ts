import { bind } from './query.ts'
import type { Query } from './query.ts'
import type { statements } from './sqlite-statements.ts'

/** Maximum number of cached rows. Beyond it, all are discarded. */
const MAX_ROWS = 1_000

/** Caches the first rows of `repeated` queries while the database stays in the same state. */
export class RepeatedReads {
  readonly #reads: Pick<ReturnType<typeof statements>, 'dialect' | 'first'>
  readonly #rows = new Map<string, object>()
  #version: number | undefined

  constructor(reads: Pick<ReturnType<typeof statements>, 'dialect' | 'first'>) {
    this.#reads = reads
  }

  /** @param version the same number while the database stays in the same state. */
  first<Args extends object, Row>(query: Query<Args, Row>, args: Args, version: number): Row | undefined {
    if (version !== this.#version || this.#rows.size >= MAX_ROWS) this.#rows.clear()
    this.#version = version
    const key = keyOf(query.index, bind(query.compile(this.#reads.dialect), args))
    const known = this.#rows.get(key)
    if (known !== undefined) return known as Row
    const row = this.#reads.first(query, args)
    // Missing rows are not cached, so that guesses cannot evict existing rows.
    if (row !== undefined) this.#rows.set(key, Object.freeze(row) as object)
    return row
  }
}

/** Different for different values, because each text is preceded by its length. */
function keyOf(index: number, values: readonly unknown[]): string {
  let key = String(index)
  for (const value of values)
    key += typeof value === 'string' ? ` ${value.length}:${value}` : ` ${typeof value} ${value}`
  return key
}
