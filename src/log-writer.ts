import { writeSync } from 'node:fs'
import { errorCode } from './storage/atomic-file.ts'

const FLUSH_MS = 200
const BUFFER_BYTES = 8_192
/** Maximum number of bytes that wait for a slow reader. Further lines are lost. */
const MAX_WAITING_BYTES = 1024 * 1024

/**
 * Writes lines to a file descriptor in batches, at most a fifth of a second late and before the process exits. If no
 * one reads them, lines are dropped: an unread log must not block or end the server.
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
    if (this.#rest.length + this.#lines.length >= BUFFER_BYTES) this.flush()
  }

  /** Writes what the reader takes now. The rest waits for the next time. */
  flush(): void {
    if (this.#rest.length + this.#lines.length === 0) return
    let rest = Buffer.concat([this.#rest, Buffer.from(this.#lines)])
    this.#lines = ''
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#descriptor, rest))
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') {
        this.#isClosed = true
        rest = rest.subarray(rest.length)
      }
    }
    this.#rest = rest
  }
}
