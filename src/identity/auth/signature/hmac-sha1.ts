import { createHmac, hash } from 'node:crypto'

const BLOCK_BYTES = 64
const DIGEST_BYTES = 20
const INNER_BYTE = 0x36
const OUTER_BYTE = 0x5c
/** Longer texts use `createHmac`. A UTF-16 code unit takes at most three bytes. */
const MAX_TEXT_LENGTH = 8_192

// The process has one event loop and computes each HMAC synchronously, so one pair of buffers is
// enough.
const key = Buffer.alloc(BLOCK_BYTES)
const inner = Buffer.alloc(BLOCK_BYTES + 3 * MAX_TEXT_LENGTH)
const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES)

/**
 * HMAC-SHA1 of the UTF-8 bytes of `text`, in padded base64: always 28 characters.
 *
 * Composed from two digests (RFC 2104 2), which takes half the time of `createHmac`. It is computed
 * for every signed request.
 */
export function hmacSha1(secret: string, text: string): string {
  if (text.length > MAX_TEXT_LENGTH) return createHmac('sha1', secret).update(text).digest('base64')
  key.fill(0)
  if (secret.length * 3 <= BLOCK_BYTES || Buffer.byteLength(secret) <= BLOCK_BYTES) key.write(secret)
  else key.write(hash('sha1', secret, 'binary'), 'latin1')
  for (let at = 0; at < BLOCK_BYTES; at++) {
    const byte = key[at] as number
    inner[at] = byte ^ INNER_BYTE
    outer[at] = byte ^ OUTER_BYTE
  }
  const length = inner.write(text, BLOCK_BYTES)
  outer.write(hash('sha1', inner.subarray(0, BLOCK_BYTES + length), 'binary'), BLOCK_BYTES, 'latin1')
  return hash('sha1', outer, 'base64')
}
