import type { RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify, { LogController } from 'fastify'
import type { Connections } from './connections.ts'

/** What every listener has in common. */
export interface ListenerOptions {
  /** Certificate and key in PEM; plain HTTP without them. */
  tls: { cert: string; key: string } | undefined
  requestId: () => string
  /** Counts and watches what connects. */
  connections: Connections
  /** Other times than the documented ones. */
  timing?: Partial<Timing>
  /** Answers a request whose path the router cannot read. */
  onBadUrl?: (request: FastifyRequest, reply: FastifyReply) => unknown
}

interface Timing {
  /** How long a client may take to send a request, headers and body together. */
  requestMs: number
  /** How long a client may take to agree on TLS. */
  handshakeMs: number
  /** How often connections are looked at for whether their time is over. */
  lookMs: number
  /** How long a client has to read why its connection ends. */
  lingerMs: number
}

const TIMING: Timing = { requestMs: 30_000, handshakeMs: 10_000, lookMs: 1_000, lingerMs: 1_000 }
const KEEP_ALIVE_MS = 65_000
const MAX_HEADER_BYTES = 32_768
const MAX_PARAMETER_LENGTH = 2_048

const CLIENT_ERRORS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** A server that leaves parsing, logging and rejecting to the pipeline. */
export function createListener(options: ListenerOptions): FastifyInstance {
  const { requestId, onBadUrl } = options
  const timing = { ...TIMING, ...options.timing }
  const server = Fastify({
    serverFactory: (handler: RequestListener) => createGuarded(handler, options, timing),
    genReqId: requestId,
    // The pipeline writes the line of each request.
    logController: new LogController({ disableRequestLogging: true }),
    ...(onBadUrl && {
      frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) =>
        onBadUrl(request, reply),
    }),
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // A request on an open connection is still answered; the reply says that the connection ends.
    return503OnClosing: false,
    routerOptions: {
      maxParamLength: MAX_PARAMETER_LENGTH,
      // The pipeline reads the query from the target as it was sent.
      querystringParser: () => ({}),
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      endBroken(socket, error.code ?? '', timing.lingerMs),
  } as object)
  return server
}

/** The server under the framework, with limits on time and connections. */
function createGuarded(
  handler: RequestListener,
  { tls, connections }: ListenerOptions,
  { requestMs, handshakeMs, lookMs }: Timing,
): Server {
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    connectionsCheckingInterval: lookMs,
    requestTimeout: requestMs,
    // The runtime exchanges the two when this is the greater one, and bodies then have more time.
    headersTimeout: requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
  }
  const server = tls
    ? createTlsServer({ ...tls, ...limits, minVersion: 'TLSv1.2', handshakeTimeout: handshakeMs }, handler)
    : createServer(limits, handler)
  connections.guard(server)
  return server
}

/**
 * Ends a connection whose request is malformed or late. Such a request has no protocol: nothing of it can be believed.
 * A peer that does not close its side in time loses the connection all the same.
 */
function endBroken(socket: Socket, code: string, lingerMs: number): void {
  const underWay = (socket as { _httpMessage?: { headersSent: boolean } })._httpMessage
  if (code === 'ECONNRESET' || !socket.writable || underWay?.headersSent) {
    socket.destroy()
    return
  }
  const status = CLIENT_ERRORS[code] ?? '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

/** Opens a listener. Resolves to the port. */
export async function listen(server: FastifyInstance, host: string, port: number): Promise<number> {
  await server.listen({ host, port })
  return (server.server.address() as AddressInfo).port
}

/** How often connections that fell idle are let go while a listener ends. */
const IDLE_LOOK_MS = 50

/** Ends a listener: no new connections, requests under way may finish until the deadline. */
export async function closeListener(server: FastifyInstance, deadline: Promise<unknown>): Promise<void> {
  const http = server.server as Server
  const closed = server.close()
  const timer = setInterval(() => http.closeIdleConnections(), IDLE_LOOK_MS)
  await Promise.race([closed, deadline.then(() => http.closeAllConnections())])
  await closed
  clearInterval(timer)
}
