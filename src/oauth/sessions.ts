import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../context.ts'
import { MAX_PASSWORD_LENGTH, passwordMatches } from '../identity/password.ts'
import { SCREEN_NAME } from '../identity/people.ts'
import { userByScreenName } from '../identity/queries.ts'
import { refuse } from '../kit/errors.ts'
import { networkOf } from '../kit/network.ts'
import type { UserRow } from '../store/tables.ts'
import { cookie, readCookie, SESSION_COOKIE } from './cookies.ts'
import { addSession, removeSession, userOfSession } from './queries.ts'

const LIFE_SECONDS = 12 * 3600
const ID_BYTES = 32

/** Tries to sign in, for one screen name and for one address. */
const TRIES = 10
const TRIES_WINDOW_SECONDS = 900

/** Somebody who is signed in with this browser. */
export interface Session {
  /** The value of the cookie. */
  id: string
  user: UserRow
}

/** The live session of a browser. A suspended user has none. */
export async function findSession(
  headers: IncomingHttpHeaders,
  { store, sealer, clock }: Context,
): Promise<Session | undefined> {
  const id = readCookie(headers, SESSION_COOKIE)
  if (id === undefined) return undefined
  const user = await store.first(userOfSession, { sessionHash: sealer.hashToken(id), now: clock.now() })
  return user && { id, user }
}

/**
 * The user of a screen name and a password; undefined when they do not fit, after the same time whether or not
 * there is such a user. Refuses a suspended user, and too many tries.
 */
export async function checkPassword(
  screenName: string,
  password: string,
  address: string,
  { store, cluster }: Context,
): Promise<UserRow | undefined> {
  const key = SCREEN_NAME.test(screenName) ? screenName.toLowerCase() : ''
  for (const bucket of [`sign-in from ${networkOf(address)}`, `sign-in as ${key}`]) {
    const { allowed } = await cluster.count(bucket, TRIES, TRIES_WINDOW_SECONDS)
    if (!allowed) throw refuse('rate limited', 'tries to sign in')
  }
  const user = await store.first(userByScreenName, { key })
  const matches = await passwordMatches(password, user?.password_hash)
  if (!user || !matches || password.length > MAX_PASSWORD_LENGTH) return undefined
  if (user.suspended === 1) throw refuse('user suspended')
  return user
}

/**
 * Begins a session: always a new id, so that one that somebody knew before the sign-in is worth nothing.
 * The one that the browser had ends. Resolves to the `Set-Cookie` value.
 */
export async function beginSession(
  user: UserRow,
  headers: IncomingHttpHeaders,
  { store, sealer, random, clock }: Context,
): Promise<string> {
  const id = random.bytes(ID_BYTES).toString('base64url')
  const former = readCookie(headers, SESSION_COOKIE)
  const now = clock.now()
  await store.write(async (tx) => {
    if (former !== undefined) await tx.run(removeSession, { sessionHash: sealer.hashToken(former) })
    await tx.run(addSession, {
      session_hash: sealer.hashToken(id),
      user_id: user.id,
      created_at: now,
      expires_at: now + LIFE_SECONDS * 1000,
    })
  })
  return cookie(SESSION_COOKIE, id, LIFE_SECONDS)
}
