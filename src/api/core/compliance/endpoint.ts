import type { UploadParts } from '../../../domain/compliance/uploads.ts'
import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { type Naming, protocolOf } from '../../../platform/protocols/protocols.ts'
import type { Sealer } from '../../../platform/storage/seal.ts'

/** What handlers of compliance jobs receive. */
export interface ComplianceDependencies extends UploadParts {
  readonly sealer: Sealer
  readonly naming: Naming
  readonly coreOrigin: string
}

/** Declares an endpoint for compliance jobs. */
export const endpoint = endpointsOf<PlazaTerms<ComplianceDependencies>>(protocolOf)
