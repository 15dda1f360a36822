import type { CallResult, CallsInProgress, EndedCall } from './call.ts'
import { describeFailure, type Failure } from './connect.ts'
import type { Connections, ConnectionTarget } from './connections.ts'

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

interface LineOptions {
  userAgent: string
  connections: Connections
  calls: CallsInProgress
  whenClosed(): void
  onCall: ((call: EndedCall) => void) | undefined
}

const LIMITS = {
  /** Reading the rest of a longer body would cost more than a new connection. */
  maxBytes: 65_536,
  keptBytes: 1_024,
  isStartEnough: true,
}

/**
 * Connections to one URL for many requests, each of which uses one connection at a time. The URL
 * was checked when the line was opened; the addresses of its host are checked at each new
 * connection.
 */
export class Line {
  readonly #target: ConnectionTarget
  readonly #path: string
  readonly #options: LineOptions
  #isClosed = false

  constructor(target: ConnectionTarget, options: LineOptions) {
    this.#target = target
    this.#path = target.url.pathname + target.url.search
    this.#options = options
  }

  /**
   * Posts a body. Every failure is an outcome, never an exception. Opens a connection when none is
   * free: the caller limits the number of requests in progress.
   * @param headers names and values alternately, besides `host`, `user-agent` and `content-length`
   */
  post(headers: readonly string[], body: Buffer, done: (answer: Answer) => void): void {
    if (this.#isClosed) {
      done({ kind: 'closed' })
      return
    }
    const { userAgent, connections, calls, onCall } = this.#options
    const request = {
      path: this.#path,
      method: 'POST' as const,
      headers: ['user-agent', userAgent, ...headers],
      body,
    }
    const startedAt = performance.now()
    const call = calls.start(LIMITS, (result) => {
      onCall?.({
        ...{ method: request.method, url: this.#target.url.href, headers: request.headers, body, result },
        durationMs: performance.now() - startedAt,
      })
      done(answerOf(result))
    })
    connections.send(this.#target, request, call)
  }

  /** Ends the requests in progress with `closed`. */
  close(): void {
    this.#isClosed = true
    this.#options.calls.close()
    this.#options.connections.close()
    this.#options.whenClosed()
  }
}

function answerOf(result: CallResult): Answer {
  switch (result.kind) {
    case 'answered': {
      const { 'retry-after': after } = result.headers
      const retryAfter = Array.isArray(after) ? after[0] : after
      return { kind: 'answered', status: result.status, retryAfter, start: result.body }
    }
    case 'failed':
      return describeFailure(result.error)
    case 'too-large':
      throw new Error('the start of a response is enough for a line')
    default:
      return result
  }
}
