import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** The prepared statements of a connection. */
export class Statements {
  readonly #db: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  of(text: string): StatementSync {
    const known = this.#prepared.get(text)
    if (known) return known
    const made = this.#db.prepare(text)
    this.#prepared.set(text, made)
    return made
  }
}
