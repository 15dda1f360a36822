import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RandomSource } from '../common/random.ts'
import type { Vocabulary } from '../http/vocabulary.ts'

/** One year, as required by browsers' preload lists. */
const HSTS = 'max-age=31536000'
const SECRET_BYTES = 32

interface Marked {
  vocabulary: Vocabulary
  random: RandomSource
  /** Whether clients reach the listener over TLS. */
  secure: boolean
  /** The current version of its API, if replies contain it. */
  version: string | undefined
}

const mark = Symbol('connection hash')

type Marks = { [mark]?: string }

/**
 * Adds headers for support to every reply: `x-transaction-id`, which identifies the request, and `x-connection-hash`,
 * which is the same for all requests of one connection and has no other meaning. If the API has a `version`, replies
 * contain it in `x-current-api-version`. Replies over TLS also have `Strict-Transport-Security`, except on `localhost`,
 * because browsers apply it to every port of a name.
 */
export function markReplies(server: FastifyInstance, { vocabulary, random, secure, version }: Marked): void {
  const idHeader = vocabulary.header('x-transaction-id')
  const hashHeader = vocabulary.header('x-connection-hash')
  const versionHeader = vocabulary.header('x-current-api-version')
  const secret = random.bytes(SECRET_BYTES)
  let connections = 0
  const hashOf = (socket: Marks) => {
    socket[mark] ??= createHmac('sha256', secret).update(String(connections++)).digest('hex')
    return socket[mark]
  }
  server.addHook('onRequest', (request, reply, done) => {
    request.began = performance.now()
    reply.header(idHeader, request.id)
    reply.header(hashHeader, hashOf(request.raw.socket as Marks))
    if (version !== undefined) reply.header(versionHeader, version)
    if (secure && !isLocalhost(request.raw.headers.host ?? ''))
      reply.header('strict-transport-security', HSTS)
    done()
  })
}

const isLocalhost = (host: string) => host.includes('localhost') && /^([^:]*\.)?localhost\.?(:|$)/i.test(host)

/** Sets `x-response-time` to the duration of the request in milliseconds. */
export function timeReplies(vocabulary: Vocabulary) {
  const header = vocabulary.header('x-response-time')
  return ({ began }: FastifyRequest, reply: FastifyReply): void => {
    if (began > 0) reply.header(header, Math.round(performance.now() - began))
  }
}
