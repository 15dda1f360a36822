import { truncated } from '../../platform/common/cut-text.ts'
import { encode } from '../../platform/common/percent.ts'
import type { Pair } from '../../platform/http/input/form.ts'

/**
 * Where the browser goes after the decision: the callback with additional query parameters. Its own
 * query is kept.
 */
export function callbackWith(callback: string, added: readonly Pair[]): string {
  const query = added.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  const joint = !callback.includes('?') ? '?' : /[?&]$/.test(callback) ? '' : '&'
  return headerSafe(callback) + joint + query
}

/** Headers may contain only ASCII. Other characters are escaped like in a browser. */
const headerSafe = (url: string) => url.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent)

const PLAIN_HOST = /^[a-z0-9.-]+(:[0-9]+)?$/

/**
 * The callback as a source of a content security policy, because browsers apply the form's policy
 * to the redirect that follows it. A custom scheme, or a host that a policy cannot express (an IPv6
 * address), is allowed by its scheme.
 */
export function policySource(callback: string): string {
  const scheme = callback.slice(0, callback.indexOf(':')).toLowerCase()
  if (scheme !== 'http' && scheme !== 'https') return `${scheme}:`
  const { host } = new URL(callback)
  return PLAIN_HOST.test(host) ? `${scheme}://${host}` : `${scheme}:`
}

/** Longer paths are truncated for display. */
const MAX_SHOWN_PATH = 60

/** Where the browser goes, for display: host and path, or the scheme of another app. */
export function destinationOf(callback: string): string {
  const url = new URL(callback.endsWith('://') ? `${callback}x` : callback)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `${url.protocol}//`
  const path = url.pathname === '/' ? '' : url.pathname
  return url.host + truncated(path, MAX_SHOWN_PATH)
}
