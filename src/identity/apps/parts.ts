import type { Clock } from '../../platform/common/clock.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import type { RandomSource } from '../../platform/common/random.ts'
import type { Sealer } from '../../platform/storage/seal.ts'

/** What is needed to create identities. */
export interface IdentityDependencies {
  clock: Clock
  ids: IdSource
  random: RandomSource
  sealer: Sealer
}
