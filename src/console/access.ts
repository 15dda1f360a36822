import type { IncomingHttpHeaders } from 'node:http'
import { sameText } from '../common/same-text.ts'
import { isSentFrom, readCookie } from '../http/input/browser.ts'
import type { Sealer } from '../storage/seal.ts'

// Whoever holds the master key may sign in: `plaza console` reads it beside the server and prints a key for a while. Both
// the key and the session are times with a code that only the master key makes, so that nothing of them is stored.

const KEY_SECONDS = 600
const SESSION_SECONDS = 43_200
const COOKIE = 'plaza_console'

interface Parts {
  readonly sealer: Sealer
  readonly now: number
}

const sealed = (purpose: string, until: number, sealer: Sealer) =>
  `${until}-${sealer.derive(purpose, String(until)).toString('base64url')}`

function holds(purpose: string, text: string, { sealer, now }: Parts): boolean {
  const until = Number(/^([0-9]{1,15})-/.exec(text)?.[1] ?? 0)
  return until > now && sameText(text, sealed(purpose, until, sealer))
}

/** What signs someone in, for ten minutes. */
export const newConsoleKey = ({ sealer, now }: Parts): string =>
  sealed('console key', now + KEY_SECONDS * 1000, sealer)

export const isConsoleKey = (key: string, parts: Parts): boolean => holds('console key', key, parts)

/** The `Set-Cookie` value of a new session. Strict: no other site has a reason to lead here. */
export function newSession({ sealer, now }: Parts): string {
  const value = sealed('console session', now + SESSION_SECONDS * 1000, sealer)
  return `${COOKIE}=${value}; Path=/; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Strict`
}

/** The session of a browser; undefined without a valid one. */
export function sessionOf(headers: IncomingHttpHeaders, parts: Parts): string | undefined {
  const value = readCookie(headers, COOKIE)
  return value !== undefined && holds('console session', value, parts) ? value : undefined
}

/** What a form carries so that only a page of this session can have sent it. */
export const consoleFormToken = (session: string, sealer: Sealer): string =>
  sealer.derive('console form', session).toString('base64url')

/** Whether a form comes from a page of the console. */
export const isFromConsole = (headers: IncomingHttpHeaders): boolean =>
  isSentFrom(headers, [`http://${headers.host}`])
