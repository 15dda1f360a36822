import type { IncomingHttpHeaders } from 'node:http'

const VALUE = /^[A-Za-z0-9_-]{1,100}$/

/** The value of one of our cookies; undefined if it is missing or not in the format that we set. */
export function readCookie(headers: IncomingHttpHeaders, name: string): string | undefined {
  for (const part of headers.cookie?.split(';') ?? []) {
    const [key, value = ''] = part.trim().split('=', 2)
    if (key === name) return VALUE.test(value) ? value : undefined
  }
  return undefined
}

/**
 * Whether a form came from one of these origins, according to the headers of the browser. True if
 * they do not say: then only the form token decides.
 */
export function isSentFrom(headers: IncomingHttpHeaders, origins: readonly (string | undefined)[]): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const { origin } = headers
  return origin === undefined || origins.includes(origin)
}
