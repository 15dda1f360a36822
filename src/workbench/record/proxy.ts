import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { Agent } from 'undici'
import type { Journal } from '../journal/journal.ts'

interface RecordingProxyOptions {
  /** The origin of the real service: `https://api.example.com`. */
  readonly upstream: URL
  /** Of loopback; 0 for any free port. */
  readonly port: number
  /** As PEM, for the host of the service: clients may use the proxy as their HTTPS proxy. */
  readonly certificate: { readonly cert: string; readonly key: string }
  /** Authorities that the service may use besides those of the machine, as PEM. */
  readonly upstreamCa?: string | undefined
  /** Keeps what passes. */
  readonly journal: Journal
}

const MAX_REQUEST_BYTES = 64 * 1024 * 1024
/** Of a reply, which may be an endless stream. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024
/** Headers of a connection, which a proxy must not pass on (RFC 9110 7.6.1). */
const HOP_BY_HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'content-length', 'expect'],
])

/**
 * A proxy on loopback in front of one real service, which keeps what passes. Clients call it
 * instead of the service; or they use it as their HTTPS proxy, so that what they sign stays the
 * same.
 */
export class RecordingProxy {
  readonly #options: RecordingProxyOptions
  readonly #server: Server
  readonly #agent: Agent
  readonly #sockets = new Set<Socket>()

  private constructor(options: RecordingProxyOptions) {
    this.#options = options
    const { upstreamCa } = options
    this.#agent = new Agent({
      connect: { ...(upstreamCa !== undefined && { ca: upstreamCa }) },
      bodyTimeout: 0,
    })
    this.#server = createServer((request, response) => {
      this.#pass(request, response).catch((error: unknown) => refuse(response, 502, messageOf(error)))
    })
    this.#server.on('connection', (socket: Socket) => this.#keep(socket))
    this.#server.on('connect', (request, socket: Socket) => this.#tunnel(request, socket))
    this.#server.on('clientError', (_error, socket) => socket.destroy())
  }

  static async open(options: RecordingProxyOptions): Promise<RecordingProxy> {
    const proxy = new RecordingProxy(options)
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject).listen(options.port, '127.0.0.1', resolve)
    })
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await this.#agent.destroy()
    await closed
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#sockets.delete(socket))
  }

  /** Answers a client that wants a tunnel: it speaks TLS with the proxy, as if with the service. */
  #tunnel({ url = '' }: IncomingMessage, socket: Socket): void {
    const { upstream, certificate } = this.#options
    const port = upstream.port || (upstream.protocol === 'https:' ? '443' : '80')
    if (url !== `${upstream.hostname}:${port}`) {
      socket.end(`HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
      return
    }
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext: createSecureContext(certificate),
      ALPNProtocols: ['http/1.1'],
    })
    this.#server.emit('connection', secure)
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { upstream, journal } = this.#options
    const target = request.url ?? '/'
    const path = target.startsWith('/') ? target : pathOfAbsolute(target, upstream)
    if (path === undefined) return refuse(response, 403, `this proxy records ${upstream.origin} only`)
    const body = await bodyOf(request)
    if (body === undefined) return refuse(response, 413, `the body is longer than ${MAX_REQUEST_BYTES} bytes`)
    const headers = passedOn(request.rawHeaders, upstream.host)
    const startedAt = performance.now()
    const reply = await this.#agent.request({
      origin: upstream.origin,
      path,
      method: (request.method ?? 'GET') as 'GET',
      headers,
      body: body.length === 0 ? null : body,
    })
    response.writeHead(reply.statusCode, withoutHops(reply.headers))
    const kept: Buffer[] = []
    let length = 0
    try {
      for await (const chunk of reply.body as AsyncIterable<Buffer>) {
        if (length < MAX_KEPT_BYTES) kept.push(chunk)
        length += chunk.length
        if (response.destroyed) break
        if (!response.write(chunk)) await drained(response)
      }
      response.end()
    } finally {
      // Also what an interrupted stream has sent so far.
      journal.addCall({
        method: request.method ?? 'GET',
        url: upstream.origin + path,
        headers,
        body,
        result: {
          ...{ kind: 'answered', status: reply.statusCode, headers: reply.headers },
          body: Buffer.concat(kept).subarray(0, MAX_KEPT_BYTES),
        },
        durationMs: performance.now() - startedAt,
      })
    }
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

function refuse(response: ServerResponse, status: number, why: string): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${why}\n`)
}

/** The path of a target in absolute form; undefined for another server. */
function pathOfAbsolute(target: string, upstream: URL): string | undefined {
  const url = URL.canParse(target) ? new URL(target) : undefined
  return url?.host === upstream.host ? url.pathname + url.search : undefined
}

/** Undefined if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_REQUEST_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Without the encodings that the client accepts, because compressed replies could not be read. */
function passedOn(raw: readonly string[], host: string): string[] {
  const headers = ['host', host]
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value] = [raw[at] as string, raw[at + 1] as string]
    const lower = name.toLowerCase()
    if (lower !== 'host' && lower !== 'accept-encoding' && !HOP_BY_HOP.has(lower)) headers.push(name, value)
  }
  return headers
}

const withoutHops = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_BY_HOP.has(name) ? [] : [[name, value]],
    ),
  )

/** Resolves when more can be written, or the client is gone. */
const drained = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    response.once('drain', resolve).once('close', resolve)
  })
