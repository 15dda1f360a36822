import { base64, nowMs, randomText } from './machine.ts'

/** Names and values, in the order in which they are sent. */
export type Pairs = readonly (readonly [name: string, value: string])[]

export interface SignatureKeys {
  readonly consumerKey: string
  readonly consumerSecret: string
  /** Access token of a user, or request token; without one, the app alone signs. */
  readonly token?: string
  readonly tokenSecret?: string
}

export interface SignedRequest {
  readonly method: string
  /** With its query. */
  readonly url: string
  /** The fields of a body in `application/x-www-form-urlencoded`: no other body is signed. */
  readonly form?: Pairs
}

/** Percent-encodes a text as RFC 3986 says: everything but letters, digits and `-._~`. */
export const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * The value of the Authorization header of a request that OAuth 1.0a signs with HMAC-SHA1 (RFC
 * 5849, 3.4).
 */
export async function signatureHeader(keys: SignatureKeys, request: SignedRequest): Promise<string> {
  const parameters: [string, string][] = [
    ['oauth_consumer_key', keys.consumerKey],
    ['oauth_nonce', randomText(24)],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', String(Math.floor(nowMs() / 1000))],
    ...(keys.token === undefined ? [] : ([['oauth_token', keys.token]] as [string, string][])),
    ['oauth_version', '1.0'],
  ]
  const secret = `${encode(keys.consumerSecret)}&${encode(keys.tokenSecret ?? '')}`
  parameters.push(['oauth_signature', await hmacSha1(secret, baseString(request, parameters))])
  return `OAuth ${parameters.map(([name, value]) => `${name}="${encode(value)}"`).join(', ')}`
}

function baseString({ method, url, form = [] }: SignedRequest, parameters: Pairs): string {
  const { origin, pathname, searchParams } = new URL(url)
  const all = [...parameters, ...searchParams, ...form].map(
    ([name, value]) => [encode(name), encode(value)] as const,
  )
  all.sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
  const text = all.map(([name, value]) => `${name}=${value}`).join('&')
  return [method.toUpperCase(), encode(origin + pathname), encode(text)].join('&')
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

async function hmacSha1(secret: string, text: string): Promise<string> {
  const bytes = new TextEncoder()
  const key = await crypto.subtle.importKey(
    'raw',
    bytes.encode(secret),
    { name: 'HMAC', hash: 'SHA-1' },
    false,
    ['sign'],
  )
  return base64(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(text))))
}
