import type { Dictionary } from '../../../domain/annotations/dictionary.ts'
import type { CountPost } from '../../../domain/posts/daily.ts'
import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import type { Clock } from '../../../platform/common/clock.ts'
import type { IdSource } from '../../../platform/common/ids.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { type Naming, protocolOf } from '../../../platform/protocols/protocols.ts'
import type { Store } from '../../../platform/storage/store.ts'

/** What handlers that change posts receive. */
export interface PostDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly ids: IdSource
  /** Finds names and topics in posts. */
  readonly dictionary: Dictionary
  readonly naming: Naming
  readonly countPost: CountPost
}

/** Declares an endpoint that changes posts. */
export const endpoint = endpointsOf<PlazaTerms<PostDependencies>>(protocolOf)
