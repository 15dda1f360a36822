import { createHmac, randomBytes } from 'node:crypto'

/** The source of all randomness. */
export interface RandomSource {
  /** `length` unpredictable bytes. */
  bytes(length: number): Buffer
}

/** The operating system's generator. Nothing else in Plaza may call it. */
export const systemRandom: RandomSource = { bytes: (length) => randomBytes(length) }

/**
 * The same bytes on every run with the same seed: HMAC-SHA256 in counter mode. For repeatable tests
 * and tutorials: anyone who knows the seed knows every secret.
 */
export function seededRandom(seed: string): RandomSource {
  let counter = 0
  let pool = Buffer.alloc(0)
  return {
    bytes(length) {
      while (pool.length < length) {
        const block = createHmac('sha256', seed).update(`plaza random ${counter++}`).digest()
        pool = Buffer.concat([pool, block])
      }
      const bytes = pool.subarray(0, length)
      pool = pool.subarray(length)
      return Buffer.from(bytes)
    },
  }
}

/**
 * Pseudo-random numbers from 0 up to 1, thirty times faster than the bytes of a source: xorshift128
 * (G. Marsaglia, 2003), seeded with 16 bytes of the source. They are predictable: for generated
 * data, never for secrets.
 */
export function fractions(random: RandomSource): () => number {
  const start = random.bytes(16)
  // An all-zero state would never change.
  let [a, b, c, d] = [
    start.readInt32LE(0),
    start.readInt32LE(4),
    start.readInt32LE(8),
    start.readInt32LE(12) | 1,
  ]
  return () => {
    const mixed = a ^ (a << 11)
    ;[a, b, c] = [b, c, d]
    d = d ^ (d >>> 19) ^ mixed ^ (mixed >>> 8)
    return (d >>> 0) / 2 ** 32
  }
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** `length` characters of `A-Z a-z 0-9`, each equally likely. */
export function randomText(random: RandomSource, length: number, alphabet = ALPHANUMERIC): string {
  const ceiling = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length - text.length + 8)) {
      // Bytes above the ceiling would make the first letters of the alphabet more likely than the
      // others.
      if (byte < ceiling && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}

/** A new UUID of version 4 (RFC 9562). */
export function uuid(random: RandomSource): string {
  const bytes = random.bytes(16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
