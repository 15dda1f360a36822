import type { Pair } from '../../http/input/form.ts'
import { encode } from '../../common/percent.ts'

/**
 * The base string URI (RFC 5849 3.4.1.2): scheme and host in lower case, the port only when it is not the
 * scheme's default, the path exactly as received (`/` when empty), without query and fragment.
 *
 * @param hostHeader what the Host header said, port included
 * @param target the request target, with or without query. In absolute form (as sent to proxies) only its path
 *   counts: the host always comes from the header
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
 * The normalised parameters (RFC 5849 3.4.1.3.2): `oauth_signature` dropped, the rest encoded, sorted by the
 * bytes of the encoded name and then of the encoded value, joined as `name=value&…`. Repetitions are kept.
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

// Below this an insertion sort is faster, more so as headers mostly arrive sorted; above it is quadratic.
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

/** Encoded text is ASCII, so comparing code units is comparing bytes. */
function byBytes(a: Pair, b: Pair): number {
  if (a[0] !== b[0]) return a[0] < b[0] ? -1 : 1
  if (a[1] !== b[1]) return a[1] < b[1] ? -1 : 1
  return 0
}

/**
 * The signature base string (RFC 5849 3.4.1.1): `METHOD&uri&parameters`, the method in upper case and the other
 * two encoded (the parameters thereby a second time).
 */
export function baseString(method: string, uri: string, normalized: string): string {
  // What is encoded already has nothing in it that `encodeURIComponent` would leave as it is and `encode` would not.
  return `${method.toUpperCase()}&${encode(uri)}&${encodeURIComponent(normalized)}`
}

/** The HMAC key (RFC 5849 3.4.2): both secrets encoded, joined by `&`; the token secret is `''` without a token. */
export function signingKey(consumerSecret: string, tokenSecret: string): string {
  return `${encode(consumerSecret)}&${encode(tokenSecret)}`
}
