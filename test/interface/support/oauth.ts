import { createHmac, randomBytes } from 'node:crypto'

/** An app's key and secret. */
export interface AppKeys {
  key: string
  secret: string
}

/** Who signs: an app, and the token of a user or of a sign-in in progress. */
export interface Signer extends AppKeys {
  token?: string
  tokenSecret?: string
}

/** What a signature contains instead of the correct values; undefined omits a parameter. */
export type Protocol = Record<`oauth_${string}`, string | undefined>

export interface Signed {
  method: string
  url: string
  /** The pairs of a form body, which the signature covers. */
  form?: readonly (readonly [string, string])[]
  protocol?: Protocol
}

/** RFC 3986: all but `A-Z a-z 0-9 - . _ ~` is escaped. */
const percent = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

/** The Authorization header of OAuth 1.0a (RFC 5849, HMAC-SHA1). */
export function authorization(signer: Signer, { method, url, form = [], protocol = {} }: Signed): string {
  const { oauth_signature: sent, ...other } = protocol
  const parameters = present({
    oauth_consumer_key: signer.key,
    oauth_nonce: randomBytes(16).toString('hex'),
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    oauth_token: signer.token,
    oauth_version: '1.0',
    ...other,
  })
  const { origin, pathname, searchParams } = new URL(url)
  const pairs = [...parameters, ...searchParams, ...form]
    .map(([name, value]) => [percent(name), percent(value)] as const)
    .sort(([a, x], [b, y]) => (a < b || (a === b && x < y) ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&')
  const base = [method.toUpperCase(), origin + pathname, pairs].map(percent).join('&')
  const key = `${percent(signer.secret)}&${percent(signer.tokenSecret ?? '')}`
  const signature = createHmac('sha1', key).update(base).digest('base64')
  const members = [...parameters, ['oauth_signature', sent ?? signature] as const]
  return `OAuth ${members.map(([name, value]) => `${percent(name)}="${percent(value)}"`).join(', ')}`
}

const present = (protocol: Protocol) =>
  Object.entries(protocol).filter((pair): pair is [string, string] => pair[1] !== undefined)

/** The Authorization header of an app's key and secret. */
export const basic = ({ key, secret }: AppKeys) =>
  `Basic ${Buffer.from(`${percent(key)}:${percent(secret)}`).toString('base64')}`
