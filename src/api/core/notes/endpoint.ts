import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import type { Clock } from '../../../platform/common/clock.ts'
import type { IdSource } from '../../../platform/common/ids.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { protocolOf } from '../../../platform/protocols/protocols.ts'
import type { Store } from '../../../platform/storage/store.ts'

/** What handlers that change or evaluate notes receive. */
export interface NoteDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly ids: IdSource
}

/** Declares an endpoint that changes or evaluates notes. */
export const endpoint = endpointsOf<PlazaTerms<NoteDependencies>>(protocolOf)

export const SOURCE = 'Other core endpoints named in release notes'

/** Calls of a writer to one endpoint (core reference, 00 section 5.2). */
export const WRITER_LIMITS = { user: '90/15m' } as const
