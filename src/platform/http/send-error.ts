import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Naming, Protocol, RenderedError, Services } from './contract.ts'
import { deliver, NO_CACHE } from './deliver.ts'
import { endConnectionAfterReply } from './end-connection.ts'
import type { ApiError } from './errors.ts'

/**
 * How much of a body that is too large is read and discarded. Many clients read the reply only
 * after sending everything.
 */
const MAX_DRAINED_BYTES = 64 * 1024 * 1024

/**
 * When a client that received a 503 may retry. By then, most overloads and lost connections have
 * passed.
 */
const RETRY_AFTER_SECONDS = 5

/**
 * Whether the server reads and discards the rest of the body, within the time limit of a request.
 */
const isDrained = ({ headers }: FastifyRequest) =>
  Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= MAX_DRAINED_BYTES

/**
 * What is wrong with the token that was sent, as parameters of a challenge (RFC 6750 section 3).
 */
function faultOf({ bearer }: ApiError, { name }: Naming['vocabulary']): string {
  if (!bearer) return ''
  const scope = bearer.scopes && `, scope="${bearer.scopes.map(name).join(' ')}"`
  return `, error="${bearer.error}"${scope ?? ''}`
}

/**
 * Compiles how errors are sent. `schemes`: the accepted authentication schemes, for the
 * `WWW-Authenticate` header of a 401.
 */
export function compileSendError(protocol: Protocol, services: Services, schemes: readonly string[] = []) {
  const { naming, origin } = services
  const retryAfter = naming.vocabulary.header('retry-after')
  const challenged = protocol.challenges && schemes.length > 0
  const challenges = (schemes: readonly string[], error: ApiError) =>
    schemes
      .map((scheme) => {
        const fault = scheme === 'Bearer' ? faultOf(error, naming.vocabulary) : ''
        return `${scheme} realm="${origin}"${fault}`
      })
      .join(', ')
  return async (request: FastifyRequest, reply: FastifyReply, error: ApiError, understood?: string) => {
    request.error = error
    const { status, contentType, body, headers }: RenderedError = protocol.render(error, naming, understood)
    if (headers) reply.headers(headers)
    for (const [name, value] of Object.entries(error.headers))
      reply.header(naming.vocabulary.header(name), value)
    if (challenged && (status === 401 || error.bearer))
      reply.header('www-authenticate', challenges(status === 401 ? schemes : ['Bearer'], error))
    if (status === 503) reply.header(retryAfter, RETRY_AFTER_SECONDS)
    if (error.endsConnection || (error.reason === 'body too large' && !isDrained(request))) {
      reply.header('connection', 'close')
      endConnectionAfterReply(request.raw.socket)
    }
    reply.code(status).header('content-type', contentType).header('cache-control', NO_CACHE)
    const pending = deliver(request, reply, body, services)
    if (pending) await pending
    return reply
  }
}
