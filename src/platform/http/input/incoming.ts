import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { joinBytes } from '../../common/join-bytes.ts'
import { type ApiError, apiError, invalid, unsupported } from '../errors.ts'
import type { BodyReserve } from './body-memory.ts'
import { type FormPairs, type LongValue, MalformedPair, type Pair, readForm, readPairs } from './form.ts'
import type { JsonContent } from './json.ts'
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
  /** Values of the body that are too long for a string. */
  readonly long: readonly LongValue[]
  /** The JSON of the body, if the endpoint reads it as JSON. */
  readonly json: JsonContent | undefined
  /** The bytes of the body, once they have been read. */
  readonly body: Buffer | undefined
  /** The address of the peer, or of the client if a trusted proxy names it. */
  readonly address: string
}

const FORM_TYPE = 'application/x-www-form-urlencoded'
export const JSON_TYPE = 'application/json'
export const MULTIPART_TYPE = 'multipart/form-data'
const EMPTY: readonly Pair[] = []

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

/**
 * The content types of bodies that an endpoint reads; undefined when it reads none and ignores any
 * body.
 */
export function bodyTypes({ body, form, multipart, protocol }: BodyRules): readonly string[] | undefined {
  if (body) return [JSON_TYPE]
  if (Object.keys(form.properties).length === 0) return undefined
  return [
    FORM_TYPE,
    ...(protocol.input.jsonParameters ? [JSON_TYPE] : []),
    ...(multipart ? [MULTIPART_TYPE] : []),
  ]
}

/** No form begins with these characters, which browsers and libraries escape. */
const JSON_BEGINNING = /^[\t\n\r ]*[[{]/
/** Enough for white space before the first character. */
const BEGINNING_BYTES = 64

/**
 * Declares the content type of JSON that was sent without one, or with that of a form, as some
 * command lines do by default.
 */
export function declareJson(headers: IncomingHttpHeaders, body: Buffer): void {
  const type = mediaType(headers)
  if (type !== undefined && type !== FORM_TYPE) return
  if (JSON_BEGINNING.test(body.toString('latin1', 0, BEGINNING_BYTES))) headers['content-type'] = JSON_TYPE
}

export const isForm = (headers: IncomingHttpHeaders) => mediaType(headers) === FORM_TYPE

/** The query's pairs. Throws `bad request` when it is not well-formed. */
export function queryPairs(target: string): readonly Pair[] {
  const start = target.indexOf('?')
  if (start === -1) return EMPTY
  const pairs = readPairs(target.slice(start + 1))
  if (pairs instanceof MalformedPair) throw malformed('query', pairs)
  return pairs
}

/** The pairs of a form body. Throws `bad request` when it is not well-formed. */
export async function formOf(body: Buffer): Promise<FormPairs> {
  const form = await readForm(body)
  if (form instanceof MalformedPair) throw malformed('form', form)
  return form
}

/** Names the parameter that cannot be decoded, if its name can be. */
const malformed = (place: 'query' | 'form', { name, value }: MalformedPair): ApiError =>
  name === undefined || name === ''
    ? apiError('bad request', `malformed ${place}`)
    : invalid({ place, name, value, fault: { kind: 'invalid' } })

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
 * Reads a body of at most `maxBytes`. Rejects a larger one as soon as its size is known; the rest
 * of it is discarded. Rejects one that does not fit into `held` and stops reading it: the
 * connection ends after the reply.
 */
export async function readBody(
  message: IncomingMessage,
  maxBytes: number,
  reserve?: BodyReserve,
): Promise<Buffer> {
  const declared = Number(message.headers['content-length'])
  if (declared > maxBytes) throw apiError('body too large', `${declared} bytes declared`)
  // If the client disconnected before there was a listener, no event will report it.
  if (message.destroyed && !message.complete) throw apiError('bad request', 'the client went away')
  reserve?.begin(Number.isNaN(declared) ? undefined : declared)
  return joinBytes(await chunksOf(message, maxBytes, reserve))
}

function chunksOf(message: IncomingMessage, maxBytes: number, held?: BodyReserve): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const stop = (error: unknown) => {
      message.off('data', keep)
      // The listeners live as long as the request, which may wait for its rest.
      chunks.length = 0
      reject(error)
    }
    const keep = (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBytes) return stop(apiError('body too large', `more than ${maxBytes} bytes`))
      try {
        held?.take(chunk.length)
        chunks.push(chunk)
      } catch (error) {
        message.pause()
        stop(error)
      }
    }
    message.on('data', keep)
    message.once('end', () => resolve(chunks))
    message.once('error', stop)
    message.once('aborted', () => stop(apiError('bad request', 'the client went away')))
  })
}
