import type { RandomSource } from '../../platform/common/random.ts'

/** The cookies of the browser pages. The prefix prevents other hosts and plain HTTP from setting one. */
export type CookieName = '__Host-plaza_session' | '__Host-plaza_visit'

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
