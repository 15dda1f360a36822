import type { Query } from './query.ts'
import { bind } from './query.ts'
import type { SqliteStatements } from './sqlite-statements.ts'

/** When this many rows are remembered, all are dropped. */
const MAX_ROWS = 1_000

type ReadStatements = Pick<SqliteStatements, 'dialect' | 'first'>

/** Remembers the rows of repeated queries while the database does not change. */
export class RepeatedReads {
  readonly #reads: ReadStatements
  readonly #rows = new Map<string, object>()
  #version: number | undefined

  constructor(reads: ReadStatements) {
    this.#reads = reads
  }

  /** @param version changes whenever the database changes. */
  first<Args extends object, Row>(query: Query<Args, Row>, args: Args, version: number): Row | undefined {
    if (version !== this.#version || this.#rows.size >= MAX_ROWS) this.#rows.clear()
    this.#version = version
    const key = keyOf(query.index, bind(query.compile(this.#reads.dialect), args))
    const known = this.#rows.get(key)
    if (known !== undefined) return known as Row
    const row = this.#reads.first(query, args)
    // Absent rows are not remembered: guesses must not push out rows.
    if (row !== undefined) this.#rows.set(key, Object.freeze(row) as object)
    return row
  }
}

/** Different values give different keys: each string is preceded by its length. */
function keyOf(index: number, values: readonly unknown[]): string {
  let key = String(index)
  for (const value of values)
    key += typeof value === 'string' ? ` ${value.length}:${value}` : ` ${typeof value} ${value}`
  return key
}
