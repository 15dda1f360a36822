import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import type { RandomSource } from '../common/random.ts'
import { errorCode, writeAtomically } from './atomic-file.ts'
import type { Folder } from './folder.ts'

/** The key that encrypts all sealed records. */
export interface MasterKey {
  /** 32 bytes. */
  key: Buffer
  /** A warning for the operator when others can read the key. */
  warning?: string
}

/**
 * The master key is malformed, or cannot be read or stored. The message never contains any part of
 * it.
 */
export class MasterKeyUnusable extends Error {
  override readonly name = 'MasterKeyUnusable'
}

const KEY_BYTES = 32
const KEY_FILE = 'master.key'

/**
 * The master key, from the first of these sources: 1. `given`: 32 bytes as 64 hexadecimal
 * characters, base64 or base64url; nothing is written; 2. `master.key` in the folder (64
 * hexadecimal characters, mode 0600), created at the first start; 3. new random bytes that are not
 * stored.
 *
 * Throws `MasterKeyUnusable`. A damaged key file is never replaced: a new key could not decrypt
 * what the old one encrypted.
 */
export function masterKey(options: { folder?: Folder; given?: string; random: RandomSource }): MasterKey {
  const { folder, given, random } = options
  if (given !== undefined) {
    const key = parseKey(given)
    if (key) return { key }
    throw new MasterKeyUnusable(
      'The master key must be 32 bytes, written as 64 hexadecimal characters or as base64.',
    )
  }
  if (!folder) return { key: random.bytes(KEY_BYTES) }

  return storedKey(folder.file(KEY_FILE), random)
}

/**
 * The key in a file, which is created with mode 0600 when it does not exist. Throws
 * `MasterKeyUnusable`.
 */
export function storedKey(path: string, random: RandomSource): MasterKey {
  const found = readKey(path)
  if (found) return found
  try {
    const text = `${random.bytes(KEY_BYTES).toString('hex')}\n`
    writeAtomically(path, text, { mode: 0o600, keepExisting: true, random })
  } catch (error) {
    throw new MasterKeyUnusable(`The master key cannot be stored in ${path} (${errorCode(error)}).`, {
      cause: error,
    })
  }
  // Read back from the file, because the next start will use that key.
  const stored = readKey(path)
  if (!stored) throw new MasterKeyUnusable(`The master key ${path} disappeared while it was being created.`)
  return stored
}

function readKey(path: string): MasterKey | undefined {
  let text: string
  let mode: number
  try {
    const descriptor = openSync(path, 'r')
    try {
      mode = fstatSync(descriptor).mode
      text = readFileSync(descriptor, 'latin1')
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new MasterKeyUnusable(`The master key ${path} cannot be read (${errorCode(error)}).`, {
      cause: error,
    })
  }
  const key = parseKey(text)
  if (!key) {
    throw new MasterKeyUnusable(
      `The master key file ${path} is damaged: it must contain 64 hexadecimal characters. ` +
        'Restore it from a backup; without it, the encrypted records cannot be read.',
    )
  }
  // Windows has no such bits and reports every file as open to all.
  if ((mode & 0o077) === 0 || process.platform === 'win32') return { key }
  const bits = (mode & 0o777).toString(8).padStart(4, '0')
  return {
    key,
    warning: `The master key ${path} is readable by other users of this machine (mode ${bits}). Run: chmod 600 ${path}`,
  }
}

function parseKey(setting: string): Buffer | undefined {
  const text = setting.trim()
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  const unpadded = text.replace(/=$/, '')
  for (const encoding of ['base64url', 'base64'] as const) {
    const key = Buffer.from(unpadded, encoding)
    // Encoding it again detects invalid characters and truncation, which decoding ignores.
    if (key.length === KEY_BYTES && key.toString(encoding).replace(/=$/, '') === unpadded) return key
  }
  return undefined
}
