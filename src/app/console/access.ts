import type { IncomingHttpHeaders } from 'node:http'
import type { TimeSource } from '../../platform/common/clock.ts'
import { sameText } from '../../platform/common/same-text.ts'
import { isSentFrom, readCookie } from '../../platform/http/input/browser.ts'
import type { Sealer } from '../../platform/storage/seal.ts'

// Anyone with the master key may sign in: `plaza console` reads it on the same machine and prints
// a link with a temporary key. The key and the session are times with a code that only the master
// key can produce, so nothing is stored.

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

/** The keys that a node accepts, each once. */
export class ConsoleKeys {
  readonly #sealer: Sealer
  readonly #clock: TimeSource
  readonly #startedAt: number
  /** When the keys that were used end by themselves. */
  readonly #used = new Map<string, number>()

  constructor({ sealer, clock }: { readonly sealer: Sealer; readonly clock: TimeSource }) {
    this.#sealer = sealer
    this.#clock = clock
    this.#startedAt = clock.now()
  }

  /** Whether a key is valid. From now on, it is not. */
  use(key: string): boolean {
    const now = this.#clock.now()
    if (!isConsoleKey(key, { sealer: this.#sealer, now })) return false
    const until = Number.parseInt(key, 10)
    // What was used before the start is not known.
    if (until - KEY_SECONDS * 1000 < this.#startedAt || this.#used.has(key)) return false
    for (const [one, end] of this.#used) if (end <= now) this.#used.delete(one)
    this.#used.set(key, until)
    return true
  }
}

/**
 * The `Set-Cookie` value of a new session. `Strict`, because no other site has a reason to link
 * here.
 */
export function newSession({ sealer, now }: AccessOptions): string {
  const value = sealed('console session', now + SESSION_SECONDS * 1000, sealer)
  return `${COOKIE}=${value}; Path=/; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Strict`
}

/** The `Set-Cookie` value that removes a session from a browser. */
export const endOfSession = `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`

/** The session of a browser; undefined if it is missing or invalid. */
export function sessionOf(headers: IncomingHttpHeaders, parts: AccessOptions): string | undefined {
  const value = readCookie(headers, COOKIE)
  return value !== undefined && holds('console session', value, parts) ? value : undefined
}

/** Whether a page of the console sent a form. */
export const isFromConsole = (headers: IncomingHttpHeaders): boolean =>
  isSentFrom(headers, [`http://${headers.host}`])
