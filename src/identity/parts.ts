import type { Clock } from '../common/clock.ts'
import type { IdSource } from '../common/ids.ts'
import type { RandomSource } from '../common/random.ts'
import type { Sealer } from '../storage/seal.ts'

/** What is needed to create identities. */
export interface IdentityParts {
  clock: Clock
  ids: IdSource
  random: RandomSource
  sealer: Sealer
}
