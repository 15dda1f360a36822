import type { PlazaTerms } from '../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../platform/http/endpoint.ts'
import { protocolOf } from '../../platform/protocols/protocols.ts'
import type { ClockControl } from '../../workbench/clock/clock-control.ts'

/** What handlers of the admin API receive. */
export interface AdminDependencies {
  readonly clockControl: ClockControl
}

/**
 * Declares an endpoint of the admin API. `auth` is `none`, because access is checked for the whole
 * API before any endpoint is reached (`access.ts`).
 */
export const endpoint = endpointsOf<PlazaTerms<AdminDependencies>>(protocolOf)

/** What all endpoints of the admin API have in common. */
export const ADMIN = {
  host: 'console',
  source: 'Admin API',
  auth: ['none'],
  errors: ['could not authenticate', 'auth kind not allowed'],
} as const
