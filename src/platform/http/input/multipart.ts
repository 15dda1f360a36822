import type { IncomingHttpHeaders } from 'node:http'
import { Slices } from '../../common/slices.ts'
import { apiError, invalid, type Violation } from '../errors.ts'
import { type LongValue, MAX_TEXT_BYTES, type Pair } from './form.ts'

/** A file of a multipart body, or a file in a long value. */
export interface FilePart {
  /** The name of its field. */
  name: string
  /** The type that the sender declared. */
  type: string
  content: Buffer
  /** Set for a long value. */
  contentEncoding?: 'base64'
}

export interface MultipartForm {
  fields: Pair[]
  /** Fields that are too long for a string. */
  long: LongValue[]
  files: FilePart[]
}

const MAX_FIELDS = 50
const MAX_FILES = 4
const MAX_HEADERS = 20
const MAX_HEADER_BYTES = 8 * 1024
const MAX_NAME_BYTES = 100
/** RFC 2046 section 5.1.1. */
const MAX_BOUNDARY_LENGTH = 70
/** Bytes that are searched for the next boundary at once. */
const WINDOW_BYTES = 512 * 1024

/**
 * The parts of a `multipart/form-data` body that has been read (RFC 7578). A part is a file if it
 * has a file name or binary content, or the name of the endpoint's file. Contents are views of
 * `body`. Rejects a body that is malformed, truncated or has too many parts, at the first such
 * place.
 */
export async function readMultipart(
  body: Buffer,
  headers: IncomingHttpHeaders,
  file: string,
): Promise<MultipartForm> {
  const boundary = boundaryOf(headers)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const slices = new Slices()
  const parts: MultipartForm = { fields: [], long: [], files: [] }
  const find = (from: number) => nextOf(delimiter, { body, from, slices })
  // The line break before the first boundary may be missing.
  const isFirst = body
    .subarray(0, delimiter.length - LINE_END.length)
    .equals(delimiter.subarray(LINE_END.length))
  let at = isFirst ? delimiter.length - LINE_END.length : (await find(0)) + delimiter.length
  while (!isLast(body, at)) {
    const { head, start } = headOf(body, at)
    const end = await find(start)
    addPart(parts, head, body.subarray(start, end), file)
    at = end + delimiter.length
  }
  return parts
}

const malformed = (detail: string) => apiError('bad request', `multipart: ${detail}`)

const LINE_END = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')
const LAST = '--'

function boundaryOf(headers: IncomingHttpHeaders): string {
  const boundary = parametersOf(headers['content-type'] ?? '').get('boundary') ?? ''
  if (boundary === '' || boundary.length > MAX_BOUNDARY_LENGTH) throw malformed('no valid boundary')
  return boundary
}

/** The position of the next delimiter. Throws if there is none. */
async function nextOf(
  delimiter: Buffer,
  { body, from, slices }: { body: Buffer; from: number; slices: Slices },
): Promise<number> {
  for (let start = from; start < body.length; start += WINDOW_BYTES) {
    const found = body.subarray(start, start + WINDOW_BYTES + delimiter.length - 1).indexOf(delimiter)
    if (found !== -1) return start + found
    if (slices.isOver) await slices.next()
  }
  throw malformed('a boundary is missing')
}

/** Whether two hyphens follow a boundary: then it is the last one. */
const isLast = (body: Buffer, at: number) => body.toString('latin1', at, at + LAST.length) === LAST

/** The header lines of the part after a boundary, and where its content starts. */
function headOf(body: Buffer, at: number): { head: string[]; start: number } {
  // The line of the boundary may end with spaces, and a part may have no header lines.
  const block = body.subarray(at, at + MAX_HEADER_BYTES)
  const end = block.indexOf(HEAD_END)
  if (end === -1)
    throw malformed(`header lines without an end, or more than ${MAX_HEADER_BYTES} bytes of them`)
  const [padding = '', ...head] = block.toString('utf8', 0, end).split('\r\n')
  if (padding.trim() !== '') throw malformed('text after a boundary')
  if (head.length > MAX_HEADERS) throw malformed(`more than ${MAX_HEADERS} header lines`)
  return { head, start: at + end + HEAD_END.length }
}

function addPart(parts: MultipartForm, head: readonly string[], content: Buffer, file: string): void {
  const headers = new Map(head.map(headerOf))
  const disposition = parametersOf(headers.get('content-disposition') ?? '')
  const name = disposition.get('name')
  // Other parts are not fields of a form.
  if (name === undefined) throw malformed('a part without a name')
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw malformed(`a name of more than ${MAX_NAME_BYTES} bytes`)
  const declared = headers.get('content-type')
  const [type = ''] = (declared ?? 'text/plain').split(';', 1)
  const isFile =
    name === file ||
    type.trim().toLowerCase() === 'application/octet-stream' ||
    disposition.has('filename') ||
    disposition.has('filename*')
  if (isFile) parts.files.push({ name, type: type.trim(), content })
  else if (content.length > MAX_TEXT_BYTES) parts.long.push({ name, bytes: content })
  else parts.fields.push([name, textOf(name, content, declared)])
  if (parts.files.length > MAX_FILES || parts.fields.length + parts.long.length > MAX_FIELDS)
    throw malformed('too many parts')
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':')
  if (colon === -1) throw malformed('a header line without a colon')
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
}

/** One parameter of a header: `; name="value"`. A quoted value may contain escapes. */
const PARAMETER = /;[ \t]*([^\s"(),/:;<=>?@[\\\]{}]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s";]*))[ \t]*/y

/** The parameters of a header value, by lower-case name. Throws if they are malformed. */
function parametersOf(header: string): Map<string, string> {
  const parameters = new Map<string, string>()
  const start = header.indexOf(';')
  let at = start === -1 ? header.length : start
  while (at < header.length) {
    PARAMETER.lastIndex = at
    const [whole, name = '', quoted, plain = ''] = PARAMETER.exec(header) ?? []
    if (whole === undefined) throw malformed('a malformed header parameter')
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(["\\])/g, '$1') ?? plain)
    at += whole.length
  }
  return parameters
}

/** The text of a field, in UTF-8 unless it declares another character set. */
function textOf(name: string, content: Buffer, declared: string | undefined): string {
  const charset = declared === undefined ? 'utf-8' : (parametersOf(declared).get('charset') ?? 'utf-8')
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    throw invalid(unreadable(name))
  }
}

const unreadable = (name: string): Violation => ({
  place: 'form',
  name,
  value: undefined,
  fault: { kind: 'invalid' },
})
