import { DatabaseSync } from 'node:sqlite'

/** Detects duplicates among very many texts, in a temporary database file. */
export class Repeated {
  // SQLite creates a temporary file for an empty name, so that memory use is bounded.
  readonly #db = new DatabaseSync('')
  readonly #add
  readonly #find

  constructor() {
    this.#db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF')
    this.#db.exec('CREATE TABLE seen (text TEXT PRIMARY KEY, again INTEGER NOT NULL) WITHOUT ROWID')
    this.#add = this.#db.prepare('INSERT INTO seen VALUES (?, 0) ON CONFLICT DO UPDATE SET again = 1')
    this.#find = this.#db.prepare('SELECT again FROM seen WHERE text = ?')
    this.#db.exec('BEGIN')
  }

  add(text: string): void {
    this.#add.run(text)
  }

  has(text: string): boolean {
    return this.#find.get(text)?.again === 1
  }

  close(): void {
    this.#db.close()
  }
}
