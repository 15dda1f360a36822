import type { PlazaTerms } from '../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../platform/http/endpoint.ts'
import { protocolOf } from '../../platform/protocols/protocols.ts'
import type { OauthDependencies } from './dependencies.ts'

/** Declares an OAuth endpoint. */
export const endpoint = endpointsOf<PlazaTerms<OauthDependencies>>(protocolOf)
