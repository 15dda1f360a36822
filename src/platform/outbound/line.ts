import type { Client } from 'undici'
import type { Clock } from '../common/clock.ts'
import { describeFailure, type Failure } from './connect.ts'

/** The outcome of a request on a line. */
export type Answer =
  | {
      kind: 'answered'
      /** Any status, also 3xx: redirects are never followed. */
      status: number
      retryAfter: string | undefined
      /** The first bytes of the body, which may be longer. */
      start: Buffer
    }
  | Failure
  | { kind: 'timeout' }
  /** The line is closed, or was closed meanwhile. */
  | { kind: 'closed' }

/** One connection of a line. */
export interface LineSlot {
  client: Client
  /** Whether it accepts no more requests. */
  spent: boolean
}

/** Opens and closes the connections of a line. */
export interface LineSlots {
  open(): Promise<LineSlot>
  drop(slot: LineSlot): void
}

interface LineParts {
  slots: LineSlots
  userAgent: string
  deadlines: Deadlines
  closed(): void
}

/** Bytes of a response that are returned. */
const START_BYTES = 1_024
/** A longer body ends its connection: reading the rest would cost more than a new connection. */
const MAX_BODY_BYTES = 65_536

/**
 * Connections to one URL for many requests, each of which uses one connection at a time. The URL was checked when the
 * line was opened; the addresses of its host are checked at each new connection.
 */
export class Line {
  readonly #slots: LineSlots
  readonly #path: string
  readonly #userAgent: string
  readonly #deadlines: Deadlines
  readonly #whenClosed: () => void
  readonly #idle: LineSlot[] = []
  readonly #calls = new Set<Call>()
  #closed = false

  constructor(url: URL, { slots, userAgent, deadlines, closed }: LineParts) {
    this.#slots = slots
    this.#path = url.pathname + url.search
    this.#userAgent = userAgent
    this.#deadlines = deadlines
    this.#whenClosed = closed
  }

  /**
   * Posts a body. Every failure is an outcome, never an exception. Opens a connection when none is free: the caller
   * limits the number of requests in progress.
   * @param headers names and values alternately, besides `host`, `user-agent` and `content-length`
   */
  post(headers: readonly string[], body: Buffer, done: (answer: Answer) => void): void {
    if (this.#closed) {
      done({ kind: 'closed' })
      return
    }
    const call = new Call((answer, isReusable) => this.#end(call, answer, isReusable, done))
    this.#calls.add(call)
    this.#deadlines.add(call)
    const slot = this.#takeSlot()
    const request = {
      path: this.#path,
      method: 'POST' as const,
      headers: ['user-agent', this.#userAgent, ...headers],
      body,
    }
    if (slot) call.send(slot, request)
    else
      this.#slots.open().then(
        (opened) => (call.hasEnded ? this.#slots.drop(opened) : call.send(opened, request)),
        (error: Error) => call.onResponseError(undefined, error),
      )
  }

  /** Ends the requests in progress with `closed`. */
  close(): void {
    this.#closed = true
    for (const call of [...this.#calls]) call.giveUp({ kind: 'closed' })
    for (const slot of this.#idle.splice(0)) this.#slots.drop(slot)
    this.#whenClosed()
  }

  #takeSlot(): LineSlot | undefined {
    for (;;) {
      const slot = this.#idle.pop()
      if (!slot?.spent) return slot
      this.#slots.drop(slot)
    }
  }

  #end(call: Call, answer: Answer, isReusable: boolean, done: (answer: Answer) => void): void {
    this.#calls.delete(call)
    this.#deadlines.delete(call)
    const { slot } = call
    if (slot) {
      if (isReusable && !slot.spent && !this.#closed) this.#idle.push(slot)
      else this.#slots.drop(slot)
    }
    done(answer)
  }
}

/** One request: the events that undici reports, and its end. */
class Call {
  readonly #end: (answer: Answer, isReusable: boolean) => void
  slot: LineSlot | undefined
  deadlineMs = 0
  #hasEnded = false
  #status = 0
  #retryAfter: string | undefined
  #start: Buffer = EMPTY
  #length = 0

  constructor(end: (answer: Answer, isReusable: boolean) => void) {
    this.#end = end
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  send(slot: LineSlot, request: Parameters<Client['dispatch']>[0]): void {
    this.slot = slot
    slot.client.dispatch(request, this)
  }

  /** Once a status has arrived, it is the response, even if the body does not end. */
  giveUp(answer: Answer): void {
    this.#finish(this.#status > 0 ? this.#answered() : answer, false)
  }

  onRequestStart(): void {}

  onResponseStart(
    _: unknown,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // Informational responses precede the final one.
    if (status < 200) return
    this.#status = status
    const { 'retry-after': after, 'content-length': length } = headers
    this.#retryAfter = Array.isArray(after) ? after[0] : after
    if (Number(length) > MAX_BODY_BYTES) this.#finish(this.#answered(), false)
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.#hasEnded) return
    this.#length += chunk.length
    const left = START_BYTES - this.#start.length
    // Copied, because the chunk is a part of a larger buffer.
    if (left > 0) this.#start = Buffer.concat([this.#start, chunk.subarray(0, left)])
    if (this.#length > MAX_BODY_BYTES) this.#finish(this.#answered(), false)
  }

  onResponseEnd(): void {
    this.#finish(this.#answered(), true)
  }

  onResponseError(_: unknown, error: Error): void {
    this.#finish(describeFailure(error), false)
  }

  #answered = (): Answer => ({
    kind: 'answered',
    status: this.#status,
    retryAfter: this.#retryAfter,
    start: this.#start,
  })

  #finish(answer: Answer, isReusable: boolean): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#end(answer, isReusable)
  }
}

const EMPTY = Buffer.alloc(0)

/** The deadlines of requests that all have the same time limit: one timer is enough for all. */
export class Deadlines {
  readonly #clock: Clock
  readonly #timeoutMs: number
  /** In the order of their deadlines. */
  readonly #calls = new Set<Call>()
  #isWaiting = false

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock
    this.#timeoutMs = timeoutMs
  }

  add(call: Call): void {
    call.deadlineMs = this.#clock.now() + this.#timeoutMs
    this.#calls.add(call)
    if (!this.#isWaiting) void this.#wait(call.deadlineMs)
  }

  delete(call: Call): void {
    this.#calls.delete(call)
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
