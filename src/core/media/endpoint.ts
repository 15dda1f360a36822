import type { PlazaTerms } from '../../auth/endpoint.ts'
import { endpointsOf } from '../../http/endpoint.ts'
import { protocolOf } from '../../protocols/protocols.ts'
import type { UploadDependencies } from './dependencies.ts'

/** Declares an endpoint for uploads and their files. */
export const endpoint = endpointsOf<PlazaTerms<UploadDependencies>>(protocolOf)
