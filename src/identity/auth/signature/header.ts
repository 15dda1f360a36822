import { decode } from '../../../platform/common/percent.ts'
import type { Pair } from '../../../platform/http/input/form.ts'

/** Maximum length of an Authorization value, in characters. */
export const MAX_HEADER_LENGTH = 8192

const TAB = 9
const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const SPACE = 32
const QUOTE = 34
const COMMA = 44
const EQUALS = 61
const BACKSLASH = 92

function isSpace(code: number): boolean {
  // CR and LF occur in folded header lines.
  return code === SPACE || code === TAB || code === CARRIAGE_RETURN || code === LINE_FEED
}

/**
 * Splits an Authorization value into its scheme, in lower case, and the rest, without the white
 * space around it (`''` if there is none). `undefined` when the value is blank or longer than
 * {@link MAX_HEADER_LENGTH}. The caller checks whether the scheme is known.
 */
export function parseAuthorization(header: string): { scheme: string; rest: string } | undefined {
  if (header.length > MAX_HEADER_LENGTH) return undefined
  let start = 0
  let stop = header.length
  while (start < stop && isSpace(header.charCodeAt(start))) start++
  while (stop > start && isSpace(header.charCodeAt(stop - 1))) stop--
  if (start === stop) return undefined
  let end = start
  while (end < stop && !isSpace(header.charCodeAt(end))) end++
  const scheme = header.slice(start, end).toLowerCase()
  while (end < stop && isSpace(header.charCodeAt(end))) end++
  return { scheme, rest: header.slice(end, stop) }
}

/**
 * The decoded pairs of an OAuth Authorization value, after its scheme (RFC 5849 3.5.1):
 * `name="value"` separated by commas, with optional white space around commas and `=`. Empty list
 * elements are allowed, as in every HTTP list. Names and values are percent-decoded; `+` stays `+`.
 * `realm` is dropped; duplicate names are kept, in order. `undefined` for anything malformed:
 * missing quotes or commas, text after a value, an invalid escape, a backslash outside `realm`
 * (which is ambiguous), or more than {@link MAX_HEADER_LENGTH} characters.
 */
export function parseOAuthHeader(rest: string): Pair[] | undefined {
  const length = rest.length
  if (length > MAX_HEADER_LENGTH) return undefined
  const pairs: Pair[] = []
  let at = 0
  for (;;) {
    for (; at < length; at++) {
      const code = rest.charCodeAt(at)
      if (code !== COMMA && !isSpace(code)) break
    }
    if (at === length) return pairs

    const nameStart = at
    for (; at < length; at++) {
      const code = rest.charCodeAt(at)
      if (code === EQUALS || isSpace(code)) break
      if (code === COMMA || code === QUOTE) return undefined
    }
    const name = decode(rest.slice(nameStart, at))
    if (name === undefined || name === '') return undefined

    at = skipSpace(rest, at)
    if (at === length || rest.charCodeAt(at) !== EQUALS) return undefined
    at = skipSpace(rest, at + 1)
    if (at === length || rest.charCodeAt(at) !== QUOTE) return undefined
    const valueStart = at + 1

    if (name.length === 5 && name.toLowerCase() === 'realm') {
      at = quotedStringEnd(rest, valueStart)
      if (at === -1) return undefined
    } else {
      at = rest.indexOf('"', valueStart)
      if (at === -1) return undefined
      const raw = rest.slice(valueStart, at)
      if (raw.indexOf('\\') !== -1) return undefined
      const value = decode(raw)
      if (value === undefined) return undefined
      pairs.push([name, value])
    }

    at = skipSpace(rest, at + 1)
    if (at < length && rest.charCodeAt(at) !== COMMA) return undefined
  }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text.charCodeAt(at))) at++
  return at
}

/** The position of the closing quote of an HTTP quoted-string, or -1 if there is none. */
function quotedStringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return -1
}
