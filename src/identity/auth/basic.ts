import { decode } from '../../platform/common/percent.ts'

const MAX_LENGTH = 2048
/** No id or secret contains a null character (RFC 7617), and not every database can store one. */
const CONTROL = /\p{Cc}/u

/**
 * Reads the text of a Basic header: base64 of key, colon, secret, each half percent-encoded
 * (interface, Authentication). The secret may be empty. Undefined when it is malformed.
 */
export function readBasic(text: string): { key: string; secret: string } | undefined {
  if (text.length > MAX_LENGTH || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined
  const joined = Buffer.from(text, 'base64').toString('utf8')
  const colon = joined.indexOf(':')
  if (colon === -1) return undefined
  const key = decode(joined.slice(0, colon))
  const secret = decode(joined.slice(colon + 1))
  return key && secret !== undefined && !CONTROL.test(key + secret) ? { key, secret } : undefined
}

/** The header value for a key and a secret. */
export function basicHeader(key: string, secret: string): string {
  const joined = `${encodeURIComponent(key)}:${encodeURIComponent(secret)}`
  return `Basic ${Buffer.from(joined).toString('base64')}`
}
