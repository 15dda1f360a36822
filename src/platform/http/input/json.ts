import { isUtf8 } from 'node:buffer'
import { type JsonFault, notUtf8, parsed } from '../../common/exact-json.ts'
import { editedJson, type JsonEdit, type JsonLimits, JsonScan } from '../../common/json-scan.ts'
import { Slices } from '../../common/slices.ts'
import { apiError } from '../errors.ts'
import { type LongValue, MAX_TEXT_BYTES } from './form.ts'

/**
 * More than any endpoint takes. Parsing and checking so many takes a fraction of the time that
 * others may wait.
 */
export const MAX_JSON_VALUES = 25_000
export const MAX_JSON_DEPTH = 100
/** Without its long texts. */
const MAX_PARSED_BYTES = 5 * 1024 * 1024
/** A byte order mark, which some clients send first. */
const MARK = Buffer.from('\ufeff')
/** Bytes between two looks at the clock. */
const WINDOW_BYTES = 64 * 1024

/** The JSON of a body. `long`: long texts of the outermost object, which is without them. */
export type JsonContent =
  | { kind: 'json'; json: unknown; long: readonly LongValue[] }
  | JsonFault
  | { kind: 'too complex'; exceeded: 'depth' | 'values' }

/**
 * Parses a body as JSON in slices. Integers that are too large for a number become strings of
 * their digits. If `takesFiles`, long texts stay bytes, in the memory of `content`. Throws
 * `body too large` if the body without its long texts is too large.
 */
export async function readJsonBody(content: Buffer, takesFiles: boolean): Promise<JsonContent> {
  const slices = new Slices()
  const body = content.subarray(0, MARK.length).equals(MARK) ? content.subarray(MARK.length) : content
  if (!isUtf8(body)) return invalidUtf8(body, slices)
  const scan = await scanned(body, slices, {
    maxDepth: MAX_JSON_DEPTH,
    maxValues: MAX_JSON_VALUES,
    maxTextBytes: takesFiles ? MAX_TEXT_BYTES : Number.POSITIVE_INFINITY,
  })
  const { exceeded, edits } = scan
  if (exceeded) return { kind: 'too complex', exceeded }
  const longTexts = edits.filter((edit) => edit.kind === 'long text')
  const rest = longTexts.reduce((bytes, { start, end }) => bytes - (end - start), body.length)
  if (rest > MAX_PARSED_BYTES) throw apiError('body too large', `${rest} bytes of JSON besides files`)
  // The text and its value are created in turns of their own.
  if (rest > WINDOW_BYTES) await slices.next()
  const text = editedJson(body, edits)
  if (rest > WINDOW_BYTES) await slices.next()
  const read = parsed(text)
  if (read.kind === 'json') return { ...read, long: await taken(read.json, body, longTexts, slices) }
  if (edits.length === longTexts.length) return read
  // Quotes what was sent: without the quotation marks around integers.
  await slices.next()
  const unedited = parsed(editedJson(body, longTexts))
  return unedited.kind === 'json' ? read : unedited
}

async function scanned(body: Buffer, slices: Slices, limits: JsonLimits): Promise<JsonScan> {
  const scan = new JsonScan(limits)
  for (let from = 0; from < body.length && !scan.exceeded; from += WINDOW_BYTES) {
    if (from > 0 && slices.isOver) await slices.next()
    scan.take(body, from, Math.min(body.length, from + WINDOW_BYTES))
  }
  scan.finish(body.length)
  return scan
}

/** Removes the long texts, which are empty by now, from their object. */
async function taken(
  json: unknown,
  body: Buffer,
  longTexts: readonly (JsonEdit & { kind: 'long text' })[],
  slices: Slices,
): Promise<LongValue[]> {
  const long: LongValue[] = []
  for (const { start, end, name: range } of longTexts) {
    const name = String(JSON.parse(body.toString('utf8', range.start, range.end)))
    if (typeof json === 'object' && json !== null) Reflect.deleteProperty(json, name)
    long.push({ name, bytes: await unescaped(body.subarray(start + 1, end - 1), slices) })
  }
  return long
}

const BACKSLASH = 0x5c
const LETTER_U = 0x75
/** What escapes of one letter stand for. */
const ESCAPES = new Map(
  [...'"\\/bfnrt'].map((letter, at) => [letter.charCodeAt(0), '"\\/\b\f\n\r\t'.charCodeAt(at)]),
)

/**
 * Replaces the escapes of a long text, in place. Only files are so long, and those are in Base64:
 * an escape of any other character is left as it is.
 */
async function unescaped(text: Buffer, slices: Slices): Promise<Buffer> {
  let to = 0
  for (let from = 0; from < text.length; ) {
    const end = Math.min(text.length, from + WINDOW_BYTES)
    while (from < end) {
      const byte = text[from++] as number
      if (byte !== BACKSLASH) {
        text[to++] = byte
        continue
      }
      const letter = text[from] as number
      const meant =
        letter === LETTER_U
          ? Number.parseInt(text.toString('latin1', from + 1, from + 5), 16)
          : ESCAPES.get(letter)
      if (meant === undefined || !(meant < 0x80)) text[to++] = BACKSLASH
      else {
        text[to++] = meant
        from += letter === LETTER_U ? 5 : 1
      }
    }
    if (slices.isOver) await slices.next()
  }
  return text.subarray(0, to)
}

/** Quotes the first window of a body that is not UTF-8. */
async function invalidUtf8(body: Buffer, slices: Slices): Promise<JsonFault> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (let from = 0; from < body.length; from += WINDOW_BYTES) {
    if (slices.isOver) await slices.next()
    try {
      decoder.decode(body.subarray(from, from + WINDOW_BYTES), { stream: true })
    } catch {
      return notUtf8(textAround(body, from))
    }
  }
  // It ends inside a character.
  return notUtf8(textAround(body, body.length))
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** The window before and the window after a position. */
function textAround(body: Buffer, at: number): string {
  let start = Math.max(0, at - WINDOW_BYTES)
  while (start > 0 && isContinuation(body[start])) start--
  return body.toString('utf8', start, at + WINDOW_BYTES)
}
