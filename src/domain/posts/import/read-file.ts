import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'

/** A longer line cannot be a page of posts: it is skipped and not kept in memory. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024
const CHUNK_BYTES = 1024 * 1024
const NEW_LINE = 0x0a

export interface FileLine {
  /** From 1. */
  number: number
  /** Undefined when it is longer than `MAX_LINE_BYTES`. */
  text: string | undefined
  /** The position of the next line. */
  end: number
}

/**
 * The lines of a file, from a position at which a line begins. `line` is the number of lines before
 * it.
 */
export async function* readLines(
  file: string,
  { line, byte }: { line: number; byte: number },
): AsyncGenerator<FileLine> {
  let number = line
  let at = byte
  let rest: Buffer = Buffer.alloc(0)
  /** Bytes of the current line, if it is too long. */
  let skipped = 0
  const made = (part: Buffer, ending: number): FileLine => {
    at += skipped + part.length + ending
    const isTooLong = skipped + part.length > MAX_LINE_BYTES
    skipped = 0
    return { number: ++number, text: isTooLong ? undefined : part.toString('utf8'), end: at }
  }
  for await (const chunk of createReadStream(file, { start: byte, highWaterMark: CHUNK_BYTES })) {
    let data = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer])
    for (let end = data.indexOf(NEW_LINE); end !== -1; end = data.indexOf(NEW_LINE)) {
      yield made(data.subarray(0, end), 1)
      data = data.subarray(end + 1)
    }
    rest = data
    if (rest.length <= MAX_LINE_BYTES) continue
    skipped += rest.length
    rest = Buffer.alloc(0)
  }
  if (skipped + rest.length > 0) yield made(rest, 0)
}

/** A value of a file: a line, or an element of an array. */
export interface FileValue {
  /** The line where it begins, from 1. */
  line: number
  /** Undefined when it is longer than `MAX_LINE_BYTES`. */
  text: string | undefined
  /**
   * Where reading continues after it: the number of lines before this position, and the position.
   */
  next: FilePosition
}

export interface FilePosition {
  line: number
  byte: number
}

/** An array, alone or as the value of an assignment in a script, as archives have it. */
const ARRAY = /^\ufeff?\s*(?:[A-Za-z_$][\w.$[\]"'-]*\s*=\s*)?\[/
const HEAD_BYTES = 4_096

/**
 * The values of a file, from a position: those of an array, if it begins with one, and otherwise
 * its lines.
 */
export async function* readFile(file: string, from: FilePosition): AsyncGenerator<FileValue> {
  const head = await headOf(file)
  const start = ARRAY.exec(head)?.[0]
  if (start === undefined) {
    for await (const { number, text, end } of readLines(file, from))
      yield {
        line: number,
        text: number === 1 ? text?.replace(/^\ufeff/, '') : text,
        next: { line: number, byte: end },
      }
    return
  }
  const first = { line: start.split('\n').length - 1, byte: Buffer.byteLength(start) }
  yield* readElements(file, from.byte === 0 ? first : from)
}

async function headOf(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

const BYTES = { newLine: 0x0a, quote: 0x22, comma: 0x2c, openList: 0x5b, escape: 0x5c, closeList: 0x5d }
const [OPEN_OBJECT, CLOSE_OBJECT, SPACE] = [0x7b, 0x7d, 0x20]

/** The elements of an array of JSON values, from a position in it. */
async function* readElements(file: string, from: FilePosition): AsyncGenerator<FileValue> {
  const elements = new ArrayElements(from)
  for await (const chunk of createReadStream(file, { start: from.byte, highWaterMark: 1024 * 1024 })) {
    yield* elements.read(chunk as Buffer)
    if (elements.isDone) return
  }
  const rest = elements.rest()
  if (rest) yield rest
}

class ArrayElements {
  isDone = false
  #parts: Buffer[] = []
  #length = 0
  #depth = 0
  #inText = false
  #isEscaped = false
  /** Whether an element has begun. */
  #isOpen = false
  #line: number
  #byte: number
  #firstLine = 0

  constructor({ line, byte }: FilePosition) {
    this.#line = line
    this.#byte = byte
  }

  *read(chunk: Buffer): Generator<FileValue> {
    let start = 0
    for (let at = 0; at < chunk.length && !this.isDone; at++) {
      const byte = chunk[at] as number
      const isEnd = this.#isOpen && this.#depth === 0 && !this.#inText && isBetween(byte)
      if (isEnd) {
        this.#keep(chunk.subarray(start, at))
        yield this.#made()
      }
      if (byte === BYTES.newLine) this.#line++
      this.#byte++
      if (this.#isOpen) this.#step(byte)
      else if (byte === BYTES.closeList) this.isDone = true
      else if (byte !== BYTES.comma && byte > SPACE) {
        this.#isOpen = true
        this.#firstLine = this.#line + 1
        start = at
        this.#step(byte)
      }
    }
    if (this.#isOpen) this.#keep(chunk.subarray(start))
  }

  #step(byte: number): void {
    if (this.#inText) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === BYTES.escape) this.#isEscaped = true
      else if (byte === BYTES.quote) this.#inText = false
    } else if (byte === BYTES.quote) this.#inText = true
    else if (byte === OPEN_OBJECT || byte === BYTES.openList) this.#depth++
    else if (byte === CLOSE_OBJECT || byte === BYTES.closeList) this.#depth--
  }

  /** Stores a part of the element, unless the element is too long. */
  #keep(part: Buffer): void {
    this.#length += part.length
    if (this.#length > MAX_LINE_BYTES) this.#parts = []
    else this.#parts.push(part)
  }

  #made(): FileValue {
    const text = this.#length > MAX_LINE_BYTES ? undefined : Buffer.concat(this.#parts).toString('utf8')
    this.#parts = []
    this.#length = 0
    this.#isOpen = false
    return { line: this.#firstLine, text, next: { line: this.#line, byte: this.#byte } }
  }

  /** The incomplete last element, if the array does not end. */
  rest(): FileValue | undefined {
    return this.#isOpen ? this.#made() : undefined
  }
}

const isBetween = (byte: number) => byte === BYTES.comma || byte === BYTES.closeList || byte <= SPACE
