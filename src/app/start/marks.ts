import { createHmac } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RandomSource } from '../../platform/common/random.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import type { HeadersOf } from './listener.ts'

/** One year, as required by browsers' preload lists. */
const HSTS = 'max-age=31536000'
const SECRET_BYTES = 32

interface ReplyMarksOptions {
  vocabulary: Vocabulary
  random: RandomSource
  /** Whether clients reach the listener over TLS. */
  secure: boolean
  /** The current version of its API, if replies contain it. */
  version: string | undefined
}

const mark = Symbol('connection hash')

type SocketMarks = { [mark]?: string }

/**
 * Compiles the headers for support of every reply: `x-transaction-id`, which identifies the
 * request, and `x-connection-hash`, which is the same for all requests of one connection and has no
 * other meaning. If the API has a `version`, replies contain it in `x-current-api-version`. Replies
 * over TLS also have `Strict-Transport-Security`, except on `localhost`, because browsers apply it
 * to every port of a name.
 */
export function compileMarks({ vocabulary, random, secure, version }: ReplyMarksOptions): HeadersOf {
  const idHeader = vocabulary.header('x-transaction-id')
  const hashHeader = vocabulary.header('x-connection-hash')
  const versionHeader = vocabulary.header('x-current-api-version')
  const secret = random.bytes(SECRET_BYTES)
  let connections = 0
  const hashOf = (socket: Socket & SocketMarks) => {
    socket[mark] ??= createHmac('sha256', secret).update(String(connections++)).digest('hex')
    return socket[mark]
  }
  return (id, socket, host) => {
    const marks: Record<string, string> = { [idHeader]: id, [hashHeader]: hashOf(socket) }
    if (version !== undefined) marks[versionHeader] = version
    if (secure && host !== undefined && !isLocalhost(host)) marks['strict-transport-security'] = HSTS
    return marks
  }
}

const isLocalhost = (host: string) => host.includes('localhost') && /^([^:]*\.)?localhost\.?(:|$)/i.test(host)

/** Sets `x-response-time` to the duration of the request in milliseconds. */
export function timeReplies(vocabulary: Vocabulary) {
  const header = vocabulary.header('x-response-time')
  return ({ began }: FastifyRequest, reply: FastifyReply): void => {
    if (began > 0) reply.header(header, Math.round(performance.now() - began))
  }
}
