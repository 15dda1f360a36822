import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify, { LogController } from 'fastify'
import { systemClock } from '../../platform/common/clock.ts'
import {
  type BrokenRequest,
  brokenRequest,
  type ParseError,
  TunnelError,
} from '../../platform/http/broken-request.ts'
import type { RenderedError } from '../../platform/http/contract.ts'
import { NO_CACHE } from '../../platform/http/deliver.ts'
import { endConnection } from '../../platform/http/end-connection.ts'
import type { OpenPort } from './open-port.ts'
import type { Tunnels } from './tunnels.ts'

/**
 * The headers of every reply to a connection. `host`: the `Host` header of the request, if it is
 * known.
 */
export type HeadersOf = (id: string, socket: Socket, host: string | undefined) => Record<string, string>

/** Options that all listeners share. */
export interface ListenerOptions {
  requestId: () => string
  /** How long a client may take to read why its connection ends. */
  lingerMs?: number
  /** Whether each reply is to close its connection. */
  closesConnections?: () => boolean
  /** Further headers of every reply. */
  headersOf?: HeadersOf
  /** Answers a request whose path the router cannot read. */
  onBadUrl?: (request: FastifyRequest, reply: FastifyReply) => unknown
  /** Opens tunnels; by default, a request for one is rejected. */
  tunnels?: Tunnels
  /** Renders the error of a request that the runtime cannot parse. */
  onBroken: (broken: BrokenRequest, id: string) => RenderedError
}

const MAX_PARAMETER_LENGTH = 2_048

/** Browsers must not guess the type of a reply. */
const NO_SNIFFING = { 'x-content-type-options': 'nosniff' }

/** How the framework serves endpoints that read requests and write replies themselves. */
export const FRAMEWORK = {
  // The framework's compilers are not even loaded.
  schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  exposeHeadRoutes: false,
  routerOptions: {
    maxParamLength: MAX_PARAMETER_LENGTH,
    // The pipeline parses the query of the target as it was sent.
    querystringParser: () => ({}),
  },
}

/** A server for an open port. It leaves parsing, logging and rejecting requests to the pipeline. */
export function createListener(port: OpenPort, options: ListenerOptions): FastifyInstance {
  const { requestId, onBadUrl, closesConnections } = options
  const headersOf: HeadersOf = (...request) => ({ ...NO_SNIFFING, ...options.headersOf?.(...request) })
  const begin = (request: FastifyRequest, reply: FastifyReply) => {
    request.began = performance.now()
    reply.headers(headersOf(request.id, request.raw.socket, request.raw.headers.host))
  }
  const reject = (error: ParseError, socket: Socket) => answerBroken(error, socket, { ...options, headersOf })
  const listener = Fastify({
    serverFactory: () => port.server,
    genReqId: requestId,
    // The pipeline writes the line of each request.
    logController: new LogController({ disableRequestLogging: true }),
    ...(onBadUrl && {
      frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
        // The framework calls no hooks for such a request.
        begin(request, reply)
        return onBadUrl(request, reply)
      },
    }),
    ...FRAMEWORK,
    forceCloseConnections: 'idle',
    // A request on an open connection is still answered; the reply says that the connection ends.
    return503OnClosing: false,
    clientErrorHandler: reject,
  } as object)
  port.server.on('connect', ({ url }, socket: Socket, head: Buffer) => {
    if (options.tunnels === undefined) reject(new TunnelError(url), socket)
    else options.tunnels.open(url ?? '', socket, head)
  })
  listener.addHook('onRequest', (request, reply, done) => {
    begin(request, reply)
    done()
  })
  if (closesConnections)
    listener.addHook('onRequest', (_request, reply, done) => {
      if (closesConnections()) reply.header('connection', 'close')
      done()
    })
  // The framework closes only servers that it opened itself.
  listener.addHook('onClose', () => port.close())
  return listener
}

function noSchemas(): never {
  throw new Error('no route has a schema of the framework')
}

/**
 * Answers a request that is malformed or late, and ends its connection: nothing that follows can be
 * read. If the peer does not close its side in time, the connection is destroyed.
 */
function answerBroken(
  error: ParseError,
  socket: Socket,
  { requestId, lingerMs, headersOf, onBroken }: ListenerOptions & { headersOf: HeadersOf },
): void {
  const response = (socket as { _httpMessage?: ServerResponse })._httpMessage
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) {
    socket.destroy()
    return
  }
  const id = requestId()
  const { status, contentType, body, headers } = onBroken(brokenRequest(error, response?.req), id)
  const lines = Object.entries({
    ...headersOf(id, socket, response?.req.headers.host),
    ...headers,
    'content-type': contentType,
    'cache-control': NO_CACHE,
    date: new Date(systemClock.now()).toUTCString(),
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  endConnection(socket, lingerMs)
}

/** Lets a server answer the requests to its port. */
export async function serve(listener: FastifyInstance, port: OpenPort): Promise<void> {
  await listener.ready()
  port.serve(listener.routing)
}

/** Routes of a port are mounted at its first request, because an unused port needs none. */
export class FirstUse {
  readonly #listener: FastifyInstance
  readonly #port: OpenPort
  readonly #mount: () => void
  #isRetired = false
  #served: Promise<void> | undefined

  /** If mounting fails, `failed` is called, and every connection of the port ends. */
  constructor(
    listener: FastifyInstance,
    port: OpenPort,
    mount: () => void,
    failed: (error: unknown) => void,
  ) {
    this.#listener = listener
    this.#port = port
    this.#mount = mount
    port.onFirst(() =>
      this.serve().catch((error) => {
        failed(error)
        return port.end()
      }),
    )
  }

  /** Before the port is closed: a request may be half sent. */
  async serveConnected(): Promise<void> {
    if (await this.#port.hasConnections()) await this.serve()
  }

  /** Starts answering requests. */
  serve(): Promise<void> {
    this.#served ??= this.#serve()
    return this.#served
  }

  /** From now on, another listener answers the requests of the port. */
  retire(): void {
    this.#isRetired = true
  }

  async #serve(): Promise<void> {
    if (this.#isRetired) return
    this.#mount()
    await this.#listener.ready()
    if (!this.#isRetired) this.#port.serve(this.#listener.routing)
  }
}

/** How often idle connections are closed while a listener shuts down. */
const IDLE_LOOK_MS = 50

/**
 * Ends a listener: it accepts no new connections, and requests in progress may finish until the
 * deadline.
 */
export async function closeListener(listener: FastifyInstance, deadline: Promise<unknown>): Promise<void> {
  const http = listener.server as Server
  const closed = listener.close()
  const timer = setInterval(() => http.closeIdleConnections(), IDLE_LOOK_MS)
  await Promise.race([closed, deadline.then(() => http.closeAllConnections())])
  await closed
  clearInterval(timer)
}
