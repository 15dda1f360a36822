import { isUtf8 } from 'node:buffer'

const LONG_DIGITS = /[0-9]{16}/
/** This many digits where a value may begin. */
const LONG_NUMBER = /(?:^|[:,[])-?[0-9]{16}/
const WHOLE = /^-?[0-9]+$/

const EXCERPT = 40

/** A few characters of a text around a place. */
function around(text: string, place: number): string {
  const from = Math.max(0, place - EXCERPT)
  const to = Math.min(text.length, place + EXCERPT)
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}

/** Where a text stops to be JSON, as the error of the parser says. */
function placeOf(error: unknown, text: string): number {
  const message = String((error as Error).message)
  const position = / at position (\d+)/.exec(message)?.[1]
  if (position !== undefined) return Number(position)
  if (message.startsWith('Unexpected end')) return text.length
  // An unexpected token is reported with a few characters around it.
  const excerpt = /^Unexpected token .{1,4}, (?:\.{3})?"(.+?)"(?:\.{3})? is not valid JSON$/su.exec(
    message,
  )?.[1]
  const start = excerpt === undefined ? 0 : text.indexOf(excerpt)
  return Math.max(0, start) + Math.floor((excerpt?.length ?? 0) / 2)
}

/**
 * Reads JSON. Whole numbers that are too large for a number, as ids of 64 bits are, become texts of all their digits.
 * Throws SyntaxError.
 */
export const exactJson = (text: string): unknown =>
  LONG_DIGITS.test(text) ? parseWith(text, (digits) => digits) : JSON.parse(text)

/** Reads JSON that `jsonText` wrote: integers that are too large for a number become bigints. */
export const parseJson = (text: string): unknown =>
  LONG_NUMBER.test(text) ? parseWith(text, BigInt) : JSON.parse(text)

function parseWith(text: string, large: (digits: string) => unknown): unknown {
  return JSON.parse(text, (_name, value, context?: { source?: string }) => {
    const { source = '' } = context ?? {}
    return typeof value === 'number' && !Number.isSafeInteger(value) && WHOLE.test(source)
      ? large(source)
      : value
  })
}

/** Missing in the types of the language's library. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object }

/** Writes JSON like `JSON.stringify`; bigints become numbers with all their digits. */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent)
  } catch {
    // Few values hold a bigint, and a replacer makes the writing of all others several times slower.
    return JSON.stringify(
      value,
      (_name, one) => (typeof one === 'bigint' ? rawJSON(String(one)) : one),
      indent,
    )
  }
}

/** What a body holds, or the characters around the place where it stops to be JSON in UTF-8. */
export type JsonBody = { kind: 'json'; json: unknown } | { kind: 'no JSON'; quoted: string }

/** Reads a body as JSON, with `parse`: by default exactly, integers of any length included. */
export function readJson(body: Uint8Array, parse: (text: string) => unknown = exactJson): JsonBody {
  const text = new TextDecoder().decode(body)
  if (!isUtf8(body)) return { kind: 'no JSON', quoted: around(text, text.indexOf('\ufffd')) }
  try {
    return { kind: 'json', json: parse(text) }
  } catch (error) {
    return { kind: 'no JSON', quoted: around(text, placeOf(error, text)) }
  }
}
