import { connection, sentenceOf } from './api.ts'
import { readClock } from './clock.ts'
import { every } from './timers.ts'

const LOOK_MS = 5_000

/** The path of the page that a link of `plaza console` opens; its key is the fragment. */
export const SIGN_IN_PATH = '/sign-in'

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
      await look()
      return undefined
    }
    if (response.status === 429) return 'Too many attempts. Wait a minute and try again.'
    return 'The key is invalid, was used before, or has expired.'
  } catch (error) {
    return sentenceOf(error)
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
  await look()
  every(LOOK_MS, () => {
    if (connection.value !== 'signed out') void look()
  })
}
