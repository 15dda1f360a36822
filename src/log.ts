import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import pino from 'pino'
import type { Vocabulary } from './kit/vocabulary.ts'

const FLUSH_MS = 200
const BUFFER_BYTES = 8_192

/** The log: one JSON object a line on standard error. Lines are written in batches, a fifth of a second late at most. */
export function createLog(level: string): Logger {
  const destination = pino.destination({ fd: 2, minLength: BUFFER_BYTES, sync: true })
  const timer = setInterval(() => destination.flushSync(), FLUSH_MS)
  timer.unref()
  process.once('exit', () => destination.flushSync())
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}

/**
 * One line for each request, and its id as a reply header. Queries, headers and bodies are never logged:
 * they may hold tokens.
 */
export function logRequests(
  server: FastifyInstance,
  log: Logger,
  host: string,
  vocabulary: Vocabulary,
): void {
  const header = vocabulary.header('x-transaction-id')
  server.addHook('onRequest', (request, reply, done) => {
    reply.header(header, request.id)
    done()
  })
  if (!log.isLevelEnabled('info')) return
  server.addHook('onResponse', (request, reply, done) => {
    const { caller, refusal, raw } = request
    const target = raw.url ?? ''
    const query = target.indexOf('?')
    log.info({
      request_id: request.id,
      host,
      method: raw.method,
      path: query === -1 ? target : target.slice(0, query),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
      ...(caller?.app && { app: caller.app.id }),
      ...(caller?.userId && { user: caller.userId }),
      ...(refusal && { refused: refusal.reason, detail: refusal.message }),
    })
    done()
  })
}
