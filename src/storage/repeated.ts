import { DatabaseSync } from 'node:sqlite'

/** Tells which of a great many texts came more than once, in a file of its own that is gone with it. */
export class Repeated {
  // An empty name is a temporary file: memory stays small however many texts there are.
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
