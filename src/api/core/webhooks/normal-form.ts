const ESCAPE = /%[0-9a-f]{2}/gi
const UNRESERVED = /^[A-Za-z0-9._~-]$/
/**
 * Characters that clients may send unencoded, although RFC 3986 does not allow them in a path or
 * query.
 */
const NOT_OF_A_URL = /[^A-Za-z0-9._~!$&'()*+,;=:@/?%-]/g
const MAPPED = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/

/**
 * A webhook URL in normal form, in which two spellings of the same URL are equal (RFC 3986, section
 * 6.2): scheme and host in lower case, no default port, one spelling of an IPv4 or IPv6 address, no
 * `.` and `..` segments, percent-encoding only where necessary and in capitals. An empty path is
 * `/`; an empty query differs from none.
 *
 * @param url as `checkTarget` accepts it: without a user name, a fragment, or a dot at the end of
 * the host
 */
export function normalForm(url: URL): string {
  const mapped = MAPPED.exec(url.hostname)
  const host = mapped ? dotted(mapped[1] ?? '', mapped[2] ?? '') : url.hostname
  const origin = `${url.protocol}//${host}${url.port === '' ? '' : `:${url.port}`}`
  const rest = url.href.slice(url.origin.length)
  return origin + rest.replace(ESCAPE, unescaped).replace(NOT_OF_A_URL, encodeURIComponent)
}

function unescaped(octet: string): string {
  const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
  return UNRESERVED.test(character) ? character : octet.toUpperCase()
}

/** IPv4-mapped IPv6 addresses are reached over IPv4. */
function dotted(high: string, low: string): string {
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [first >> 8, first & 255, second >> 8, second & 255].join('.')
}
