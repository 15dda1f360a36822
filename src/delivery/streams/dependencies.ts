import type { ReactionRow } from '../../domain/posts/engagement-tables.ts'
import type { Usage } from '../../domain/usage/usage.ts'
import type { Clock } from '../../platform/common/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Naming } from '../../platform/protocols/protocols.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { StreamConnections } from './connections/connections.ts'
import type { ComplianceLine } from './compliance/lines.ts'
import type { ConnectionKills } from './connections/kills.ts'
import type { PostStreams } from './posts/post-streams.ts'
import type { MatchedRow } from './posts/queries.ts'
import type { RuleParts } from './rules.ts'
import type { VolumeStreams } from './volume/volume-streams.ts'

/** What handlers of stream rules receive. */
export interface RuleDependencies extends RuleParts {
  readonly clock: Clock
  readonly naming: Naming
}

/** What handlers that open streams of posts receive. */
export interface StreamDependencies extends RuleDependencies {
  readonly config: RuleParts['config'] &
    Pick<
      Config,
      | 'streamBackfillMinutes'
      | 'streamConnectionsPerApp'
      | 'streamPostsPerSecond'
      | 'streamRecoveryHours'
      | 'streamRecoveryJobs'
      | 'streamSamplePercent'
      | 'registrationUrl'
    >
  readonly connections: StreamConnections
  readonly filteredStream: PostStreams
  readonly powerstream: PostStreams
  /** Streams without rules. */
  readonly allPosts: VolumeStreams<MatchedRow>
  readonly allLikes: VolumeStreams<ReactionRow>
  readonly complianceEvents: VolumeStreams<ComplianceLine>
  readonly usage: Pick<Usage, 'check'>
  /** Called when an open stream fails. */
  streamFailed(error: unknown): void
}

/** What handlers of stream connections receive. */
export interface ConnectionDependencies {
  readonly store: Pick<Store, 'all'>
  readonly connections: StreamConnections
  readonly kills: ConnectionKills
  readonly naming: Naming
}
