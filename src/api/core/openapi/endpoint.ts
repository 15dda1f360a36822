import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { protocolOf } from '../../../platform/protocols/protocols.ts'

export interface DocumentDependencies {
  /** The OpenAPI document of the core API in the vocabulary in force, as JSON. */
  coreDocument(): Promise<string>
}

export const endpoint = endpointsOf<PlazaTerms<DocumentDependencies>>(protocolOf)
