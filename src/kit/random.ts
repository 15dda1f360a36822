import { createHmac, randomBytes } from 'node:crypto'

/** Where all randomness comes from. */
export interface RandomSource {
  /** `length` unpredictable bytes. */
  bytes(length: number): Buffer
}

/** The operating system's generator. Nothing else in Plaza may call it. */
export const systemRandom: RandomSource = { bytes: (length) => randomBytes(length) }

/**
 * The same bytes on every run for the same seed: HMAC-SHA256 in counter mode.
 * For repeatable tests and tutorials; whoever knows the seed knows every secret.
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

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** `length` characters of `A-Z a-z 0-9`, each equally likely. */
export function randomText(random: RandomSource, length: number, alphabet = ALPHANUMERIC): string {
  const ceiling = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length - text.length + 8)) {
      // A byte above the ceiling would make the first letters of the alphabet likelier than the rest.
      if (byte < ceiling && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}
