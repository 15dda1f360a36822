/**
 * Why the master key cannot be rotated, in a sentence. The secrets can still be read, with the
 * former key or the new one.
 */
export class KeyRotationError extends Error {
  override readonly name = 'KeyRotationError'
}

/**
 * Encrypts every stored secret with a new master key. `newKey`: 64 hexadecimal characters, when the
 * present key comes from a setting. Resolves to the file that contains the new key, or null for a
 * key that was given.
 * @throws KeyRotationError
 */
export type KeyRotation = (newKey: string | undefined) => Promise<string | null>
