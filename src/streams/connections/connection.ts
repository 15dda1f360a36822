import type { TimeSource } from '../../common/clock.ts'
import type { Sink } from '../../http/streams.ts'
import type { EndReason } from './ends.ts'
import type { Flushable, Flusher } from './flusher.ts'

/** A line for one connection or many: made once. */
export interface Line {
  /** With its CR LF. */
  readonly text: string
  readonly bytes: number
}

export function lineOf(json: string): Line {
  const text = `${json}\r\n`
  return { text, bytes: Buffer.byteLength(text) }
}

/** A bare CR LF: tells a reader that the stream is alive. */
const BLANK: Line = { text: '\r\n', bytes: 2 }

export interface ConnectionParts {
  readonly id: string
  readonly appId: string
  /** Of the bearer that opened it. */
  readonly bearerHash: string | undefined
  readonly endpointName: string
  readonly maxBytes: number
  readonly clock: TimeSource
  readonly flusher: Flusher
  lastLine(reason: EndReason): string
  /** Called once, when it ends. Resolves when its record says so. */
  ended(connection: StreamConnection, reason: EndReason): Promise<void>
}

/** An open connection: lines wait here, within a limit, until its reader takes them. */
export class StreamConnection implements Flushable {
  readonly #parts: ConnectionParts
  readonly #over = Promise.withResolvers<void>()
  #recorded: Promise<void> = Promise.resolve()
  #sink: Sink<never> | undefined
  #waiting: string[] = []
  #waitingBytes = 0
  /** Of the write that the reader has not taken yet. */
  #writtenBytes = 0
  #isWriting = false
  #wroteAt: number
  #reason: EndReason | undefined
  #room: PromiseWithResolvers<void> | undefined

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.#wroteAt = parts.clock.now()
  }

  get id(): string {
    return this.#parts.id
  }

  get appId(): string {
    return this.#parts.appId
  }

  get bearerHash(): string | undefined {
    return this.#parts.bearerHash
  }

  get endpointName(): string {
    return this.#parts.endpointName
  }

  get isOpen(): boolean {
    return this.#reason === undefined
  }

  /** Resolves when it has ended. */
  get over(): Promise<void> {
    return this.#over.promise
  }

  get #heldBytes(): number {
    return this.#waitingBytes + this.#writtenBytes
  }

  /** When something was last written, by the clock of the interface. */
  get wroteAt(): number {
    return this.#wroteAt
  }

  /** Adds a line. A reader that lets too many wait is disconnected. */
  push(line: Line): void {
    if (!this.isOpen) return
    // It may be gathering that made them wait, not the reader.
    if (this.#heldBytes + line.bytes > this.#parts.maxBytes) this.flush()
    if (this.#heldBytes + line.bytes > this.#parts.maxBytes) {
      void this.end('slow_reader')
      return
    }
    this.#waiting.push(line.text)
    this.#waitingBytes += line.bytes
    this.#parts.flusher.add(this)
  }

  /** A blank line, unless other lines wait: they say as much. One that waits for the last write is not lost. */
  keepAlive(): void {
    if (this.#waiting.length === 0) this.push(BLANK)
  }

  /** Adds a line once the reader has room for it: for lines that can wait. */
  async offer(line: Line): Promise<void> {
    while (this.isOpen && this.#heldBytes > 0 && this.#heldBytes + line.bytes > this.#parts.maxBytes / 2) {
      this.#room ??= Promise.withResolvers()
      await this.#room.promise
    }
    this.push(line)
  }

  /** Ends the connection; the first reason counts. Resolves when its record says so. */
  end(reason: EndReason): Promise<void> {
    if (this.isOpen) {
      this.#reason = reason
      this.#recorded = this.#parts.ended(this, reason)
      this.#makeRoom()
      this.#over.resolve()
    }
    return this.#recorded
  }

  /** What holds the connection open, once its head was sent. */
  async run(sink: Sink<never>, signal: AbortSignal): Promise<void> {
    this.#sink = sink
    const stop = () => void this.end(signal.reason === 'shutdown' ? 'server_shutdown' : 'client_closed')
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    this.#parts.flusher.add(this)
    await this.#over.promise
    const reason = this.#reason as EndReason
    // What a slow reader has not taken is given up: memory is what it ran out of.
    const rest = reason === 'slow_reader' ? '' : this.#waiting.join('')
    this.#waiting = []
    this.#waitingBytes = 0
    sink.last(rest + this.#parts.lastLine(reason))
    await this.#recorded
  }

  /** Writes all lines that wait at once, unless the last write was not taken yet. */
  flush(): void {
    if (!this.#sink || this.#isWriting || !this.isOpen || this.#waiting.length === 0) return
    const text = this.#waiting.length === 1 ? (this.#waiting[0] as string) : this.#waiting.join('')
    this.#waiting = []
    this.#writtenBytes = this.#waitingBytes
    this.#waitingBytes = 0
    this.#isWriting = true
    this.#wroteAt = this.#parts.clock.now()
    const writing = this.#sink.write(text)
    // What the socket has room for was taken at once.
    if (this.#sink.canWrite) this.#written()
    writing.then(
      () => this.#isWriting && this.#written(),
      () => void this.end('client_closed'),
    )
  }

  #written(): void {
    this.#isWriting = false
    this.#writtenBytes = 0
    this.#makeRoom()
    if (this.#waiting.length > 0) this.#parts.flusher.add(this)
  }

  #makeRoom(): void {
    this.#room?.resolve()
    this.#room = undefined
  }
}
