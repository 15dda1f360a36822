import type { IncomingMessage } from 'node:http'
import type { RenderedError, Services } from './contract.ts'
import { type ApiError, apiError, type EngineCause } from './errors.ts'

/** The error of the runtime's parser. */
export interface ParseError extends Error {
  code?: string
  /** The bytes in which the parser found it. */
  rawPacket?: Buffer
}

/** A request to open a tunnel, which the runtime does not pass to the router. */
export class TunnelError extends Error implements ParseError {
  readonly code = INVALID_METHOD
  readonly rawPacket: Buffer
  constructor(target = '') {
    super('a tunnel was requested')
    this.rawPacket = Buffer.from(`CONNECT ${target} HTTP/1.1\r\n`)
  }
}

/** A request that cannot be parsed, as far as it is known. */
export interface BrokenRequest {
  readonly cause: EngineCause
  /** Empty if the error is not in the bytes of its first line. */
  readonly method: string
  readonly target: string
}

const INVALID_METHOD = 'HPE_INVALID_METHOD'

const CAUSES: Readonly<Record<string, EngineCause>> = {
  HPE_HEADER_OVERFLOW: 'headers too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request timeout',
}

const MAX_LINE_BYTES = 32 * 1024
const REQUEST_LINE = /^([!-~]{1,100}) ([!-~]+) HTTP\/[0-9.]+\r?\n/

/** What is known of a request. `underWay`: the request whose body the parser has rejected. */
export function brokenRequest(
  { code = '', rawPacket }: ParseError,
  underWay?: IncomingMessage,
): BrokenRequest {
  const cause = CAUSES[code] ?? 'bad request'
  if (underWay) return { cause, method: underWay.method ?? '', target: underWay.url ?? '' }
  const [line, method = '', target = ''] =
    REQUEST_LINE.exec(rawPacket?.toString('latin1', 0, MAX_LINE_BYTES) ?? '') ?? []
  const isUnknownMethod = code === INVALID_METHOD && line !== undefined
  return { cause: isUnknownMethod ? 'method not allowed' : cause, method, target }
}

/**
 * Compiles how the error of such a request is rendered: in the protocol of its path, like that of
 * any other.
 */
export function compileBroken(services: Services, unmatched: (method: string, target: string) => ApiError) {
  const { naming, protocolAt } = services
  return ({ cause, method, target }: BrokenRequest): RenderedError => {
    const error = cause === 'method not allowed' ? unmatched(method, target) : apiError(cause)
    const rendered = protocolAt(target).render(error, naming)
    const named = Object.entries(error.headers).map(([name, value]) => [
      naming.vocabulary.header(name),
      value,
    ])
    return { ...rendered, headers: { ...rendered.headers, ...Object.fromEntries(named) } }
  }
}
