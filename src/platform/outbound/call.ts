import type { Dispatcher } from 'undici'
import type { Clock } from '../common/clock.ts'

/** How a request ended. */
export type CallResult =
  /** Any status, also 3xx: redirects are never followed. */
  | { kind: 'answered'; status: number; headers: ResponseHeaders; body: Buffer }
  | { kind: 'failed'; error: Error }
  | { kind: 'timeout' }
  /** The body is longer than its limit. */
  | { kind: 'too-large'; limitBytes: number }
  /** The client is closed, or was closed meanwhile. */
  | { kind: 'closed' }

/** A call that has ended, for observers. */
export interface EndedCall {
  readonly method: string
  readonly url: string
  /** Names and values alternately. */
  readonly headers: readonly string[]
  readonly body: Buffer | string | undefined
  readonly result: CallResult | { readonly kind: 'rejected'; readonly reason: string }
  readonly durationMs: number
}

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>

export interface CallLimits {
  /** A longer body ends the connection. */
  maxBytes: number
  /** Bytes at the beginning of the body that are returned. */
  keptBytes: number
  /** Whether a response that ends early, by time or by length, is a response. */
  isStartEnough: boolean
}

/** The connection of a call. */
export interface CallConnection {
  /** Whether its host has an address that is not public. */
  readonly isInternal: boolean
  /** Called when the call has ended. `isReusable`: the whole response has been read. */
  release(isReusable: boolean): void
}

/** One request: the events that undici reports, until it ends. */
export class Call implements Dispatcher.DispatchHandler {
  connection: CallConnection | undefined
  deadlineMs = 0
  /** Whether the request was sent; false if there was no connection. */
  wasSent = false
  readonly #limits: CallLimits
  readonly #end: (result: CallResult) => void
  #hasEnded = false
  #status = 0
  #headers: ResponseHeaders = {}
  #length = 0
  #body: Buffer = EMPTY

  constructor(limits: CallLimits, end: (result: CallResult) => void) {
    this.#limits = limits
    this.#end = end
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Ends the call before its response is complete. */
  giveUp(result: CallResult): void {
    this.#finish(this.#limits.isStartEnough && this.#status > 0 ? this.#answered() : result, false)
  }

  onRequestStart(): void {
    this.wasSent = true
  }

  onResponseStart(_: unknown, status: number, headers: ResponseHeaders): void {
    // Informational responses precede the final one.
    if (status < 200) return
    this.#status = status
    this.#headers = headers
    const isBodiless = status === 204 || status === 304
    if (!isBodiless && Number(headers['content-length']) > this.#limits.maxBytes) this.#tooLarge()
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.#hasEnded) return
    this.#keep(chunk)
    this.#length += chunk.length
    if (this.#length > this.#limits.maxBytes) this.#tooLarge()
  }

  onResponseEnd(): void {
    this.#finish(this.#answered(), true)
  }

  onResponseError(_: unknown, error: Error): void {
    this.#finish({ kind: 'failed', error }, false)
  }

  #tooLarge(): void {
    this.giveUp({ kind: 'too-large', limitBytes: this.#limits.maxBytes })
  }

  /**
   * Copies a chunk, because it is a part of a larger buffer, into a buffer that doubles, so that a
   * server that sends single bytes cannot make the body cost more than its size.
   */
  #keep(chunk: Buffer): void {
    const { keptBytes } = this.#limits
    const needed = Math.min(this.#length + chunk.length, keptBytes)
    if (needed > this.#body.length) {
      const larger = Buffer.allocUnsafe(Math.min(keptBytes, Math.max(needed, this.#body.length * 2)))
      this.#body.copy(larger)
      this.#body = larger
    }
    chunk.copy(this.#body, this.#length)
  }

  #answered(): CallResult {
    const body = this.#body.subarray(0, this.#length)
    return { kind: 'answered', status: this.#status, headers: this.#headers, body }
  }

  #finish(result: CallResult, isReusable: boolean): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.connection?.release(isReusable)
    this.#end(result)
  }
}

const EMPTY = Buffer.alloc(0)

/** Calls in progress that have the same time limit: one timer is enough for all. */
export class CallsInProgress {
  readonly #clock: Clock
  readonly #timeoutMs: number
  /** In the order of their deadlines. */
  readonly #calls = new Set<Call>()
  #isWaiting = false

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock
    this.#timeoutMs = timeoutMs
  }

  /** Begins a call, which ends at the latest at its deadline. */
  start(limits: CallLimits, end: (result: CallResult) => void): Call {
    const call = new Call(limits, (result) => {
      this.#calls.delete(call)
      end(result)
    })
    call.deadlineMs = this.#clock.now() + this.#timeoutMs
    this.#calls.add(call)
    if (!this.#isWaiting) void this.#wait(call.deadlineMs)
    return call
  }

  close(): void {
    for (const call of this.#calls) call.giveUp({ kind: 'closed' })
  }

  async #wait(timeMs: number): Promise<void> {
    this.#isWaiting = true
    await this.#clock.at(timeMs)
    this.#isWaiting = false
    const now = this.#clock.now()
    for (const call of this.#calls) {
      if (call.deadlineMs > now) {
        if (!this.#isWaiting) void this.#wait(call.deadlineMs)
        return
      }
      call.giveUp({ kind: 'timeout' })
    }
  }
}
