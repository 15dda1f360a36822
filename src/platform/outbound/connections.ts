import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { Client, Dispatcher } from 'undici'
import { WOKEN } from '../common/clock.ts'
import type { Call, CallConnection } from './call.ts'
import { type ConnectOptions, openConnection } from './connect.ts'
import { hostOf } from './target.ts'

/** What all connections of an outbound client have in common. */
export interface ConnectionSettings
  extends Pick<
    ConnectOptions,
    'allow' | 'reserved' | 'resolve' | 'resolveService' | 'dial' | 'clock' | 'attemptMs'
  > {
  /** The TLS context for https. */
  trusted(): SecureContext
  idleMs: number
  /** Every open socket. */
  sockets: Set<Socket>
}

/** Of one set of connections. */
export interface ConnectionLimits {
  /** Maximum number of idle connections. */
  maxIdle: number
  /** Maximum number of requests on a connection. */
  maxUses: number
}

/** Where a connection leads to. */
export interface ConnectionTarget {
  url: URL
  /** For whom a new connection is opened. */
  owner: string
  /** Opens a new connection, although another may be idle. */
  isFresh?: boolean
}

export const MAX_HEADER_BYTES = 16_384
/**
 * A busy connection is closed after this time, so that addresses and certificates are checked
 * again.
 */
const MAX_AGE_MS = 60_000

/**
 * Connections to checked addresses, each of which carries one request at a time: a server that does
 * not respond delays no other request. The caller limits the number of requests in progress.
 */
export class Connections {
  readonly #settings: ConnectionSettings
  readonly limits: ConnectionLimits
  /** The longest idle first. */
  readonly #idle: Connection[] = []
  #isClosed = false

  constructor(settings: ConnectionSettings, limits: ConnectionLimits) {
    this.#settings = settings
    this.limits = limits
  }

  /** Sends a request on an idle connection, or on a new one. */
  send(target: ConnectionTarget, request: Dispatcher.DispatchOptions, call: Call): void {
    const idle = target.isFresh ? undefined : this.#takeIdle(target.url.origin)
    if (idle) idle.send(request, call)
    // Loaded at the first call, which may have ended meanwhile.
    else
      void import('undici').then((library) => {
        if (!call.hasEnded) new Connection(target, this.#settings, this, library).send(request, call)
      })
  }

  /** Closes the idle connections, and the others when their calls have ended. */
  close(): void {
    this.#isClosed = true
    for (const connection of this.#idle.splice(0)) connection.drop()
  }

  #takeIdle(origin: string): Connection | undefined {
    // The server is least likely to be just closing the most recently used connection.
    const index = this.#idle.findLastIndex((connection) => connection.origin === origin)
    return index === -1 ? undefined : this.#idle.splice(index, 1)[0]
  }

  /** Keeps a connection for the next request. */
  keep(connection: Connection): void {
    if (this.#isClosed) connection.drop()
    else if (this.#idle.push(connection) > this.limits.maxIdle) this.#idle.shift()?.drop()
  }

  /** Closes a connection, now if it is idle, and otherwise after its request. */
  retire(connection: Connection): void {
    connection.isSpent = true
    const index = this.#idle.indexOf(connection)
    if (index !== -1) this.#idle.splice(index, 1)[0]?.drop()
  }
}

class Connection implements CallConnection {
  readonly origin: string
  isInternal = false
  isSpent = false
  readonly #client: Client
  readonly #pool: Connections
  readonly #gone = new AbortController()
  #uses = 0

  constructor(
    target: ConnectionTarget,
    settings: ConnectionSettings,
    pool: Connections,
    { Client }: Pick<typeof import('undici'), 'Client'>,
  ) {
    const { clock, idleMs } = settings
    this.origin = target.url.origin
    this.#pool = pool
    this.#client = new Client(this.origin, {
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The deadline of the call is the only time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_, done) => {
        this.#connect(target, settings).then(
          (socket) => done(null, socket),
          (error: Error) => done(error, null),
        )
      },
    })
    this.#client.on('disconnect', () => pool.retire(this))
    void clock.at(clock.now() + MAX_AGE_MS, this.#gone.signal).then((came) => came && pool.retire(this))
  }

  send(request: Dispatcher.DispatchOptions, call: Call): void {
    this.#uses++
    call.connection = this
    this.#client.dispatch(request, call)
  }

  release(isReusable: boolean): void {
    if (isReusable && !this.isSpent && this.#uses < this.#pool.limits.maxUses) this.#pool.keep(this)
    else this.drop()
  }

  drop(): void {
    this.#gone.abort(WOKEN)
    this.#client.destroy().catch(() => {})
  }

  #connect({ url, owner }: ConnectionTarget, { trusted, sockets, ...settings }: ConnectionSettings) {
    const isSecure = url.protocol === 'https:'
    return openConnection({
      ...settings,
      host: hostOf(url),
      port: Number(url.port) || (isSecure ? 443 : 80),
      secure: isSecure ? trusted() : undefined,
      owner,
      internal: () => {
        this.isInternal = true
      },
      track: (socket) => {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
        this.#gone.signal.addEventListener('abort', () => socket.destroy())
      },
      signal: this.#gone.signal,
    })
  }
}
