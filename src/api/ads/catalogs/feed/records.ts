import { FeedError } from './item.ts'

/** A record is held in memory. */
const MAX_RECORD = 1024 * 1024

/** A record of a table: its cells, and the line where it begins. */
interface TableRecord {
  cells: string[]
  line: number
}

/**
 * The records of text with cells between `delimiter`s (RFC 4180). A quoted cell may contain
 * delimiters and line breaks, and quotes that are doubled. A cell that only begins with a quoted
 * part is taken as it is written.
 * @throws FeedError
 */
export async function* recordsOf(
  chunks: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<TableRecord> {
  const reader = new RecordReader(delimiter)
  for await (const chunk of chunks)
    for (const character of chunk) {
      const record = reader.read(character)
      if (record) yield record
    }
  const last = reader.end()
  if (last) yield last
}

type State = 'beginning' | 'plain' | 'quoted' | 'after quote'

class RecordReader {
  readonly #delimiter: string
  #state: State = 'beginning'
  #cells: string[] = []
  /** The current cell: its value, and how it is written. */
  #value = ''
  #written = ''
  #size = 0
  #line = 1
  #recordLine = 1
  #cellLine = 1

  constructor(delimiter: string) {
    this.#delimiter = delimiter
  }

  /** Reads a character. Returns the record that it ends. */
  read(character: string): TableRecord | undefined {
    if (character === '\n') this.#line++
    if (++this.#size > MAX_RECORD) throw this.#tooLong()
    if (this.#state === 'quoted') {
      if (character === '"') this.#state = 'after quote'
      else this.#value += character
      this.#written += character
      return undefined
    }
    if (character === this.#delimiter) this.#endCell()
    else if (character === '\n') return this.#endRecord()
    else this.#inside(character)
    return undefined
  }

  #inside(character: string): void {
    if (this.#state === 'beginning' && character === '"') this.#state = 'quoted'
    else if (this.#state === 'after quote' && character === '"') {
      this.#state = 'quoted'
      this.#value += character
    } else if (this.#state !== 'after quote' || character !== '\r') {
      if (this.#state === 'after quote') this.#value = this.#unquoted()
      this.#state = 'plain'
      this.#value += character
    }
    this.#written += character
  }

  /** The beginning of a cell that turned out not to be quoted. */
  #unquoted(): string {
    if (this.#written.includes('\n'))
      throw new FeedError(
        `line ${this.#cellLine} begins a quoted cell with text after it: double the quotes inside`,
      )
    return this.#written
  }

  #endCell(): void {
    this.#cells.push(this.#value)
    this.#value = ''
    this.#written = ''
    this.#state = 'beginning'
    this.#cellLine = this.#line
  }

  #endRecord(): TableRecord {
    if (this.#state === 'plain') this.#value = this.#value.replace(/\r$/, '')
    this.#endCell()
    const record = { cells: this.#cells, line: this.#recordLine }
    this.#cells = []
    this.#size = 0
    this.#recordLine = this.#line
    return record
  }

  /** Ends the last record, which may have no line break. */
  end(): TableRecord | undefined {
    if (this.#state === 'quoted') throw this.#notClosed()
    return this.#size === 0 ? undefined : this.#endRecord()
  }

  #tooLong(): FeedError {
    return this.#state === 'quoted'
      ? this.#notClosed()
      : new FeedError(`line ${this.#recordLine} is longer than ${MAX_RECORD} characters`)
  }

  #notClosed = () => new FeedError(`line ${this.#cellLine} begins a quoted cell that does not end`)
}
