import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Connections } from './connections.ts'

/** Where a server listens. Port 0 picks a free one. */
export interface Address {
  address: string
  port: number
}

export interface PortOptions {
  /** Certificate and key in PEM; plain HTTP without them. */
  tls: { cert: string; key: string } | undefined
  /** Counts and watches what connects. */
  connections: Connections
  /** Other times than the documented ones. */
  timing?: Partial<Timing>
}

interface Timing {
  /** How long a client may take to send a request, headers and body together. */
  requestMs: number
  /** How long a client may take to agree on TLS. */
  handshakeMs: number
  /** How often connections are looked at for whether their time is over. */
  lookMs: number
}

const TIMING: Timing = { requestMs: 30_000, handshakeMs: 10_000, lookMs: 1_000 }
const KEEP_ALIVE_MS = 65_000
const MAX_HEADER_BYTES = 32_768

/**
 * A server that listens before it is known who answers its requests: its port is part of what they are answered with.
 * Requests that come before `serve` wait for it.
 */
export class OpenPort {
  readonly server: Server
  readonly port: number
  readonly #early: [IncomingMessage, ServerResponse][]

  /** Rejects when the address cannot be listened on. */
  static async open({ address, port }: Address, options: PortOptions): Promise<OpenPort> {
    const server = createGuarded(options)
    const early: [IncomingMessage, ServerResponse][] = []
    server.on('request', (request, response) => early.push([request, response]))
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host: address, port }, () => {
        server.off('error', reject)
        resolve()
      })
    })
    return new OpenPort(server, early)
  }

  private constructor(server: Server, early: [IncomingMessage, ServerResponse][]) {
    this.server = server
    this.port = (server.address() as AddressInfo).port
    this.#early = early
  }

  /** Answers requests from here on, those that wait first. */
  serve(answer: RequestListener): void {
    this.server.removeAllListeners('request')
    for (const [request, response] of this.#early.splice(0)) answer(request, response)
    this.server.on('request', answer)
  }

  /** Calls this when the first request comes, at once when one waits; not after `serve`. */
  onFirst(called: () => void): void {
    if (this.#early.length > 0) called()
    else this.server.once('request', called)
  }

  /** Takes no more connections. Resolves when the last one has ended; those without a request end at once. */
  close(): Promise<void> {
    if (!this.server.listening) return Promise.resolve()
    return new Promise((resolve) => this.server.close(() => resolve()))
  }

  /** The same at once: ends every connection. */
  end(): Promise<void> {
    const closed = this.close()
    this.server.closeAllConnections()
    return closed
  }
}

/** A server with limits on time and connections. */
function createGuarded({ tls, connections, timing }: PortOptions): Server {
  const { requestMs, handshakeMs, lookMs } = { ...TIMING, ...timing }
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    connectionsCheckingInterval: lookMs,
    requestTimeout: requestMs,
    // The runtime exchanges the two when this is the greater one, and bodies then have more time.
    headersTimeout: requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
  }
  const server = tls
    ? createTlsServer({ ...tls, ...limits, minVersion: 'TLSv1.2', handshakeTimeout: handshakeMs })
    : createServer(limits)
  connections.guard(server)
  return server
}
