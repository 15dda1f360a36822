import type { PlazaTerms } from '../../identity/auth/endpoint.ts'
import type { Credentials } from '../../identity/tokens/credentials.ts'
import type { Cluster } from '../../platform/cluster/cluster.ts'
import type { Clock } from '../../platform/common/clock.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import type { RandomSource } from '../../platform/common/random.ts'
import type { Config } from '../../platform/config/config.ts'
import { endpointsOf } from '../../platform/http/endpoint.ts'
import { type Naming, protocolOf } from '../../platform/protocols/protocols.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import type { Store } from '../../platform/storage/store.ts'

/** What handlers of the OAuth endpoints receive. */
export interface OauthDependencies {
  readonly config: Pick<Config, 'coreUrl' | 'oauth2CodeSeconds' | 'oauth2AccessSeconds' | 'oauth2Iss'>
  /** The public origin of the core API: the issuer of OAuth 2.0. */
  readonly coreOrigin: string
  readonly ids: IdSource
  readonly clock: Clock
  readonly random: RandomSource
  readonly store: Store
  readonly sealer: Sealer
  /** Counts wrong passwords. */
  readonly cluster: Pick<Cluster, 'count' | 'uncount'>
  readonly credentials: Credentials
  readonly naming: Naming
}

/** Declares an OAuth endpoint. */
export const endpoint = endpointsOf<PlazaTerms<OauthDependencies>>(protocolOf)
