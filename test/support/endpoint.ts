import type { PlazaTerms } from '../../src/auth/endpoint.ts'
import { endpointsOf } from '../../src/http/endpoint.ts'
import { protocolOf } from '../../src/protocols/protocols.ts'

/** Declares an endpoint of a test, whose handler needs nothing of Plaza. */
export const endpoint = endpointsOf<PlazaTerms<unknown>>(protocolOf)
