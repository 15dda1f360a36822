import type { PlazaTerms } from '../../auth/endpoint.ts'
import type { Clock } from '../../common/clock.ts'
import type { IdSource } from '../../common/ids.ts'
import { endpointsOf } from '../../http/endpoint.ts'
import type { CountPost } from '../../posts/daily.ts'
import type { Naming } from '../../protocols/protocols.ts'
import { protocolOf } from '../../protocols/protocols.ts'
import type { Store } from '../../storage/store.ts'

/** What handlers that change posts receive. */
export interface PostDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly ids: IdSource
  readonly naming: Naming
  readonly countPost: CountPost
}

/** Declares an endpoint that changes posts. */
export const endpoint = endpointsOf<PlazaTerms<PostDependencies>>(protocolOf)
