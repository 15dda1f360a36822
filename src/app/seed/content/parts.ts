import type { Clock } from '../../../platform/common/clock.ts'
import type { IdSource } from '../../../platform/common/ids.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { SeedPerson } from './post-rows.ts'

/** What the writers of a seed share. */
export interface ContentParts {
  /** The time of the start: times of the seed are relative to it. */
  readonly now: number
  readonly ids: IdSource
  readonly clock: Clock
  readonly config: Pick<Config, 'mediaPerUser'>
  /** @throws Error when the seed has no such user. */
  personNamed(screenName: string): SeedPerson
}
