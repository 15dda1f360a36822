/** The text before the digits of the id in base64. */
const PREFIX = 'Community:'

/**
 * Ids of communities as callers may send them: digits, or `Community:` and the digits in base64
 * (core reference, 06 section 3).
 */
export const COMMUNITY_ID = '^([0-9]{1,19}|Q29tbXVuaXR5Oj[A-Za-z0-9+/_-]{2,26}={0,2})$'

/** The digits of an id; undefined if it has none. */
export function digitsOf(id: string): string | undefined {
  if (/^[0-9]+$/.test(id)) return id
  const text = Buffer.from(id, 'base64').toString('latin1')
  const digits = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : ''
  return /^[0-9]{1,19}$/.test(digits) ? digits : undefined
}
