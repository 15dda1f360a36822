import type { FastifyRequest } from 'fastify'
import type { Services, Step } from '../contract.ts'
import { apiError } from '../errors.ts'
import type { Open } from '../exchange.ts'
import type { Incoming } from '../input/incoming.ts'
import { queryPairs } from '../input/incoming.ts'

/** Determines scheme, host, address and query pairs of the request; behind a proxy, from its headers. */
export const identify: Step = {
  name: 'identify',
  compile: (_endpoint, services) => (exchange) => {
    exchange.incoming = incomingOf(exchange.request, services)
  },
}

function incomingOf(request: FastifyRequest, { behindProxy, secure }: Services): Open {
  const message = request.raw
  const { headers } = message
  const target = message.url ?? '/'
  let scheme: Incoming['scheme'] = secure ? 'https' : 'http'
  let address = message.socket.remoteAddress ?? ''
  if (behindProxy) {
    const forwarded = firstOf(headers['x-forwarded-proto'])
    if (forwarded !== undefined && forwarded !== 'https') throw apiError('tls needed')
    scheme = 'https'
    address = firstOf(headers['x-forwarded-for']) ?? address
  }
  if (doubled(message.rawHeaders)) throw apiError('bad authentication data', 'two authorization headers')
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
    body: undefined,
    address,
  }
}

/** The entry that the nearest proxy added is the last one. */
function firstOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.at(-1) : header
  return text?.split(',').at(-1)?.trim()
}

/** Node keeps only the first of two authorization headers; a request with two is rejected. */
function doubled(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 13 && name.toLowerCase() === 'authorization') count++
  }
  return count > 1
}
