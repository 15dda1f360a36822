import { isUtf8 } from 'node:buffer'
import { editedJson, JsonScan } from './json-scan.ts'

const LONG_DIGITS = /[0-9]{16}/
/** This many digits at the beginning of a value. */
const LONG_NUMBER = /(?:^|[:,[])-?[0-9]{16}/
const WHOLE = /^-?[0-9]+$/

const EXCERPT = 40

/** The characters of a text around a position. */
function excerptAround(text: string, place: number): string {
  const from = Math.max(0, place - EXCERPT)
  const to = Math.min(text.length, place + EXCERPT)
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}

/** Where a text stops being JSON, according to the parser's error. */
function placeOf(error: unknown, text: string): number {
  const message = String((error as Error).message)
  const position = / at position (\d+)/.exec(message)?.[1]
  if (position !== undefined) return Number(position)
  if (message.startsWith('Unexpected end')) return text.length
  // For an unexpected token, the parser reports the characters around it.
  const excerpt = /^Unexpected token .{1,4}, (?:\.{3})?"(.+?)"(?:\.{3})? is not valid JSON$/su.exec(
    message,
  )?.[1]
  const start = excerpt === undefined ? 0 : text.indexOf(excerpt)
  return Math.max(0, start) + Math.floor((excerpt?.length ?? 0) / 2)
}

/**
 * Parses JSON. Integers that are too large for a number, such as 64-bit ids, become strings of
 * their digits. Throws SyntaxError.
 */
export function exactJson(text: string): unknown {
  if (!LONG_DIGITS.test(text)) return JSON.parse(text)
  const bytes = Buffer.from(text)
  const scan = new JsonScan()
  scan.take(bytes, 0, bytes.length)
  scan.finish(bytes.length)
  return JSON.parse(editedJson(bytes, scan.edits))
}

/** Parses JSON that `jsonText` wrote: integers that are too large for a number become bigints. */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_name, value, context?: { source?: string }) => {
    const { source = '' } = context ?? {}
    return typeof value === 'number' && !Number.isSafeInteger(value) && WHOLE.test(source)
      ? BigInt(source)
      : value
  })
}

/** Missing in the types of the standard library. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object }

/** Writes JSON like `JSON.stringify`; bigints become numbers with all their digits. */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent)
  } catch {
    // Few values contain a bigint, and a replacer would make writing the others several times
    // slower.
    return JSON.stringify(
      value,
      (_name, member) => (typeof member === 'bigint' ? rawJSON(String(member)) : member),
      indent,
    )
  }
}

/** The content of a body, or the characters around the position where it stops being UTF-8 JSON. */
export type JsonBody = { kind: 'json'; json: unknown } | JsonFault
export interface JsonFault {
  kind: 'no JSON'
  quoted: string
}

/** Parses a body as JSON with `JSON.parse`. */
export function readJson(body: Uint8Array): JsonBody {
  const text = new TextDecoder().decode(body)
  return isUtf8(body) ? parsed(text) : notUtf8(text)
}

/** Parses JSON with `JSON.parse`. Quotes the text around the first error. */
export function parsed(text: string): JsonBody {
  try {
    return { kind: 'json', json: JSON.parse(text) }
  } catch (error) {
    return { kind: 'no JSON', quoted: excerptAround(text, placeOf(error, text)) }
  }
}

/** Quotes a text that was decoded from bytes that are not UTF-8. */
export const notUtf8 = (text: string): JsonFault => ({
  kind: 'no JSON',
  quoted: excerptAround(text, text.indexOf('\ufffd')),
})
