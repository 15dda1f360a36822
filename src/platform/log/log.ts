import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import pino from 'pino'
import { systemClock } from '../common/clock.ts'
import { LogWriter } from './log-writer.ts'
import { RecentLines } from './recent-lines.ts'
import { textOf } from './text-line.ts'

const STANDARD_ERROR = 2

/** Shared by all logs of a process. */
let standardError: LogWriter | undefined

/** The last lines of the log of this process, one JSON object each. */
export const recentLines = new RecentLines()

export type LogFormat = 'json' | 'text'

/** The log on standard error: one JSON object per line, or text for a terminal. */
export function createLog(level: string, format: LogFormat = process.stderr.isTTY ? 'text' : 'json'): Logger {
  standardError ??= new LogWriter(STANDARD_ERROR)
  const writer = standardError
  const destination = {
    write(line: string) {
      recentLines.add(line)
      writer.write(format === 'json' ? line : `${textOf(line)}\n`)
    },
  }
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}

/** Writes the line of one request, when its reply is being sent. */
export type RequestLog = (request: FastifyRequest, reply: FastifyReply) => void

/** pino's number for `info`. */
const INFO = 30

/**
 * Longer segments of a path may be tokens, such as those of previews. Names of media files are not.
 */
const MAX_SEGMENT_LENGTH = 72
/** In a path of no endpoint, any segment may be a token. All tokens and keys are longer. */
const MAX_UNKNOWN_SEGMENT_LENGTH = 20

const longSegments = (maxLength: number) => new RegExp(`([^/]{8})[^/]{${maxLength - 7},}`, 'g')
const LONG_SEGMENTS = longSegments(MAX_SEGMENT_LENGTH)
const LONG_UNKNOWN_SEGMENTS = longSegments(MAX_UNKNOWN_SEGMENT_LENGTH)

/** The path of a target, without what may be a token. */
function pathOf(target: string, isKnown: boolean): string {
  const query = target.indexOf('?')
  const path = query === -1 ? target : target.slice(0, query)
  const [maxLength, long] = isKnown
    ? [MAX_SEGMENT_LENGTH, LONG_SEGMENTS]
    : [MAX_UNKNOWN_SEGMENT_LENGTH, LONG_UNKNOWN_SEGMENTS]
  return path.length > maxLength ? path.replace(long, '$1…') : path
}

/**
 * One line for each request. Queries, headers and bodies are never logged: they may hold tokens.
 * Segments of paths that may be tokens are cut. The line is put together by hand, because this is
 * done for every request and most of it is known beforehand.
 */
export function requestLog(log: Logger, host: string): RequestLog {
  // pino's types do not include the stream of a logger.
  const stream = (log as Logger & Record<symbol, { write(line: string): void }>)[pino.symbols.streamSym]
  const time = timeText()
  return (request, reply) => {
    // The level may change while Plaza runs.
    if (!log.isLevelEnabled('info')) return
    const { caller, error, raw, began } = request
    let line = `{"level":${INFO},"time":"${time(systemClock.now())}","request_id":"${request.id}","host":"${host}","method":"${raw.method}"`
    line += `,"path":${JSON.stringify(pathOf(raw.url ?? '', !request.is404))},"status":${reply.statusCode}`
    line += `,"ms":${Math.round((performance.now() - began) * 100) / 100}`
    if (caller?.app) line += `,"app":"${caller.app.id}"`
    if (caller?.userId) line += `,"user":"${caller.userId}"`
    if (error) line += `,"error":"${error.reason}","detail":${JSON.stringify(error.message)}`
    stream?.write(`${line}}\n`)
  }
}

/** RFC 3339 times. The text of a millisecond is formatted once. */
function timeText(): (nowMs: number) => string {
  let lastMs = 0
  let text = ''
  return (nowMs) => {
    if (nowMs !== lastMs) {
      lastMs = nowMs
      text = new Date(nowMs).toISOString()
    }
    return text
  }
}
