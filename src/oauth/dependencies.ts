import type { Cluster } from '../cluster/cluster.ts'
import type { Clock } from '../common/clock.ts'
import type { IdSource } from '../common/ids.ts'
import type { RandomSource } from '../common/random.ts'
import type { Config } from '../config/config.ts'
import type { Credentials } from '../identity/credentials.ts'
import type { Naming } from '../protocols/protocols.ts'
import type { Sealer } from '../storage/seal.ts'
import type { Store } from '../storage/store.ts'

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
