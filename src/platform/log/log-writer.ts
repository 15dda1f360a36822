import { writeSync } from 'node:fs'
import { errorCode } from '../storage/atomic-file.ts'

const FLUSH_MS = 200
const BUFFER_BYTES = 8_192
/** What may wait for a reader that is slow or for space on the disk; lines beyond it are lost. */
const MAX_WAITING_BYTES = 1024 * 1024
/** A reader that is slow, and a disk that is full: the same bytes may be taken later. */
const PASSING = new Set(['EAGAIN', 'EINTR', 'ENOSPC', 'EDQUOT'])

/**
 * Lines for a file descriptor, written in batches, a fifth of a second late at most and before the
 * process exits. Without a reader the lines are dropped: an unread log must not block or end the
 * server. While the disk is full, lines wait.
 */
export class LogWriter {
  readonly #descriptor: number
  #lines = ''
  /** What the reader has not taken yet. */
  #rest: Buffer = Buffer.alloc(0)
  #isClosed = false

  constructor(descriptor: number) {
    this.#descriptor = descriptor
    setInterval(() => this.flush(), FLUSH_MS).unref()
    process.once('exit', () => this.flush())
  }

  write(line: string): void {
    if (this.#isClosed || this.#rest.length + this.#lines.length > MAX_WAITING_BYTES) return
    this.#lines += line
    // What was refused is tried again with so many new lines, not with each of them.
    if (this.#lines.length >= BUFFER_BYTES) this.flush()
  }

  /** Writes what the reader takes now. The rest waits for the next time. */
  flush(): void {
    if (this.#rest.length + this.#lines.length === 0) return
    let rest = Buffer.concat([this.#rest, Buffer.from(this.#lines)])
    this.#lines = ''
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#descriptor, rest))
    } catch (error) {
      if (!PASSING.has(errorCode(error) ?? '')) {
        this.#isClosed = true
        rest = rest.subarray(rest.length)
      }
    }
    this.#rest = rest
  }
}
