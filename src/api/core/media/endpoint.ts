import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { protocolOf } from '../../../platform/protocols/protocols.ts'
import type { UploadDependencies } from './dependencies.ts'

/** Declares an endpoint for uploads and their files. */
export const endpoint = endpointsOf<PlazaTerms<UploadDependencies>>(protocolOf)
