import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { protocolOf } from '../../../platform/protocols/protocols.ts'
import type { AdsDependencies } from '../dependencies.ts'

/** Declares an endpoint for a preview page, on the core host. */
export const endpoint = endpointsOf<PlazaTerms<AdsDependencies>>(protocolOf)
