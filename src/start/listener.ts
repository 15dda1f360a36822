import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify, { LogController } from 'fastify'
import type { OpenPort } from './open-port.ts'

/** Options that all listeners share. */
export interface ListenerOptions {
  requestId: () => string
  /** How long a client may take to read why its connection ends. */
  lingerMs?: number
  /** Whether each reply is to close its connection. */
  closesConnections?: () => boolean
  /** Answers a request whose path the router cannot read. */
  onBadUrl?: (request: FastifyRequest, reply: FastifyReply) => unknown
}

const LINGER_MS = 1_000
const MAX_PARAMETER_LENGTH = 2_048

const CLIENT_ERRORS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** A server for an open port. It leaves parsing, logging and rejecting requests to the pipeline. */
export function createListener(port: OpenPort, options: ListenerOptions): FastifyInstance {
  const { requestId, onBadUrl, closesConnections, lingerMs = LINGER_MS } = options
  const listener = Fastify({
    serverFactory: () => port.server,
    genReqId: requestId,
    // The pipeline writes the line of each request.
    logController: new LogController({ disableRequestLogging: true }),
    ...(onBadUrl && {
      frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) =>
        onBadUrl(request, reply),
    }),
    // Endpoints read parameters and write replies themselves, so the framework's compilers are not even loaded.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // A request on an open connection is still answered; the reply says that the connection ends.
    return503OnClosing: false,
    routerOptions: {
      maxParamLength: MAX_PARAMETER_LENGTH,
      // The pipeline parses the query of the target as it was sent.
      querystringParser: () => ({}),
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      endBroken(socket, error.code ?? '', lingerMs),
  } as object)
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
 * Ends a connection whose request is malformed or late. Such a request has no protocol, because nothing in it is
 * reliable. If the peer does not close its side in time, the connection is destroyed.
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

  /** Starts answering requests. A closing port is served too, because a request may be half sent. */
  serve(): Promise<void> {
    this.#served ??= this.#serve()
    return this.#served
  }

  async #serve(): Promise<void> {
    this.#mount()
    await serve(this.#listener, this.#port)
  }
}

/** How often idle connections are closed while a listener shuts down. */
const IDLE_LOOK_MS = 50

/** Ends a listener: it accepts no new connections, and requests in progress may finish until the deadline. */
export async function closeListener(listener: FastifyInstance, deadline: Promise<unknown>): Promise<void> {
  const http = listener.server as Server
  const closed = listener.close()
  const timer = setInterval(() => http.closeIdleConnections(), IDLE_LOOK_MS)
  await Promise.race([closed, deadline.then(() => http.closeAllConnections())])
  await closed
  clearInterval(timer)
}
