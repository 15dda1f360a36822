import type { Permission } from '../identity/app.ts'
import { covers } from '../identity/app.ts'
import type { Access, Endpoint } from '../http/endpoint.ts'
import { Refusal } from '../http/errors.ts'
import { refuse } from '../protocols/catalogue.ts'
import { authWords, usedWords } from './kinds.ts'
import type { AuthKind, Principal } from './principal.ts'

const NEEDED: Record<Access, Permission> = {
  read: 'read',
  write: 'read-write',
  'direct-messages': 'read-write-directmessages',
}

/** The refusal of a caller who signed in as the endpoint does not allow. */
export function kindRefused(
  cause: 'scheme unknown' | 'auth kind not allowed',
  used: AuthKind,
  accepted: readonly AuthKind[],
): Refusal {
  return new Refusal(cause, {
    auth: { used: usedWords[used], supported: accepted.map((kind) => authWords[kind]) },
  })
}

/**
 * Refuses a suspended user, a caller of a kind that the endpoint does not take, and a user token whose permission level does not cover the endpoint (interface, Authentication rule 3).
 * App-only callers have no level: they act on what belongs to the app.
 */
export function authorize(principal: Principal, endpoint: Endpoint): void {
  if (principal.kind === 'user' && principal.suspended) throw refuse('user suspended')
  if (!endpoint.auth.includes(principal.kind))
    throw kindRefused('auth kind not allowed', principal.kind, endpoint.auth as readonly AuthKind[])
  if (principal.kind !== 'user' || covers(principal.access, NEEDED[endpoint.access])) return
  throw refuse(
    endpoint.access === 'direct-messages' ? 'direct messages not permitted' : 'write not permitted',
  )
}
