import { encode } from '../../../platform/common/percent.ts'
import { type Pair, parsePairs } from '../../../platform/http/input/form.ts'
import { baseString, baseUri, normalizeParameters, signingKey } from './base-string.ts'
import { hmacSha1 } from './hmac-sha1.ts'

/** A request that a client is about to send, and its credentials. */
export interface RequestToSign {
  method: string
  /**
   * Absolute. Parsed as the URL standard requires, so that the signature covers what an HTTP client
   * sends.
   */
  url: string | URL
  /** The decoded fields of a form body; omitted for any other body. */
  form?: readonly Pair[] | undefined
  callback?: string | undefined
  verifier?: string | undefined
  consumerKey: string
  consumerSecret: string
  token?: string | undefined
  tokenSecret?: string | undefined
  nonce: string
  timestampSeconds: number
  /** If false, omits `oauth_version`, which is optional (RFC 5849 3.1). */
  version?: boolean | undefined
  /** Printable ASCII; sent in the header, but not signed. */
  realm?: string | undefined
  /** Further parameters for the header. They are signed too. */
  extra?: readonly Pair[] | undefined
}

/** The Authorization value, with every intermediate step. */
export interface RequestSignature {
  /** The whole Authorization value: `OAuth oauth_consumer_key="…", …`. */
  header: string
  steps: {
    /** Everything that is signed, decoded: header, query, form. */
    parameters: Pair[]
    normalized: string
    baseUri: string
    baseString: string
    signingKey: string
    /** Base64, 28 characters. */
    signature: string
  }
}

/**
 * Signs a request as a client (RFC 5849 3.4 and 3.5.1).
 *
 * @throws TypeError if the URL is not absolute, its query contains a malformed escape or too many
 *   pairs, or the realm is not printable ASCII
 */
export function signRequest(request: RequestToSign): RequestSignature {
  const url = new URL(request.url)
  const query = parsePairs(url.search.slice(1))
  if (query === undefined)
    throw new TypeError('the query string has a malformed percent escape or too many parameters')

  const header: Pair[] = []
  if (request.callback !== undefined) header.push(['oauth_callback', request.callback])
  header.push(['oauth_consumer_key', request.consumerKey])
  header.push(['oauth_nonce', request.nonce])
  header.push(['oauth_signature_method', 'HMAC-SHA1'])
  header.push(['oauth_timestamp', String(request.timestampSeconds)])
  if (request.token !== undefined) header.push(['oauth_token', request.token])
  if (request.verifier !== undefined) header.push(['oauth_verifier', request.verifier])
  if (request.version !== false) header.push(['oauth_version', '1.0'])
  if (request.extra !== undefined) header.push(...request.extra)

  const parameters = [...header, ...query, ...(request.form ?? [])]
  const normalized = normalizeParameters(parameters)
  const uri = baseUri(url.protocol.slice(0, -1), url.host, url.pathname)
  const text = baseString(request.method, uri, normalized)
  const key = signingKey(request.consumerSecret, request.tokenSecret ?? '')
  const signature = hmacSha1(key, text)

  const fields = [...header, ['oauth_signature', signature] satisfies Pair].map(
    ([name, value]) => `${encode(name)}="${encode(value)}"`,
  )
  if (request.realm !== undefined) fields.unshift(`realm="${quotedStringText(request.realm)}"`)
  return {
    header: `OAuth ${fields.join(', ')}`,
    steps: { parameters, normalized, baseUri: uri, baseString: text, signingKey: key, signature },
  }
}

function quotedStringText(text: string): string {
  // Other characters could end the header line, or be interpreted differently by the server.
  if (!/^[\x20-\x7e]*$/.test(text)) throw new TypeError('the realm must be printable ASCII')
  return text.replace(/["\\]/g, '\\$&')
}
