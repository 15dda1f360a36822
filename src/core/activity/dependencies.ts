import type { ActivityStreamParts } from '../../activity/stream.ts'
import type { Clock } from '../../common/clock.ts'
import type { Config } from '../../config/config.ts'

/** What the handler of the activity stream receives. */
export interface ActivityStreamDependencies extends ActivityStreamParts {
  readonly clock: Clock
  readonly config: ActivityStreamParts['config'] &
    Pick<Config, 'streamBackfillMinutes' | 'streamRecoveryHours'>
}
