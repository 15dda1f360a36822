import { encode } from '../../../platform/common/percent.ts'
import type { Pair } from '../../../platform/http/input/form.ts'

/**
 * The base string URI (RFC 5849 3.4.1.2): scheme and host in lower case, the port unless it is the
 * default of the scheme, and the path exactly as received (`/` if empty), without query and
 * fragment.
 *
 * @param hostHeader the Host header, including the port
 * @param target the request target, with or without a query. If it is in absolute form (as sent to
 *   proxies), only its path counts: the host always comes from the header
 */
export function baseUri(scheme: string, hostHeader: string, target: string): string {
  const lowerScheme = scheme.toLowerCase()
  let host = hostHeader.toLowerCase()
  const colon = host.lastIndexOf(':')
  if (colon !== -1) {
    const port = host.slice(colon + 1)
    if (port === '' || port === (lowerScheme === 'https' ? '443' : lowerScheme === 'http' ? '80' : ''))
      host = host.slice(0, colon)
  }
  return `${lowerScheme}://${host}${pathOf(target)}`
}

function pathOf(target: string): string {
  let end = target.indexOf('?')
  if (end === -1) end = target.length
  const hash = target.indexOf('#')
  if (hash !== -1 && hash < end) end = hash
  let start = 0
  if (target.charCodeAt(0) !== 47) {
    const authority = target.indexOf('://')
    if (authority !== -1 && authority < end) {
      start = target.indexOf('/', authority + 3)
      if (start === -1 || start > end) start = end
    }
  }
  return start === end ? '/' : target.slice(start, end)
}

/**
 * The normalised parameters (RFC 5849 3.4.1.3.2): all except `oauth_signature`, encoded, sorted by
 * the bytes of the encoded name and then of the encoded value, joined as `name=value&…`. Duplicates
 * are kept.
 *
 * @param pairs decoded parameters of query, header and form, in any order
 */
export function normalizeParameters(pairs: readonly Pair[]): string {
  const encoded: Pair[] = []
  for (const [name, value] of pairs) {
    if (name !== 'oauth_signature') encoded.push([encode(name), encode(value)])
  }
  sortPairs(encoded)
  let text = ''
  for (const [name, value] of encoded) {
    text += text === '' ? `${name}=${value}` : `&${name}=${value}`
  }
  return text
}

// Up to this length, insertion sort is faster, because headers mostly arrive sorted. Beyond it, it
// would be quadratic.
const FEW = 24

function sortPairs(pairs: Pair[]): void {
  if (pairs.length > FEW) {
    pairs.sort(byBytes)
    return
  }
  for (let next = 1; next < pairs.length; next++) {
    const pair = pairs[next] as Pair
    let at = next
    for (; at > 0; at--) {
      const before = pairs[at - 1] as Pair
      if (byBytes(before, pair) <= 0) break
      pairs[at] = before
    }
    pairs[at] = pair
  }
}

/** Encoded text is ASCII, so comparing code units compares bytes. */
function byBytes(a: Pair, b: Pair): number {
  if (a[0] !== b[0]) return a[0] < b[0] ? -1 : 1
  if (a[1] !== b[1]) return a[1] < b[1] ? -1 : 1
  return 0
}

/**
 * The signature base string (RFC 5849 3.4.1.1): `METHOD&uri&parameters`, with the method in upper
 * case, the other two encoded (so the parameters are encoded twice).
 */
export function baseString(method: string, uri: string, normalized: string): string {
  // `encodeURIComponent` is enough here: the characters on which it differs from `encode` do not
  // occur in encoded text.
  return `${method.toUpperCase()}&${encode(uri)}&${encodeURIComponent(normalized)}`
}

/**
 * The HMAC key (RFC 5849 3.4.2): both secrets encoded, joined by `&`; the token secret is `''`
 * without a token.
 */
export function signingKey(consumerSecret: string, tokenSecret: string): string {
  return `${encode(consumerSecret)}&${encode(tokenSecret)}`
}
