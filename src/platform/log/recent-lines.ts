const MAX_LINES = 1_000
const MAX_CHARACTERS = 1_000_000

/** A line of the log, with its number since the start. */
export interface NumberedLine {
  readonly number: number
  readonly line: string
}

/** The last lines of a log, bounded in number and size. */
export class RecentLines {
  readonly #lines: NumberedLine[] = []
  readonly #listeners = new Set<(line: NumberedLine) => void>()
  #characters = 0
  #count = 0

  add(text: string): void {
    const line: NumberedLine = { number: ++this.#count, line: text.trimEnd() }
    this.#lines.push(line)
    this.#characters += line.line.length
    while (this.#lines.length > MAX_LINES || this.#characters > MAX_CHARACTERS)
      this.#characters -= this.#lines.shift()?.line.length ?? 0
    for (const listener of this.#listeners) listener(line)
  }

  /** The last lines, oldest first: up to `limit` of those after a number. */
  last(limit: number, after = 0): readonly NumberedLine[] {
    return this.#lines.filter(({ number }) => number > after).slice(-limit)
  }

  /** Calls `listener` with each further line, until the result is disposed of. */
  follow(listener: (line: NumberedLine) => void): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }
}
