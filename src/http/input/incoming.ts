import { beginningOf } from '../../common/cut-text.ts'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { decodeForm } from '../../common/percent.ts'
import type { ApiError } from '../errors.ts'
import { apiError, invalid, unsupported } from '../errors.ts'
import type { HeldBody } from './body-memory.ts'
import type { Pair } from './form.ts'
import { MAX_PAIRS, parsePairs } from './form.ts'
import type { FilePart } from './multipart.ts'

/** A request as it arrived, before any check. */
export interface Incoming {
  readonly method: string
  /** `https`, unless the listener uses plain HTTP and no proxy reports otherwise. */
  readonly scheme: 'http' | 'https'
  /** The `Host` header. */
  readonly host: string
  /** Path and query exactly as sent. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly query: readonly Pair[]
  /** The pairs of a form body; empty for every other body. */
  readonly form: readonly Pair[]
  /** The fields of a multipart body, which no signature covers. */
  readonly fields: readonly Pair[]
  /** The files of a multipart body. */
  readonly files: readonly FilePart[]
  /** The bytes of the body, once they have been read. */
  readonly body: Buffer | undefined
  /** The address of the peer, or of the client if a trusted proxy names it. */
  readonly address: string
}

const FORM_TYPE = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
export const MULTIPART_TYPE = 'multipart/form-data'
const EMPTY: readonly Pair[] = []
const MAX_SHOWN = 200

/** The media type of the body, in lower case without parameters; undefined when there is none. */
export function mediaType(headers: IncomingHttpHeaders): string | undefined {
  const type = headers['content-type']
  if (type === undefined) return undefined
  const end = type.indexOf(';')
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase()
}

/** The members of an endpoint that decide which bodies it reads. */
interface BodyRules {
  readonly body: unknown
  readonly form: { readonly properties: object }
  readonly multipart: object | undefined
  readonly protocol: { readonly input: { readonly jsonParameters: boolean } }
}

/** The content types of bodies that an endpoint reads; undefined when it reads none and ignores any body. */
export function bodyTypes({ body, form, multipart, protocol }: BodyRules): readonly string[] | undefined {
  if (body) return [JSON_TYPE]
  if (Object.keys(form.properties).length === 0) return undefined
  return [
    FORM_TYPE,
    ...(protocol.input.jsonParameters ? [JSON_TYPE] : []),
    ...(multipart ? [MULTIPART_TYPE] : []),
  ]
}

export const isForm = (headers: IncomingHttpHeaders) => mediaType(headers) === FORM_TYPE

/** The query's pairs. Throws `bad request` when it is not well-formed. */
export function queryPairs(target: string): readonly Pair[] {
  const start = target.indexOf('?')
  if (start === -1) return EMPTY
  const text = target.slice(start + 1)
  const pairs = parsePairs(text)
  if (!pairs) throw malformed('query', text)
  return pairs
}

/** The pairs of a form body. Throws `bad request` when it is not well-formed. */
export function formPairs(body: Buffer): readonly Pair[] {
  if (body.length === 0) return EMPTY
  const text = body.toString('utf8')
  const pairs = parsePairs(text)
  if (!pairs) throw malformed('form', text)
  return pairs
}

/** Names the parameter that cannot be decoded, if its name can be. */
function malformed(place: 'query' | 'form', text: string): ApiError {
  for (const segment of text.split('&').slice(0, MAX_PAIRS)) {
    const [raw = '', ...rest] = segment.split('=')
    const name = decodeForm(raw)
    const value = rest.join('=')
    if (name !== undefined && name !== '' && decodeForm(value) === undefined)
      return invalid({ place, name, value: beginningOf(value, MAX_SHOWN), fault: { kind: 'invalid' } })
  }
  return apiError('bad request', `malformed ${place}`)
}

/** Whether a body follows the head of a request. */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Bodies with a content encoding are rejected: unpacked, they could become much larger. */
export function rejectEncoded({ 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders): void {
  if (encoding.toLowerCase() !== 'identity') throw unsupported('content encoding', encoding, ['identity'])
}

/**
 * Reads a body of at most `maxBytes`. Rejects a larger one as soon as its size is known, and one that does not fit into
 * `held`. The rest of a rejected body is discarded.
 */
export function readBody(
  message: IncomingMessage,
  maxBytes: number,
  held?: Pick<HeldBody, 'take'>,
): Promise<Buffer> {
  const declared = Number(message.headers['content-length'])
  if (declared > maxBytes) return Promise.reject(apiError('body too large', `${declared} bytes declared`))
  // If the client disconnected before there was a listener, no event will report it.
  if (message.destroyed && !message.complete)
    return Promise.reject(apiError('bad request', 'the client went away'))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const stop = (error: Error) => {
      message.removeAllListeners('data')
      reject(error)
    }
    message.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBytes) return stop(apiError('body too large', `more than ${maxBytes} bytes`))
      try {
        held?.take(chunk.length)
        chunks.push(chunk)
      } catch (error) {
        stop(error as Error)
      }
    })
    message.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    message.once('error', stop)
    message.once('aborted', () => stop(apiError('bad request', 'the client went away')))
  })
}
