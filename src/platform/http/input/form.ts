import { isUtf8 } from 'node:buffer'
import { decodeForm, decodeFormBytes } from '../../common/percent.ts'
import { Slices } from '../../common/slices.ts'

/**
 * A decoded request parameter. Order and repetitions matter to a signature, so it is never a map
 * entry.
 */
export type Pair = [name: string, value: string]

/** Maximum number of pairs in one query string or form body. */
export const MAX_PAIRS = 1000

/**
 * A value that is too long for a string: creating one of its length takes too long. It can only be
 * a file.
 */
export interface LongValue {
  readonly name: string
  readonly bytes: Buffer
}

/** Longer values are long values, in bytes. */
export const MAX_TEXT_BYTES = 256 * 1024

/**
 * Why a query or a form is not well-formed: the pair that cannot be decoded. Without a name, it
 * cannot be named.
 */
export class MalformedPair {
  readonly name: string | undefined
  readonly value: string
  constructor(name?: string, value = '') {
    this.name = name
    this.value = value
  }
}

/**
 * Decodes the pairs of a query string (without `?`), or of a part of a form body, in order and
 * with repetitions. `a` and `a=` both give `['a', '']`. Empty segments (`a=1&&b=2`) are skipped.
 * Only the first `=` of a segment separates name and value. Returns a `MalformedPair` for an
 * escape that is malformed or not UTF-8, and for more than {@link MAX_PAIRS} pairs.
 */
export function readPairs(text: string): Pair[] | MalformedPair {
  const pairs: Pair[] = []
  // Searched once and reused until it is passed. Searching it again in every segment would scan a
  // text without any `=` over and over.
  let equals = text.indexOf('=')
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    // A search in each of many empty segments would take long.
    while (text.charCodeAt(start) === AMPERSAND) start++
    if (start === text.length) break
    if (pairs.length === MAX_PAIRS) return new MalformedPair()
    end = text.indexOf('&', start)
    if (end === -1) end = text.length
    while (equals !== -1 && equals < start) equals = text.indexOf('=', start)
    const bare = equals === -1 || equals >= end
    const name = decodeForm(text.slice(start, bare ? end : equals))
    if (name === undefined) return new MalformedPair()
    const value = bare ? '' : decodeForm(text.slice(equals + 1, end))
    if (value === undefined) return new MalformedPair(name, text.slice(equals + 1, end))
    pairs.push([name, value])
  }
  return pairs
}

/** The same; `undefined` when the text is not well-formed. */
export function parsePairs(text: string): Pair[] | undefined {
  const read = readPairs(text)
  return read instanceof MalformedPair ? undefined : read
}

/** The pairs of a form. Long values are in `long`. */
export interface FormPairs {
  readonly pairs: Pair[]
  readonly long: LongValue[]
}

/** Bytes of a form that are read at once. A pair that is longer is decoded in slices. */
const PART_BYTES = 64 * 1024
const AMPERSAND = 0x26
const EQUALS = 0x3d

/** Reads the body of a form of any length, in slices. Uses the memory of `body` for long values. */
export async function readForm(body: Buffer): Promise<FormPairs | MalformedPair> {
  const form: FormPairs = { pairs: [], long: [] }
  if (!isUtf8(body)) return new MalformedPair()
  const slices = new Slices()
  for (let start = 0; start < body.length; ) {
    if (start > 0 && slices.isOver) await slices.next()
    const end = endOfPart(body, start)
    const wrong =
      end - start > PART_BYTES
        ? await addLong(form, body.subarray(start, end), slices)
        : addPairs(form, body.toString('utf8', start, end))
    if (wrong) return wrong
    if (form.pairs.length + form.long.length > MAX_PAIRS) return new MalformedPair()
    start = end + 1
  }
  return form
}

/**
 * The end of the last pair that fits into a part, or of the first one if it is longer than a part.
 */
function endOfPart(body: Buffer, start: number): number {
  const limit = start + PART_BYTES
  if (limit >= body.length) return body.length
  const last = body.subarray(start, limit + 1).lastIndexOf(AMPERSAND)
  if (last !== -1) return start + last
  const next = body.indexOf(AMPERSAND, limit)
  return next === -1 ? body.length : next
}

function addPairs({ pairs }: FormPairs, text: string): MalformedPair | undefined {
  const read = readPairs(text)
  if (read instanceof MalformedPair) return read
  for (const pair of read) pairs.push(pair)
  return undefined
}

async function addLong(form: FormPairs, pair: Buffer, slices: Slices): Promise<MalformedPair | undefined> {
  const equals = pair.subarray(0, PART_BYTES).indexOf(EQUALS)
  if (equals === -1) return new MalformedPair()
  const name = decodeForm(pair.toString('utf8', 0, equals))
  if (name === undefined) return new MalformedPair()
  const head = pair.toString('utf8', equals + 1, equals + 1 + MAX_HEAD_BYTES)
  const value = await decodeFormBytes(pair.subarray(equals + 1), slices)
  if (!value || !isUtf8(value)) return new MalformedPair(name, head)
  if (value.length > MAX_TEXT_BYTES) form.long.push({ name, bytes: value })
  else form.pairs.push([name, value.toString()])
  return undefined
}

/** Bytes of a malformed value that its error may show. */
const MAX_HEAD_BYTES = 1024
