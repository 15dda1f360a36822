import { signal } from '@preact/signals'
import { connection, read, sentenceOf } from './api.ts'
import { readClock } from './clock.ts'
import { every } from './timers.ts'

const LOOK_MS = 5_000

/** The path of the page that a link of `plaza console` opens; its key is the fragment. */
export const SIGN_IN_PATH = '/sign-in'

/** Whether the browser has a session, which it can end. Where no key is needed, it has none. */
export const isSignedIn = signal(false)

/** Signs in with a key. Resolves to why not; undefined on success. */
export async function signIn(key: string): Promise<string | undefined> {
  try {
    const response = await fetch('/sign-in', {
      method: 'POST',
      body: new URLSearchParams({ key }),
      redirect: 'manual',
    })
    // The server answers with a redirect, which scripts cannot look into.
    if (response.type === 'opaqueredirect' || response.ok) {
      await Promise.all([look(), readSession()])
      return undefined
    }
    if (response.status === 429) return 'Too many attempts. Wait a minute and try again.'
    return 'The key is invalid, was used before, or has expired.'
  } catch (error) {
    return sentenceOf(error)
  }
}

/** Ends the session of the browser. */
export async function signOut(): Promise<void> {
  await fetch('/sign-out', { method: 'POST', body: new URLSearchParams(), redirect: 'manual' })
  isSignedIn.value = false
  await look()
}

async function readSession(): Promise<void> {
  try {
    isSignedIn.value = (await read<{ status: string }>('/session')).status === 'signed in'
  } catch {
    // The state of the connection says so.
  }
}

/** Looks whether the admin API answers, and what time Plaza shows. */
async function look(): Promise<void> {
  try {
    await readClock()
  } catch (error) {
    if ((error as { status?: number }).status === 404) connection.value = 'absent'
  }
}

/** Looks now and then, so that connection and clock are shown as they are. */
export async function watch(): Promise<void> {
  await Promise.all([look(), readSession()])
  every(LOOK_MS, () => {
    if (connection.value !== 'signed out') void look()
  })
}
