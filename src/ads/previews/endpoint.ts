import type { PlazaTerms } from '../../auth/endpoint.ts'
import { endpointsOf } from '../../http/endpoint.ts'
import { protocolOf } from '../../protocols/protocols.ts'
import type { AdsDependencies } from '../dependencies.ts'

/** Declares an endpoint for a preview page, on the core host. */
export const endpoint = endpointsOf<PlazaTerms<AdsDependencies>>(protocolOf)
