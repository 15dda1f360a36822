import { isIP } from 'node:net'
import { type AllowList, classify, mayReach } from './address.ts'

/** The settings that decide whether a webhook URL is valid. */
export interface TargetRules {
  allow: AllowList
  /** Maximum length in characters. Defaults to 200. */
  maxLength?: number
}

/** The parsed URL, or a sentence that describes its first error. */
export type TargetCheck = { ok: true; url: URL } | { ok: false; reason: string }

const MAX_LENGTH = 200
const LOOPBACK = ['127.0.0.1', '::1'] as const

// Parsers disagree about these characters: some remove them, some end the host at them.
const UNSAFE = /[\p{C}\p{Z}\\]/u
const PARTS = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i
const AUTHORITY = /^(\[[^[\]]*\]|[^:[\]]*)(?::(.*))?$/
/** The characters that host name processing treats as a full stop. */
const FINAL_DOT = /[.\u3002\uff0e\uff61]$/
const HOST_NAME = /^[a-z0-9._-]+$/

/** The host of a parsed URL without the brackets of an IPv6 literal. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}

/**
 * Whether the name is `localhost` or a subdomain of it. Such names mean this machine and are never
 * resolved.
 */
export function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

/**
 * The loopback addresses that `localhost` may stand for according to the allow list; empty if it
 * contains none.
 */
export function loopbackOf(allow: AllowList): string[] {
  return LOOPBACK.filter((address) => allow.includes(address))
}

/**
 * Checks a webhook URL without using the network: length, https, no port, no user information, no
 * fragment, and a valid host that is not an internal address in any spelling. Plain http and a port
 * are accepted only for a literal address in the allow list, and for `localhost` if the list
 * contains loopback. A valid name may still resolve to an internal address: that is checked at
 * every connection.
 */
export function checkTarget(text: string, rules: TargetRules): TargetCheck {
  const maxLength = rules.maxLength ?? MAX_LENGTH
  if (text === '') return invalidTarget('the URL is empty')
  // The cheap comparison first, so that a megabyte of text is not split into characters.
  if (text.length > maxLength * 2 || [...text].length > maxLength) {
    return invalidTarget(`the URL is longer than ${maxLength} characters`)
  }
  if (UNSAFE.test(text)) return invalidTarget('the URL contains a space, a control character or a backslash')

  const parts = PARTS.exec(text)
  if (parts === null) return invalidTarget('the URL is not absolute: it must start with https:// and a host')
  const scheme = (parts[1] ?? '').toLowerCase()
  const authority = parts[2] ?? ''
  if (scheme !== 'https' && scheme !== 'http') return invalidTarget(`the URL must use https, not ${scheme}`)
  if (authority === '') return invalidTarget('the URL has no host')
  if (authority.includes('@')) return invalidTarget('the URL must not contain a user name or password')
  if (text.includes('#')) return invalidTarget('the URL must not contain a fragment')
  if (authority.includes('%'))
    return invalidTarget('the host of the URL must not contain percent-encoded characters')
  const hostAndPort = AUTHORITY.exec(authority)
  const rawHost = hostAndPort?.[1] ?? ''
  if (hostAndPort === null) return invalidTarget('the host of the URL is malformed')
  if (rawHost === '') return invalidTarget('the URL has no host')
  const port = hostAndPort[2]

  const url = URL.parse(text)
  if (url === null) {
    return invalidTarget(
      port === undefined || /^[0-9]{0,5}$/.test(port)
        ? 'the host of the URL is malformed'
        : 'the port is malformed',
    )
  }
  const host = hostOf(url)
  const literal = isIP(host) !== 0
  const localhost = isLocalhost(host)
  const relaxed = literal ? rules.allow.includes(host) : localhost && loopbackOf(rules.allow).length > 0

  if (scheme !== 'https' && !relaxed) return invalidTarget('the URL must use https, not http')
  if (port !== undefined && !relaxed) return invalidTarget('the URL must not contain a port')
  if (port === '' || url.port === '0') return invalidTarget('the port of the URL is malformed')
  if (FINAL_DOT.test(rawHost)) return invalidTarget('the host of the URL must not end with a dot')
  if (literal) {
    if (!mayReach(host, rules.allow)) {
      return invalidTarget(
        `the host of the URL must be public: ${host} is ${described(classify(host))} address`,
      )
    }
    return { ok: true, url }
  }
  if (host.split('.').includes('')) return invalidTarget('the host of the URL has an empty label')
  if (!HOST_NAME.test(host))
    return invalidTarget('the host of the URL has a character that host names do not have')
  if (host.length > 253 || host.split('.').some((label) => label.length > 63)) {
    return invalidTarget('the host of the URL is too long')
  }
  if (localhost && !relaxed) return invalidTarget('the host of the URL must be public: localhost is not')
  return { ok: true, url }
}

function invalidTarget(reason: string): TargetCheck {
  return { ok: false, reason }
}

function described(kind: string): string {
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
}
