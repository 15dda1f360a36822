import { systemClock, type TimeSource } from '../../../platform/common/clock.ts'
import type { Sink } from '../../../platform/http/streams.ts'
import type { EndpointName } from './endpoint-names.ts'
import { type EndReason, isEndReason } from './ends.ts'
import type { Flushable, Flusher } from './flusher.ts'

const SECOND_MS = 1_000

/** Limits how many lines may be sent: a burst of one second's lines, then evenly. */
export class Pace {
  readonly #perSecond: number
  #left: number
  #at: number

  /** Times are milliseconds of one clock. */
  constructor(perSecond: number, nowMs: number) {
    this.#perSecond = perSecond
    this.#left = perSecond
    this.#at = nowMs
  }

  /** Takes up to this many. Returns how many. */
  take(wanted: number, nowMs: number): number {
    const since = Math.max(0, nowMs - this.#at)
    this.#left = Math.min(this.#perSecond, this.#left + (since * this.#perSecond) / SECOND_MS)
    this.#at = nowMs
    const taken = Math.min(wanted, Math.floor(this.#left))
    this.#left -= taken
    return taken
  }
}

/** A line for one or many connections, created once. */
export interface Line {
  /** Including its CR LF. */
  readonly text: string
  readonly bytes: number
}

export function lineOf(json: string): Line {
  const text = `${json}\r\n`
  return { text, bytes: Buffer.byteLength(text) }
}

/** Lines that may not be sent yet wait this long, and are sent together. In real time. */
const PACED_MS = 50

const textOf = (lines: readonly Line[]) =>
  lines.length === 1 ? (lines[0] as Line).text : lines.map(({ text }) => text).join('')

/** The reason of a signal: that of the stream, or of a fault. */
const endReasonOf = (reason: unknown): EndReason =>
  reason === 'shutdown' ? 'server_shutdown' : isEndReason(reason) ? reason : 'client_closed'

/** A bare CR LF: tells a reader that the stream is alive. */
const BLANK: Line = { text: '\r\n', bytes: 2 }

export interface ConnectionParts {
  readonly id: string
  readonly appId: string
  /** The access token that opened it. */
  readonly bearerHash: string | undefined
  readonly endpointName: EndpointName
  readonly maxBytes: number
  /** Maximum number of lines per second; unlimited if absent. */
  readonly perSecond?: number
  readonly clock: TimeSource
  readonly flusher: Flusher
  lastLine(reason: EndReason): string
  /** Called once, when it ends. Resolves when its end is recorded. */
  ended(connection: StreamConnection, reason: EndReason): Promise<void>
}

/** An open connection. Lines wait here, within a limit, until its reader takes them. */
export class StreamConnection implements Flushable {
  readonly #parts: ConnectionParts
  readonly #over = Promise.withResolvers<void>()
  #recorded: Promise<void> = Promise.resolve()
  #sink: Sink<never> | undefined
  readonly #pace: Pace | undefined
  /** Whether lines wait because the rate limit was reached. */
  #isPaced = false
  #waiting: Line[] = []
  #waitingBytes = 0
  /** Bytes of the write that the reader has not taken yet. */
  #writtenBytes = 0
  #isWriting = false
  #wroteAt: number
  #reason: EndReason | undefined
  #lastLine = ''
  #room: PromiseWithResolvers<void> | undefined

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.#wroteAt = parts.clock.now()
    // In real time: the time that users see may stand still.
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

  get endpointName(): EndpointName {
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

  /** When something was last written, on the clock that users see. */
  get wroteAt(): number {
    return this.#wroteAt
  }

  /** Adds a line. Disconnects a reader that lets too many lines wait. */
  push(line: Line): void {
    if (!this.isOpen) return
    // The lines may be waiting for their batch, not for the reader.
    if (this.#heldBytes + line.bytes > this.#parts.maxBytes) this.flush()
    if (this.#heldBytes + line.bytes > this.#parts.maxBytes) {
      void this.end(this.#isPaced && !this.#isWriting ? 'too_many_posts' : 'slow_reader')
      return
    }
    this.#waiting.push(line)
    this.#waitingBytes += line.bytes
    this.#parts.flusher.add(this)
  }

  /**
   * Adds a blank line, unless other lines wait, which serve the same purpose. If the last write is
   * in progress, the blank line waits for it.
   */
  keepAlive(): void {
    if (this.#waiting.length === 0) this.push(BLANK)
  }

  /** Adds a line if there is room for it. */
  offerNow(line: Line): boolean {
    if (!this.isOpen || !this.#hasRoom(line)) return false
    this.push(line)
    return true
  }

  #hasRoom({ bytes }: Line): boolean {
    return this.#heldBytes === 0 || this.#heldBytes + bytes <= this.#parts.maxBytes / 2
  }

  /** Adds a line once there is room for it. For lines that can wait. */
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
   * Ends the connection with a last line, which by default follows from the reason. The first
   * reason counts. Resolves when its end is recorded.
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

  /** Keeps the connection open once its head was sent. */
  async run(sink: Sink<never>, signal: AbortSignal): Promise<void> {
    this.#sink = sink
    const stop = () => void this.end(endReasonOf(signal.reason))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    this.#parts.flusher.add(this)
    await this.#over.promise
    const reason = this.#reason as EndReason
    // Lines that a slow reader has not taken are discarded, because they exceed its memory limit.
    const isGivenUp = reason === 'slow_reader' || reason === 'too_many_posts'
    const rest = isGivenUp ? '' : textOf(this.#waiting)
    this.#waiting = []
    this.#waitingBytes = 0
    sink.last(rest + this.#lastLine)
    await this.#recorded
  }

  /** Writes all waiting lines at once, unless the last write is still in progress. */
  flush(): void {
    if (!this.#sink || this.#isWriting || this.#isPaced || !this.isOpen || this.#waiting.length === 0) return
    const lines = this.#next()
    if (lines.length === 0) return
    const text = textOf(lines)
    this.#isWriting = true
    this.#wroteAt = this.#parts.clock.now()
    const writing = this.#sink.write(text)
    // What fits into the socket's buffer is taken at once.
    if (this.#sink.canWrite) this.#written()
    writing.then(
      () => this.#isWriting && this.#written(),
      () => void this.end('client_closed'),
    )
  }

  /** Takes the lines that may be sent now. */
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

  /** Waits until more lines may be sent. */
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
