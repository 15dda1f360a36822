import { scrypt, timingSafeEqual } from 'node:crypto'
import type { RandomSource } from '../../platform/common/random.ts'

// OWASP's recommendation for scrypt: 2^16 rounds with a block size of 8 take 64 MiB and about a
// tenth of a second.
const ROUNDS = 2 ** 16
const COST = { r: 8, p: 2, maxmem: 128 * 1024 * 1024 }
const KEY_BYTES = 32
const SALT_BYTES = 16
/** Longer passwords are rejected, because hashing them would be a denial of service. */
export const MAX_PASSWORD_LENGTH = 256
/** The length of generated passwords: letters and digits. */
export const MADE_PASSWORD_LENGTH = 16

/**
 * `scrypt$<salt>$<key>`: the stored form of a password, followed by `$<rounds>` if their number is
 * not the default. Runs outside the event loop.
 */
export async function hashPassword(password: string, random: RandomSource, rounds = ROUNDS): Promise<string> {
  const salt = random.bytes(SALT_BYTES)
  const key = await derive(password, salt, rounds)
  const stored = `scrypt$${salt.toString('base64url')}$${key.toString('base64url')}`
  return rounds === ROUNDS ? stored : `${stored}$${rounds}`
}

/**
 * Whether a password matches the stored one. Takes as long for an unknown user (`stored`
 * undefined).
 */
export async function passwordMatches(password: string, stored: string | undefined): Promise<boolean> {
  const [, salt = '', key = '', rounds = ROUNDS] = (stored ?? NO_PASSWORD).split('$')
  const expected = Buffer.from(key, 'base64url')
  const truncated = password.slice(0, MAX_PASSWORD_LENGTH)
  const actual = await derive(truncated, Buffer.from(salt, 'base64url'), Number(rounds))
  return timingSafeEqual(actual, expected) && isUsable(stored)
}

const isUsable = (stored: string | undefined) =>
  stored !== undefined && stored !== NO_PASSWORD && stored !== LOCKED_PASSWORD

/**
 * Stored for users without a password. No password matches it, and comparing takes as long as for
 * others.
 */
export const NO_PASSWORD = `scrypt$${Buffer.alloc(SALT_BYTES).toString('base64url')}$${Buffer.alloc(KEY_BYTES).toString('base64url')}`

/**
 * Stored for users whom an operator created without a password. No password matches it either, but
 * lists of users have them, unlike synthetic users.
 */
export const LOCKED_PASSWORD = `scrypt$${Buffer.alloc(SALT_BYTES).toString('base64url')}$${Buffer.alloc(KEY_BYTES, 0xff).toString('base64url')}`

function derive(password: string, salt: Buffer, rounds: number): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...COST, N: rounds }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
}
