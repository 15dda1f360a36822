import type { FastifyRequest } from 'fastify'
import type { Services, Step } from '../contract.ts'
import { apiError } from '../errors.ts'
import type { MutableIncoming } from '../exchange.ts'
import { type Incoming, queryPairs } from '../input/incoming.ts'

/**
 * Determines scheme, host, address and query pairs of the request; behind a proxy, from its
 * headers.
 */
export const identify: Step = {
  name: 'identify',
  compile: (_endpoint, services) => (exchange) => {
    exchange.incoming = incomingOf(exchange.request, services)
  },
}

function incomingOf(request: FastifyRequest, { behindProxy, secure }: Services): MutableIncoming {
  const message = request.raw
  const { headers } = message
  const target = message.url ?? '/'
  let scheme: Incoming['scheme'] = secure ? 'https' : 'http'
  let address = message.socket.remoteAddress ?? ''
  if (behindProxy) {
    const forwarded = firstOf(headers['x-forwarded-proto'])
    if (forwarded !== undefined && forwarded !== 'https') throw apiError('tls needed')
    scheme = 'https'
    address = withoutPort(firstOf(headers['x-forwarded-for'])) ?? address
  }
  const { authorization, host } = countsOf(message.rawHeaders)
  if (host > 1) throw apiError('bad request', 'two host headers')
  if (host === 0 && message.httpVersion !== '1.0') throw apiError('bad request', 'no host header')
  if (authorization > 1) throw apiError('bad authentication data', 'two authorization headers')
  return {
    method: message.method ?? 'GET',
    scheme,
    host: headers.host ?? '',
    target,
    headers,
    query: queryPairs(target),
    form: [],
    fields: [],
    files: [],
    long: [],
    body: undefined,
    json: undefined,
    address,
  }
}

/** The entry that the nearest proxy added is the last one. */
function firstOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.at(-1) : header
  return text?.split(',').at(-1)?.trim()
}

const WITH_PORT = /^(?:\[([^\]]+)\](?::[0-9]+)?|([0-9.]+):[0-9]+)$/

/**
 * Some proxies add the port of the client. Each of its connections has another one, which would be
 * counted separately.
 */
function withoutPort(text: string | undefined): string | undefined {
  const [, ipv6, ipv4] = WITH_PORT.exec(text ?? '') ?? []
  return ipv6 ?? ipv4 ?? text
}

/**
 * Node keeps only the first of two authorization or host headers. A request with two is rejected: a
 * proxy may have judged it by the other one (RFC 9112 section 3.2).
 */
function countsOf(rawHeaders: readonly string[]): { authorization: number; host: number } {
  let authorization = 0
  let host = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 13) {
      if (name.toLowerCase() === 'authorization') authorization++
    } else if (name.length === 4 && name.toLowerCase() === 'host') host++
  }
  return { authorization, host }
}
