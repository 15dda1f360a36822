import type { IncomingHttpHeaders } from 'node:http'
import { sameText } from '../../platform/common/same-text.ts'
import { isSentFrom, readCookie } from '../../platform/http/input/browser.ts'
import type { Sealer } from '../../platform/storage/seal.ts'

// Anyone with the master key may sign in: `plaza console` reads it on the same machine and prints a
// temporary key. The key and the session are times with a code that only the master key can
// produce, so nothing is stored.

const KEY_SECONDS = 600
const SESSION_SECONDS = 43_200
const COOKIE = 'plaza_console'

interface AccessOptions {
  readonly sealer: Sealer
  readonly now: number
}

const sealed = (purpose: string, until: number, sealer: Sealer) =>
  `${until}-${sealer.derive(purpose, String(until)).toString('base64url')}`

function holds(purpose: string, text: string, { sealer, now }: AccessOptions): boolean {
  const until = Number(/^([0-9]{1,15})-/.exec(text)?.[1] ?? 0)
  return until > now && sameText(text, sealed(purpose, until, sealer))
}

/** A key to sign in with, valid for ten minutes. */
export const newConsoleKey = ({ sealer, now }: AccessOptions): string =>
  sealed('console key', now + KEY_SECONDS * 1000, sealer)

export const isConsoleKey = (key: string, parts: AccessOptions): boolean => holds('console key', key, parts)

/**
 * The `Set-Cookie` value of a new session. `Strict`, because no other site has a reason to link
 * here.
 */
export function newSession({ sealer, now }: AccessOptions): string {
  const value = sealed('console session', now + SESSION_SECONDS * 1000, sealer)
  return `${COOKIE}=${value}; Path=/; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Strict`
}

/** The session of a browser; undefined if it is missing or invalid. */
export function sessionOf(headers: IncomingHttpHeaders, parts: AccessOptions): string | undefined {
  const value = readCookie(headers, COOKIE)
  return value !== undefined && holds('console session', value, parts) ? value : undefined
}

/** A token in each form, which proves that a page of this session sent it. */
export const consoleFormToken = (session: string, sealer: Sealer): string =>
  sealer.derive('console form', session).toString('base64url')

/** Whether a page of the console sent a form. */
export const isFromConsole = (headers: IncomingHttpHeaders): boolean =>
  isSentFrom(headers, [`http://${headers.host}`])
