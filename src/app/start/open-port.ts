import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Connections } from './connections.ts'

/** Where a server listens. Port 0 chooses a free one. */
export interface ListenAddress {
  address: string
  port: number
}

export interface PortOptions {
  /** Certificate and key in PEM; plain HTTP without them. */
  tls: { cert: string; key: string } | undefined
  /** Counts and monitors connections. */
  connections: Connections
  /** Timeouts other than the documented ones. */
  timing?: Partial<PortTiming>
}

interface PortTiming {
  /** How long a client may take to send a request, headers and body together. */
  requestMs: number
  /** How long a client may take to agree on TLS. */
  handshakeMs: number
  /** How often connections are checked for timeouts. */
  lookMs: number
}

const TIMING: PortTiming = { requestMs: 30_000, handshakeMs: 10_000, lookMs: 1_000 }
const KEEP_ALIVE_MS = 65_000
const MAX_HEADER_BYTES = 32_768

/** What the listeners of a port add to its server besides the handler of requests. */
const EVENTS_OF_LISTENERS = ['clientError', 'connect']

/**
 * A server that listens before its request handler exists, because replies contain its port.
 * Requests that arrive before `serve` wait for it, and so do those that arrive after `hold`.
 */
export class OpenPort {
  readonly server: Server
  readonly #waiting: [IncomingMessage, ServerResponse][] = []
  readonly #open = new OpenReplies()
  #answer: RequestListener | undefined
  #isHeld = false
  #onFirst: (() => void) | undefined

  /** Rejects when it cannot listen on the address. */
  static async open({ address, port }: ListenAddress, options: PortOptions): Promise<OpenPort> {
    const server = createGuarded(options)
    const opened = new OpenPort(server)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host: address, port }, () => {
        server.off('error', reject)
        resolve()
      })
    })
    return opened
  }

  private constructor(server: Server) {
    this.server = server
    server.on('request', (request, response) => this.#take(request, response))
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  /** Starts answering requests, waiting ones first. */
  serve(answer: RequestListener): void {
    this.#answer = answer
    this.#onFirst = undefined
    this.#proceed()
  }

  /** Calls the function at the first request, at once if one waits. Not called after `serve`. */
  onFirst(called: () => void): void {
    this.#onFirst = called
    this.#proceed()
  }

  /** From now on, requests wait until `release`; those in progress go on. */
  hold(): void {
    this.#isHeld = true
  }

  /** Lets requests in, waiting ones first. */
  release(): void {
    this.#isHeld = false
    this.#proceed()
  }

  /** The replies in progress. */
  get replies(): ServerResponse[] {
    return this.#open.list()
  }

  /** Removes what the listeners of the port added to its server: others will be made for it. */
  removeListeners(): void {
    this.#answer = undefined
    this.#onFirst = undefined
    for (const event of EVENTS_OF_LISTENERS) this.server.removeAllListeners(event)
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const answer = this.#isHeld ? undefined : this.#answer
    if (answer) {
      this.#run(answer, request, response)
      return
    }
    this.#waiting.push([request, response])
    this.#proceed()
  }

  #proceed(): void {
    if (this.#isHeld || this.#waiting.length === 0) return
    const [answer, first] = [this.#answer, this.#onFirst]
    this.#onFirst = undefined
    if (answer)
      for (const [request, response] of this.#waiting.splice(0)) this.#run(answer, request, response)
    else first?.()
  }

  #run(answer: RequestListener, request: IncomingMessage, response: ServerResponse): void {
    this.#open.add(response)
    answer(request, response)
  }

  /** Whether a client is connected, who may have sent a part of a request. */
  hasConnections(): Promise<boolean> {
    return new Promise((resolve) => this.server.getConnections((_error, count) => resolve(count > 0)))
  }

  /**
   * Accepts no more connections. Resolves when the last one has ended. Connections without a
   * request end immediately.
   */
  close(): Promise<void> {
    if (!this.server.listening) return Promise.resolve()
    return new Promise((resolve) => this.server.close(() => resolve()))
  }

  /** The same, but ends every connection immediately. */
  end(): Promise<void> {
    const closed = this.close()
    this.server.closeAllConnections()
    return closed
  }
}

/**
 * Replies that have not ended, each at a place of an array that others take later. A `Set` would be
 * rehashed every few requests, and its former tables keep the replies in them alive from one
 * collection of the young generation to the next: requests cost 30 % more.
 */
class OpenReplies {
  readonly #places: (ServerResponse | undefined)[] = []
  readonly #free: number[] = []

  add(reply: ServerResponse): void {
    const place = this.#free.pop() ?? this.#places.length
    this.#places[place] = reply
    reply.once('close', () => {
      this.#places[place] = undefined
      this.#free.push(place)
    })
  }

  list(): ServerResponse[] {
    return this.#places.filter((reply) => reply !== undefined)
  }
}

/** A server with limits on time and connections. */
function createGuarded({ tls, connections, timing }: PortOptions): Server {
  const { requestMs, handshakeMs, lookMs } = { ...TIMING, ...timing }
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    connectionsCheckingInterval: lookMs,
    requestTimeout: requestMs,
    // The runtime swaps the two if this one is greater, and bodies then have more time.
    headersTimeout: requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The pipeline rejects a request without a host, in its protocol.
    requireHostHeader: false,
  }
  const server = tls
    ? createTlsServer({ ...tls, ...limits, minVersion: 'TLSv1.2', handshakeTimeout: handshakeMs })
    : createServer(limits)
  connections.guard(server)
  // Expectations other than 100-continue are ignored, instead of rejected without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}
