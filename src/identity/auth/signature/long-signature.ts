import { createHmac, type Hmac } from 'node:crypto'
import { encode, isUnreserved } from '../../../platform/common/percent.ts'
import { Slices } from '../../../platform/common/slices.ts'
import type { LongValue, Pair } from '../../../platform/http/input/form.ts'

/** One parameter, as UTF-8. */
interface Parameter {
  readonly name: Buffer
  readonly value: Buffer
}

/** A byte that is encoded twice: `%25XX`. */
const MAX_ENCODED_BYTES = 5
const WINDOW_BYTES = 64 * 1024
/** Encoded `=` and `&`. */
const EQUALS = Buffer.from('%3D')
const AMPERSAND = Buffer.from('%26')

/**
 * The HMAC-SHA1 of a signature base string (RFC 5849 3.4.1), computed in slices: for parameters of
 * any length, of which no encoded copy is made. The same as `hmacSha1` of `baseString`.
 */
export async function longSignature(
  key: string,
  {
    method,
    uri,
    pairs,
    long,
  }: { method: string; uri: string; pairs: readonly Pair[]; long: readonly LongValue[] },
): Promise<string> {
  const slices = new Slices()
  const parameters: Parameter[] = long.map(({ name, bytes }) => ({ name: Buffer.from(name), value: bytes }))
  for (const [name, value] of pairs) {
    parameters.push({ name: Buffer.from(name), value: Buffer.from(value) })
    if (slices.isOver) await slices.next()
  }
  parameters.sort(byEncoded)
  const hmac = createHmac('sha1', key).update(`${method.toUpperCase()}&${encode(uri)}&`)
  for (const [at, { name, value }] of parameters.entries()) {
    if (at > 0) hmac.update(AMPERSAND)
    await updateEncoded(hmac, name, slices)
    hmac.update(EQUALS)
    await updateEncoded(hmac, value, slices)
  }
  return hmac.digest('base64')
}

const byEncoded = (a: Parameter, b: Parameter) =>
  compareEncoded(a.name, b.name) || compareEncoded(a.value, b.value)

/** Bytes that are compared at once, as long as they are equal. */
const BLOCK_BYTES = 1024

/** The order of encoded bytes: encoded bytes begin with `%`, which precedes all others. */
const RANK = Uint16Array.from({ length: 256 }, (_, byte) => (isUnreserved(byte) ? 256 + byte : byte))

/** Compares two texts as if they were encoded. */
function compareEncoded(a: Buffer, b: Buffer): number {
  const shared = Math.min(a.length, b.length)
  let at = 0
  while (at + BLOCK_BYTES <= shared && a.compare(b, at, at + BLOCK_BYTES, at, at + BLOCK_BYTES) === 0)
    at += BLOCK_BYTES
  for (; at < shared; at++)
    if (a[at] !== b[at]) return (RANK[a[at] as number] as number) - (RANK[b[at] as number] as number)
  return a.length - b.length
}

const DIGITS = Buffer.from('0123456789ABCDEF')
/** An encoded percent sign is `%25`. */
const PERCENT = 0x25
const TWO = 0x32
const FIVE = 0x35

const output = Buffer.alloc(WINDOW_BYTES)

/** Adds the bytes to the digest, encoded twice. */
async function updateEncoded(hmac: Hmac, bytes: Buffer, slices: Slices): Promise<void> {
  for (let from = 0; from < bytes.length; ) {
    let length = 0
    for (; from < bytes.length && length <= WINDOW_BYTES - MAX_ENCODED_BYTES; from++) {
      const byte = bytes[from] as number
      if (isUnreserved(byte)) output[length++] = byte
      else {
        output[length++] = PERCENT
        output[length++] = TWO
        output[length++] = FIVE
        output[length++] = DIGITS[byte >> 4] as number
        output[length++] = DIGITS[byte & 15] as number
      }
    }
    hmac.update(output.subarray(0, length))
    if (slices.isOver) await slices.next()
  }
}
