import type { Slices } from './slices.ts'

// 1 for the characters RFC 3986 leaves alone: A-Z a-z 0-9 - . _ ~
const UNRESERVED = new Uint8Array(128)
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~')
  UNRESERVED[letter.charCodeAt(0)] = 1

/** Whether a byte is a character that RFC 3986 leaves alone. */
export const isUnreserved = (byte: number): boolean => UNRESERVED[byte] === 1

const LEFT_BARE_BY_URI_COMPONENT = /[!'()*]/g

/**
 * Percent-encodes according to RFC 3986 2.1 and RFC 5849 3.6: unreserved characters stay, and every
 * other byte of the UTF-8 form becomes `%XX` with upper-case digits. A lone surrogate has no UTF-8
 * form and is written as U+FFFD. Never throws.
 */
export function encode(text: string): string {
  for (let at = 0; at < text.length; at++) {
    // Most names and values need no encoding. A unit outside the table is undefined, and needs it.
    if (UNRESERVED[text.charCodeAt(at)] !== 1) return encodeSome(text)
  }
  return text
}

function encodeSome(text: string): string {
  const encoded = encodeURIComponent(text.isWellFormed() ? text : text.toWellFormed())
  return encoded.replace(
    LEFT_BARE_BY_URI_COMPONENT,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/**
 * Percent-decodes as UTF-8. `+` and unescaped characters stay unchanged. `undefined` when an escape
 * is incomplete or not hexadecimal, or the escaped bytes are not UTF-8.
 */
export function decode(text: string): string | undefined {
  if (text.indexOf('%') === -1) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Like {@link decode}, for query strings and form bodies, where `+` stands for a space. */
export function decodeForm(text: string): string | undefined {
  return decode(text.indexOf('+') === -1 ? text : text.replace(/\+/g, ' '))
}

const PERCENT = 0x25
const PLUS = 0x2b
const SPACE = 0x20

/** The value of each hexadecimal digit, by its byte; -1 for other bytes. */
const DIGIT = new Int8Array(256).fill(-1)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGIT[digit.charCodeAt(0)] = value
  DIGIT[digit.toUpperCase().charCodeAt(0)] = value
}

/** Bytes between two looks at the clock. */
const WINDOW_BYTES = 64 * 1024

/**
 * Like {@link decodeForm}, for bytes of any length, in slices. Decodes them in place, and resolves
 * to the part of `bytes` that is in use afterwards. Does not check whether they are UTF-8.
 */
export async function decodeFormBytes(bytes: Buffer, slices: Slices): Promise<Buffer | undefined> {
  let to = 0
  for (let from = 0; from < bytes.length; ) {
    const end = Math.min(bytes.length, from + WINDOW_BYTES)
    for (; from < end; from++) {
      const byte = bytes[from] as number
      if (byte === PERCENT) {
        const high = DIGIT[bytes[from + 1] ?? 0] as number
        const low = DIGIT[bytes[from + 2] ?? 0] as number
        if (high < 0 || low < 0) return undefined
        bytes[to++] = high * 16 + low
        from += 2
      } else bytes[to++] = byte === PLUS ? SPACE : byte
    }
    if (slices.isOver) await slices.next()
  }
  return bytes.subarray(0, to)
}
