/** Schemes that a callback may not have, because a browser or the system handles them specially. */
const REFUSED_SCHEMES = new Set(
  `vbscript javascript vbs data mocha keyword livescript ftp file gopher acrobat callto daap itpc itms firefoxurl
  hcp ldap mailto mmst mmsu msbd rtsp mso-offdap snews news nntp outlook stssync rlogin telnet tn3270 shell sip blob
  about view-source`.split(/\s+/),
)

const MAX_LENGTH = 2048
const SCHEME_ALONE = /^[a-z][a-z0-9+.-]*:\/\/$/i

/**
 * Why a URL cannot be registered as a callback; undefined when it can (reference: callback
 * matching).
 */
export function checkCallback(url: string): string | undefined {
  const problem = checkShape(url)
  if (problem) return problem
  if (SCHEME_ALONE.test(url)) return undefined
  const parsed = new URL(url)
  if (parsed.search || url.includes('?')) return 'a registered callback has no query; a request may add one'
  if (parsed.hash || url.includes('#')) return 'a callback has no fragment'
  return undefined
}

/** Whether a URL could be a callback at all. */
export function isCallbackUrl(url: string): boolean {
  return checkShape(url) === undefined && !url.includes('#')
}

function checkShape(url: string): string | undefined {
  if (url.length > MAX_LENGTH) return `longer than ${MAX_LENGTH} characters`
  // The URL parser would silently drop or repair these, so that the compared URL would differ from
  // the sent one.
  if (/[\s\\\p{Cc}]/u.test(url)) return 'holds white space or a backslash'
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase()
  if (REFUSED_SCHEMES.has(scheme)) return `the scheme ${scheme} is not allowed`
  if (SCHEME_ALONE.test(url)) return ['http', 'https'].includes(scheme) ? 'has no host' : undefined
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url) || !URL.canParse(url)) return 'not a URL'
  const parsed = new URL(url)
  // The URL parser would take the first segment of the path as the host, and another path would be
  // compared.
  if (/^https?:\/\/\//i.test(url)) return 'has no host'
  if (parsed.username || parsed.password) return 'holds a user name or password'
  return undefined
}

/**
 * Whether a callback of a request matches a registered one: scheme, host, port and path are equal,
 * including the trailing slash; the request may add a query. `scheme://` alone matches every URL
 * with this scheme.
 */
export function callbackMatches(requested: string, registered: readonly string[]): boolean {
  if (!isCallbackUrl(requested)) return false
  const target = withoutQuery(requested)
  return registered.some((callback) => {
    if (SCHEME_ALONE.test(callback)) return requested.toLowerCase().startsWith(callback.toLowerCase())
    return withoutQuery(callback) === target
  })
}

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::[0-9]{1,5})?(\/.*)?$/

/**
 * Whether a `redirect_uri` of OAuth 2.0 is registered: it must be the same text. `scheme://` alone
 * matches every URL with this scheme. A native app may use any loopback port, which it only knows
 * when it starts (RFC 8252 section 7.3).
 */
export function redirectMatches(
  requested: string,
  registered: readonly string[],
  { anyPort }: { anyPort: boolean },
): boolean {
  if (!isCallbackUrl(requested)) return false
  const local = anyPort ? withoutPort(requested) : undefined
  return registered.some((callback) => {
    if (SCHEME_ALONE.test(callback)) return requested.toLowerCase().startsWith(callback.toLowerCase())
    return callback === requested || (local !== undefined && local === withoutPort(callback))
  })
}

/** A loopback URL without its port; undefined for other URLs. */
function withoutPort(url: string): string | undefined {
  const [, origin, path = ''] = LOOPBACK.exec(url) ?? []
  return origin && origin + path
}

function withoutQuery(url: string): string {
  const end = url.indexOf('?')
  const bare = end === -1 ? url : url.slice(0, end)
  const { protocol, host } = new URL(bare)
  // Scheme and host are compared as the URL standard serializes them, the path exactly as it was
  // sent.
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/]*(.*)$/i.exec(bare)?.[1] ?? ''
  return `${protocol}//${host}${path === '' ? '/' : path}`
}
