import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify, { LogController } from 'fastify'

/** What every listener has in common. */
export interface ListenerOptions {
  /** Certificate and key in PEM; plain HTTP without them. */
  tls: { cert: string; key: string } | undefined
  requestId: () => string
  /** Answers a request whose path the router cannot read. */
  onBadUrl?: (request: FastifyRequest, reply: FastifyReply) => unknown
}

const KEEP_ALIVE_MS = 65_000
const REQUEST_TIMEOUT_MS = 30_000
/** How often connections are looked at for whether their time is over. */
const TIMEOUT_LOOK_MS = 2_000
const MAX_HEADER_BYTES = 32_768
const MAX_PARAMETER_LENGTH = 2_048

const CLIENT_ERRORS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** A server that leaves parsing, logging and refusing to the pipeline. */
export function createListener({ tls, requestId, onBadUrl }: ListenerOptions): FastifyInstance {
  const limits = { maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: TIMEOUT_LOOK_MS }
  const server = Fastify({
    ...(tls ? { https: { ...tls, ...limits, minVersion: 'TLSv1.2' } } : { http: limits }),
    genReqId: requestId,
    // The pipeline writes the line of each request.
    logController: new LogController({ disableRequestLogging: true }),
    ...(onBadUrl && {
      frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) =>
        onBadUrl(request, reply),
    }),
    exposeHeadRoutes: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // A request on an open connection is still answered; the reply says that the connection ends.
    return503OnClosing: false,
    routerOptions: {
      maxParamLength: MAX_PARAMETER_LENGTH,
      // The pipeline reads the query from the target as it was sent.
      querystringParser: () => ({}),
    },
    // Malformed HTTP has no dialect: nothing of the request can be believed.
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
      const status = CLIENT_ERRORS[error.code ?? ''] ?? '400 Bad Request'
      socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
      return undefined
    },
  } as object)
  return server as unknown as FastifyInstance
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
