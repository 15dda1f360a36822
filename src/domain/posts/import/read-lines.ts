import { createReadStream } from 'node:fs'

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
