import type { Permission } from '../identity/app.ts'
import { covers } from '../identity/app.ts'
import type { Access, Endpoint } from '../kit/endpoint.ts'
import { refuse } from '../kit/errors.ts'
import type { Principal } from './principal.ts'

const NEEDED: Record<Access, Permission> = {
  read: 'read',
  write: 'read-write',
  'direct-messages': 'read-write-directmessages',
}

/**
 * Refuses a user token whose permission level does not cover the endpoint (interface, Authentication rule 3).
 * App-only callers have no level: they act on what belongs to the app.
 */
export function authorize(principal: Principal, endpoint: Endpoint): void {
  if (principal.kind !== 'user' || covers(principal.access, NEEDED[endpoint.access])) return
  throw refuse(
    endpoint.access === 'direct-messages' ? 'direct messages not permitted' : 'write not permitted',
  )
}
