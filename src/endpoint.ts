import type { AccountScope } from './ads/scope.ts'
import type { Principals } from './auth/principal.ts'
import type { Context } from './context.ts'
import { endpointsOf } from './http/endpoint.ts'

/** Declares an endpoint of Plaza. */
export const endpoint = endpointsOf<Principals, Context, AccountScope>()
