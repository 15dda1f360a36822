import type { IncomingHttpHeaders } from 'node:http'
import { MAX_PASSWORD_LENGTH, passwordMatches } from '../../identity/users/password.ts'
import { userByScreenName } from '../../identity/users/queries.ts'
import type { UserRow } from '../../identity/users/tables.ts'
import { SCREEN_NAME } from '../../identity/users/users.ts'
import { SharedGate } from '../../platform/common/gate.ts'
import { networkOf } from '../../platform/common/network.ts'
import type { RandomSource } from '../../platform/common/random.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { readCookie } from '../../platform/http/input/browser.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import type { OauthDependencies } from './endpoint.ts'
import { addSession, removeSession, userOfSession } from './queries.ts'

/**
 * The cookies of the browser pages. The prefix prevents other hosts and plain HTTP from setting
 * one.
 */
type CookieName = '__Host-plaza_session' | '__Host-plaza_visit'

export const SESSION_COOKIE: CookieName = '__Host-plaza_session'
/** Ties the sign-in form to the browser that it was shown in. */
export const VISIT_COOKIE: CookieName = '__Host-plaza_visit'

export const VISIT_SECONDS = 3600
const VISIT_BYTES = 32

export const newVisit = (random: RandomSource): string => random.bytes(VISIT_BYTES).toString('base64url')

/** The `Set-Cookie` value. `Lax`, because users come from the site of an app. */
export function cookie(name: CookieName, value: string, lifeSeconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${lifeSeconds}; HttpOnly; Secure; SameSite=Lax`
}

const LIFE_SECONDS = 12 * 3600
const ID_BYTES = 32

/**
 * Maximum number of failed sign-in attempts from one address: with one screen name, and in total.
 */
const TRIES = { oneName: 10, allNames: 100 } as const
const TRIES_WINDOW_SECONDS = 900

/**
 * A hash occupies a thread of the pool, which the database needs to flush its log: two at a time
 * leave it half of them. Every address has its turn.
 */
const hashing = new SharedGate(2, { maxWaiting: 100, maxWaitingOfOne: 20 })

/** The user who is signed in with this browser. */
export interface Session {
  /** The value of the cookie. */
  id: string
  user: UserRow
}

/** The valid session of a browser. Suspended users have none. */
export async function findSession(
  headers: IncomingHttpHeaders,
  { store, sealer, clock }: Pick<OauthDependencies, 'store' | 'sealer' | 'clock'>,
): Promise<Session | undefined> {
  const id = readCookie(headers, SESSION_COOKIE)
  if (id === undefined) return undefined
  const user = await store.first(userOfSession, { sessionHash: sealer.hashToken(id), now: clock.now() })
  return user && { id, user }
}

/** A counted sign-in attempt. */
interface SignInAttempt {
  /** Takes it back: it was no failure. */
  uncount(): Promise<void>
}

/**
 * Counts a sign-in attempt, across all nodes, before its password is checked: parallel guesses are
 * no more than others. Attempts with one screen name are counted per address, so that someone who
 * guesses from another address cannot lock the user out. The address is counted first, so that it
 * can open only a limited number of counters.
 */
async function countAttempt(
  key: string,
  network: string,
  { cluster, clock }: Pick<OauthDependencies, 'cluster' | 'clock'>,
): Promise<SignInAttempt> {
  const counters = [
    [`sign-in from ${network}`, TRIES.allNames],
    [`sign-in from ${network} as ${key}`, TRIES.oneName],
  ] as const
  const counted: { bucket: string; resetSeconds: number }[] = []
  const uncount = async () => {
    for (const { bucket, resetSeconds } of counted) await cluster.uncount(bucket, resetSeconds)
  }
  for (const [bucket, limit] of counters) {
    const { allowed, resetSeconds } = await cluster.count(bucket, limit, TRIES_WINDOW_SECONDS)
    if (!allowed) {
      // Its password is not checked, so it is no failure.
      await uncount()
      throw tooManyFailures(resetSeconds - Math.floor(clock.now() / 1000))
    }
    counted.push({ bucket, resetSeconds })
  }
  return { uncount }
}

const tooManyFailures = (seconds: number) =>
  new ApiError('rate limited', {
    detail: 'too many failed sign-in attempts',
    headers: { 'retry-after': String(Math.max(1, seconds)) },
  })

/**
 * The user of a screen name and a password; undefined when they do not fit, after the same time
 * whether or not there is such a user. Rejects a suspended user, and too many attempts: failed
 * ones, or at once.
 */
export async function checkPassword(
  screenName: string,
  password: string,
  address: string,
  parts: Pick<OauthDependencies, 'store' | 'cluster' | 'clock'>,
): Promise<UserRow | undefined> {
  const key = SCREEN_NAME.test(screenName) ? screenName.toLowerCase() : ''
  const network = networkOf(address)
  const attempt = await countAttempt(key, network, parts)
  let hasFailed = false
  try {
    const user = await parts.store.first(userByScreenName, { key })
    const matches = await hashing.through(network, () => passwordMatches(password, user?.password_hash))
    hasFailed = !user || !matches || password.length > MAX_PASSWORD_LENGTH
    if (!user || hasFailed) return undefined
    if (user.suspended === 1) throw apiError('user suspended')
    return user
  } finally {
    if (!hasFailed) await attempt.uncount()
  }
}

/**
 * Starts a session, always with a new id, so that an id known before the sign-in is useless
 * (session fixation). Ends the previous session of the browser. Resolves to the `Set-Cookie` value.
 */
export async function beginSession(
  user: UserRow,
  headers: IncomingHttpHeaders,
  { store, sealer, random, clock }: Pick<OauthDependencies, 'store' | 'sealer' | 'random' | 'clock'>,
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

/** Ends a session. Its cookie is invalid on every node from now on. */
export const endSession = (
  { id }: Session,
  { store, sealer }: Pick<OauthDependencies, 'store' | 'sealer'>,
): Promise<number> => store.write((tx) => tx.run(removeSession, { sessionHash: sealer.hashToken(id) }))
