import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import type { RandomSource } from '../common/random.ts'

/** Secrets at rest: encrypts what must be read again, and hashes what must only be recognized. */
export interface Sealer {
  /**
   * Encrypts a text to `v1.<base64url>`. `context` identifies the text and its owner
   * (`token-secret:42`). Decryption requires the same context, so a record that was moved to
   * another row is detected. Throws a TypeError when either contains a lone surrogate, which UTF-8
   * cannot represent.
   */
  seal(plain: string, context: string): string
  /** Decrypts an encrypted text. Throws `CannotUnseal` if the text or the context was changed. */
  unseal(sealed: string, context: string): string
  /**
   * 32 bytes that can only be computed with the master key. They are the same on every call for the
   * same purpose and parts, and unrelated for any others (`derive('a', 'bc')` and `derive('ab',
   * 'c')` differ). Throws a TypeError when one contains a lone surrogate.
   */
  derive(purpose: string, ...parts: string[]): Buffer
  /**
   * 43 characters of base64url under which a token is stored and looked up, but from which it
   * cannot be derived. Never throws.
   */
  hashToken(token: string): string
}

/**
 * The text was encrypted with another master key or for another context, or it is damaged. The
 * error contains no part of it.
 */
export class CannotUnseal extends Error {
  override readonly name = 'CannotUnseal'
  constructor() {
    super(
      'An encrypted record cannot be decrypted: the master key is not the one it was encrypted with, or the record is damaged.',
    )
  }
}

const PREFIX = 'v1.'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * A sealer for a master key of 32 bytes (otherwise throws a RangeError). Nonces come from `random`.
 * A generator that repeats itself with the same key, as a seeded one does after a restart, would
 * reveal the encrypted texts.
 */
export function createSealer(masterKey: Buffer, random: RandomSource): Sealer {
  if (masterKey.length !== KEY_BYTES) throw new RangeError(`The master key must be ${KEY_BYTES} bytes`)
  // A separate key for each use (key separation).
  const subkey = (info: string) => Buffer.from(hkdfSync('sha256', masterKey, '', info, KEY_BYTES))
  const sealKey = subkey('seal v1')
  const deriveKey = subkey('derive v1')
  const tokenKey = subkey('token v1')

  return {
    seal(plain, context) {
      const nonce = random.bytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(utf8(context))
      const body = [nonce, cipher.update(utf8(plain)), cipher.final(), cipher.getAuthTag()]
      return PREFIX + Buffer.concat(body).toString('base64url')
    },
    unseal(sealed, context) {
      if (!sealed.startsWith(PREFIX) || !context.isWellFormed()) throw new CannotUnseal()
      const text = sealed.slice(PREFIX.length)
      const bytes = Buffer.from(text, 'base64url')
      // Decoding ignores invalid characters and spare bits; a record must be canonical.
      if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== text)
        throw new CannotUnseal()
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', sealKey, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES))
      const head = decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES))
      try {
        return Buffer.concat([head, decipher.final()]).toString('utf8')
      } catch {
        throw new CannotUnseal()
      }
    },
    derive(purpose, ...parts) {
      const mac = createHmac('sha256', deriveKey)
      for (const part of [purpose, ...parts]) {
        const bytes = utf8(part)
        const length = Buffer.alloc(4)
        length.writeUInt32BE(bytes.length)
        mac.update(length).update(bytes)
      }
      return mac.digest()
    },
    hashToken: (token) => createHmac('sha256', tokenKey).update(token, 'utf8').digest('base64url'),
  }
}

/**
 * All lone surrogates become the same replacement character, so different texts would become the
 * same bytes.
 */
function utf8(text: string): Buffer {
  if (!text.isWellFormed()) throw new TypeError('The text contains a lone surrogate')
  return Buffer.from(text, 'utf8')
}
