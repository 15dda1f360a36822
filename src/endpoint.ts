import type { PlazaNames } from './auth/endpoint.ts'
import type { Principals } from './auth/principal.ts'
import type { Context } from './context.ts'
import { endpointsOf } from './http/endpoint.ts'
import { protocolOf } from './protocols/protocols.ts'

/** What endpoints of Plaza are declared with. */
export interface PlazaTerms {
  names: PlazaNames
  principals: Principals
  context: Context
  extra: object
}

/** Declares an endpoint of Plaza. */
export const endpoint = endpointsOf<PlazaTerms>(protocolOf)
