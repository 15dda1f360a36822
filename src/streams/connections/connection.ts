import type { TimeSource } from '../../common/clock.ts'
import { systemClock } from '../../common/clock.ts'
import type { Sink } from '../../http/streams.ts'
import type { EndReason } from './ends.ts'
import type { Flushable, Flusher } from './flusher.ts'
import { Pace } from './pace.ts'

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

/** Lines that may not leave yet wait for so long, and leave together. In real time. */
const PACED_MS = 50

const textOf = (lines: readonly Line[]) =>
  lines.length === 1 ? (lines[0] as Line).text : lines.map(({ text }) => text).join('')

/** A bare CR LF: tells a reader that the stream is alive. */
const BLANK: Line = { text: '\r\n', bytes: 2 }

export interface ConnectionParts {
  readonly id: string
  readonly appId: string
  /** Of the bearer that opened it. */
  readonly bearerHash: string | undefined
  readonly endpointName: string
  readonly maxBytes: number
  /** Lines that may leave in a second; as many as come when absent. */
  readonly perSecond?: number
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
  readonly #pace: Pace | undefined
  /** Whether lines wait for their turn, because as many left as may. */
  #isPaced = false
  #waiting: Line[] = []
  #waitingBytes = 0
  /** Of the write that the reader has not taken yet. */
  #writtenBytes = 0
  #isWriting = false
  #wroteAt: number
  #reason: EndReason | undefined
  #lastLine = ''
  #room: PromiseWithResolvers<void> | undefined

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.#wroteAt = parts.clock.now()
    // In real time: the clock of the interface may stand still.
    if (parts.perSecond !== undefined) this.#pace = new Pace(parts.perSecond, systemClock.now())
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
      void this.end(this.#isPaced && !this.#isWriting ? 'too_many_posts' : 'slow_reader')
      return
    }
    this.#waiting.push(line)
    this.#waitingBytes += line.bytes
    this.#parts.flusher.add(this)
  }

  /** A blank line, unless other lines wait: they say as much. One that waits for the last write is not lost. */
  keepAlive(): void {
    if (this.#waiting.length === 0) this.push(BLANK)
  }

  /** Adds a line if the reader has room for it. */
  offerNow(line: Line): boolean {
    if (!this.isOpen || !this.#hasRoom(line)) return false
    this.push(line)
    return true
  }

  #hasRoom({ bytes }: Line): boolean {
    return this.#heldBytes === 0 || this.#heldBytes + bytes <= this.#parts.maxBytes / 2
  }

  /** Adds a line once the reader has room for it: for lines that can wait. */
  async offer(line: Line): Promise<void> {
    while (this.isOpen && !this.#hasRoom(line)) {
      this.#room ??= Promise.withResolvers()
      await this.#room.promise
    }
    this.push(line)
  }

  /** Resolves when the reader has taken every line. */
  async drained(): Promise<void> {
    while (this.isOpen && this.#heldBytes > 0) {
      this.#room ??= Promise.withResolvers()
      await this.#room.promise
    }
  }

  /**
   * Ends the connection with a last line, which follows from the reason when absent; the first reason counts. Resolves when
   * its record says so.
   */
  end(reason: EndReason, lastLine = this.#parts.lastLine(reason)): Promise<void> {
    if (this.isOpen) {
      this.#reason = reason
      this.#lastLine = lastLine
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
    const isGivenUp = reason === 'slow_reader' || reason === 'too_many_posts'
    const rest = isGivenUp ? '' : textOf(this.#waiting)
    this.#waiting = []
    this.#waitingBytes = 0
    sink.last(rest + this.#lastLine)
    await this.#recorded
  }

  /** Writes all lines that wait at once, unless the last write was not taken yet. */
  flush(): void {
    if (!this.#sink || this.#isWriting || this.#isPaced || !this.isOpen || this.#waiting.length === 0) return
    const lines = this.#next()
    if (lines.length === 0) return
    const text = textOf(lines)
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

  /** Takes the lines that may leave now. */
  #next(): readonly Line[] {
    const wanted = this.#waiting.length
    const many = this.#pace?.take(wanted, systemClock.now()) ?? wanted
    const lines = this.#waiting
    this.#waiting = many === wanted ? [] : lines.splice(many)
    this.#writtenBytes = this.#waiting.reduce((rest, { bytes }) => rest - bytes, this.#waitingBytes)
    this.#waitingBytes -= this.#writtenBytes
    if (many < wanted) this.#rest()
    return lines
  }

  /** Until some more lines may leave. */
  #rest(): void {
    this.#isPaced = true
    void systemClock.at(systemClock.now() + PACED_MS).then(() => {
      this.#isPaced = false
      this.#parts.flusher.add(this)
    })
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
