import type { ActivityStreamParts } from '../../../delivery/activities/feed.ts'
import type { Clock } from '../../../platform/common/clock.ts'
import type { Config } from '../../../platform/config/config.ts'

/** What the handler of the activity stream receives. */
export interface ActivityStreamDependencies extends ActivityStreamParts {
  readonly clock: Clock
  readonly config: ActivityStreamParts['config'] &
    Pick<Config, 'streamBackfillMinutes' | 'streamRecoveryHours'>
}
