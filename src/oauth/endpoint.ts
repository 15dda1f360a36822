import type { PlazaTerms } from '../auth/endpoint.ts'
import { endpointsOf } from '../http/endpoint.ts'
import { protocolOf } from '../protocols/protocols.ts'
import type { OauthDependencies } from './dependencies.ts'

/** Declares an OAuth endpoint. */
export const endpoint = endpointsOf<PlazaTerms<OauthDependencies>>(protocolOf)
