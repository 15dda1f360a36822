import type { MediaDependencies } from '../../../domain/media/dependencies.ts'
import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { type Naming, protocolOf } from '../../../platform/protocols/protocols.ts'

/** What handlers of uploads and files receive. */
export interface UploadDependencies extends MediaDependencies {
  readonly naming: Naming
}

/** Declares an endpoint for uploads and their files. */
export const endpoint = endpointsOf<PlazaTerms<UploadDependencies>>(protocolOf)
