import type { Slices } from './slices.ts'

const SKIPPED = 64
const PADDING = 65
const INVALID = 66

/** What each byte stands for: six bits, or one of the constants above. */
const MEANING = new Uint8Array(256).fill(INVALID)
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
for (const [bits, letter] of [...LETTERS].entries()) MEANING[letter.charCodeAt(0)] = bits
for (const [letter, bits] of [
  ['+', 62],
  ['-', 62],
  ['/', 63],
  ['_', 63],
] as const)
  MEANING[letter.charCodeAt(0)] = bits
for (const space of ' \t\n\v\f\r') MEANING[space.charCodeAt(0)] = SKIPPED
MEANING['='.charCodeAt(0)] = PADDING

const MAX_PADDING = 2
/** Bytes between two looks at the clock. */
const WINDOW_BYTES = 64 * 1024

/**
 * Decodes Base64 of either alphabet (RFC 4648 sections 4 and 5) in slices. White space is skipped,
 * and the padding may be missing. Decodes in place, and resolves to the part of `text` that is in
 * use afterwards; undefined if it is not Base64.
 */
export async function decodeBase64(text: Buffer, slices: Slices): Promise<Buffer | undefined> {
  let to = 0
  let bits = 0
  let held = 0
  let padding = 0
  for (let from = 0; from < text.length; ) {
    const end = Math.min(text.length, from + WINDOW_BYTES)
    for (; from < end; from++) {
      const meaning = MEANING[text[from] as number] as number
      if (meaning < SKIPPED) {
        if (padding > 0) return undefined
        bits = ((bits << 6) | meaning) & 0xffff
        held += 6
        if (held >= 8) {
          held -= 8
          text[to++] = bits >> held
        }
      } else if (meaning === PADDING) padding++
      else if (meaning === INVALID) return undefined
    }
    if (padding > MAX_PADDING) return undefined
    if (slices.isOver) await slices.next()
  }
  return text.subarray(0, to)
}
