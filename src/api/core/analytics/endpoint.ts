import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { protocolOf } from '../../../platform/protocols/protocols.ts'
import type { AnalyticsDependencies } from './owned.ts'

/** Declares an endpoint for analytics. */
export const endpoint = endpointsOf<PlazaTerms<AnalyticsDependencies>>(protocolOf)
