import type { Endpoint } from '../http/contract.ts'
import type { Scope } from '../identity/scopes.ts'
import { ApiError } from '../http/errors.ts'
import type { Cause } from '../protocols/catalogue.ts'
import { apiError } from '../protocols/catalogue.ts'
import { authWords, usedWords } from './kinds.ts'
import type { AuthKind, Principal } from './principal.ts'

/** The error of a missing scope. */
const MISSING: Readonly<Record<Scope, Cause>> = {
  read: 'write not permitted',
  write: 'write not permitted',
  'direct-messages': 'direct messages not permitted',
}

/** The error of a caller whose kind of authentication the endpoint does not accept. */
export function kindNotAllowed(
  cause: 'scheme unknown' | 'auth kind not allowed',
  used: AuthKind,
  accepted: readonly AuthKind[],
): ApiError {
  return new ApiError(cause, {
    auth: { used: usedWords[used], supported: accepted.map((kind) => authWords[kind]) },
  })
}

/**
 * Rejects a suspended user, a caller of a kind that the endpoint does not accept, and one whose scopes do not cover the
 * endpoint needs (interface, Authentication rule 3).
 */
export function authorize(principal: Principal, endpoint: Endpoint): void {
  if (principal.kind === 'user' && principal.suspended) throw apiError('user suspended')
  if (!endpoint.auth.includes(principal.kind))
    throw kindNotAllowed('auth kind not allowed', principal.kind, endpoint.auth as readonly AuthKind[])
  for (const scope of endpoint.scopes as readonly Scope[])
    if (!principal.scopes.has(scope)) throw apiError(MISSING[scope])
}
