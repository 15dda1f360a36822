import type { PlazaTerms } from '../../src/identity/auth/endpoint.ts'
import { endpointsOf } from '../../src/platform/http/endpoint.ts'
import { protocolOf } from '../../src/platform/protocols/protocols.ts'

/** Declares an endpoint of a test, whose handler needs nothing of Plaza. */
export const endpoint = endpointsOf<PlazaTerms<unknown>>(protocolOf)
