const MAX_LINES = 1_000
const MAX_CHARACTERS = 1_000_000

/** A line of the log, with its number since the start. */
export interface NumberedLine {
  readonly number: number
  readonly line: string
}

/** The last lines of a log, bounded in number and size. */
export class RecentLines {
  /** A ring: the line with the number n is at n modulo its length. */
  readonly #ring = new Array<string>(MAX_LINES).fill('')
  readonly #listeners = new Set<(line: NumberedLine) => void>()
  #characters = 0
  /** The number of the oldest line; one more than the last if there is none. */
  #oldest = 1
  #last = 0

  add(line: string): void {
    if (this.#last - this.#oldest + 1 === MAX_LINES) this.#drop()
    this.#ring[++this.#last % MAX_LINES] = line
    this.#characters += line.length
    while (this.#characters > MAX_CHARACTERS) this.#drop()
    if (this.#listeners.size === 0) return
    const numbered = this.#at(this.#last)
    for (const listener of this.#listeners) listener(numbered)
  }

  #drop(): void {
    this.#characters -= (this.#ring[this.#oldest % MAX_LINES] as string).length
    this.#ring[this.#oldest++ % MAX_LINES] = ''
  }

  #at(number: number): NumberedLine {
    return { number, line: (this.#ring[number % MAX_LINES] as string).trimEnd() }
  }

  /** The last lines, oldest first: up to `limit` of those after a number. */
  last(limit: number, after = 0): readonly NumberedLine[] {
    const first = Math.max(this.#oldest, after + 1, this.#last - limit + 1)
    return Array.from({ length: Math.max(0, this.#last - first + 1) }, (_, n) => this.#at(first + n))
  }

  /** Calls `listener` with each further line, until the result is disposed of. */
  follow(listener: (line: NumberedLine) => void): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }
}
