import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { protocolOf } from '../../../platform/protocols/protocols.ts'
import type { Store } from '../../../platform/storage/store.ts'

/** What handlers of the calling user's account receive. */
export interface AccountDependencies {
  readonly store: Pick<Store, 'all'>
  readonly mediaOrigin: string
}

/** Declares an endpoint for the calling user's account. */
export const endpoint = endpointsOf<PlazaTerms<AccountDependencies>>(protocolOf)
