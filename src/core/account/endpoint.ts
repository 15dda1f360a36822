import type { PlazaTerms } from '../../auth/endpoint.ts'
import { endpointsOf } from '../../http/endpoint.ts'
import { protocolOf } from '../../protocols/protocols.ts'
import type { Store } from '../../storage/store.ts'

/** What handlers about the calling user are given. */
export interface AccountDependencies {
  readonly store: Pick<Store, 'all'>
}

/** Declares an endpoint about the calling user. */
export const endpoint = endpointsOf<PlazaTerms<AccountDependencies>>(protocolOf)
