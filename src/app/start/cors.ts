import type { FastifyInstance } from 'fastify'
import { METHODS } from '../../platform/http/mount.ts'

/**
 * How long browsers may remember the answer to a preflight request: the longest time that all of
 * them accept.
 */
const MAX_AGE_SECONDS = '7200'

/**
 * Lets pages of any origin call an API (Fetch standard, CORS protocol). They send their own
 * credentials: browsers add no cookies to requests for `*`. The pages of the API itself, such as
 * the consent page, cannot be read by other origins.
 */
export function allowOrigins(listener: FastifyInstance): void {
  listener.addHook('onRequest', (request, reply, done) => {
    const { headers } = request.raw
    if (headers.origin === undefined || request.routeOptions.config.isPage === true) return done()
    reply.header('access-control-allow-origin', '*')
    if (request.method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) {
      reply.header('access-control-expose-headers', '*')
      return done()
    }
    // A wildcard would not cover `authorization`.
    const allowed = headers['access-control-request-headers']
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS.join(', '),
        ...(allowed !== undefined && { 'access-control-allow-headers': allowed }),
        'access-control-max-age': MAX_AGE_SECONDS,
        ...(headers['access-control-request-private-network'] === 'true' && {
          'access-control-allow-private-network': 'true',
        }),
      })
      .send()
  })
}
