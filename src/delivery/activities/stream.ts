import type { App } from '../../identity/apps/app.ts'
import type { Clock, TimeSource } from '../../platform/common/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Reply } from '../../platform/http/reply-kinds.ts'
import { stream } from '../../platform/http/reply-kinds.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { StreamConnections } from '../streams/connections/connections.ts'
import type { Past } from '../streams/posts/open.ts'
import { feedActivities, placeBefore } from './feed.ts'

interface Opening {
  readonly app: App
  readonly address: string
  readonly past: Past
}

export interface ActivityStreamParts {
  readonly store: Store
  readonly clock: Clock
  readonly monotonic: TimeSource
  readonly config: Pick<Config, 'activityConnectionsPerApp' | 'streamRecoveryJobs'>
  readonly connections: StreamConnections
  streamFailed(error: unknown): void
}

/**
 * Opens the activity stream of an app. It sends new activities, after those of the backfill; with a recovery, only
 * those of a past period.
 * @throws ApiError `too many connections`
 */
export async function openActivityStream(
  { app, address, past }: Opening,
  { store, clock, monotonic, config, connections, streamFailed }: ActivityStreamParts,
): Promise<Reply<never>> {
  const isRecovery = past.kind === 'recovery'
  // Read before the connection opens, so that activities stored in the meantime are sent.
  const after = await placeBefore(app.id, past.kind === 'none' ? undefined : past.fromMs, { store })
  const connection = await connections.open({
    app,
    address,
    endpointName: 'activity_stream',
    purpose: isRecovery ? 'recovery' : 'live',
    max: isRecovery ? config.streamRecoveryJobs : config.activityConnectionsPerApp,
  })
  const feed = { connection, app: app.id, after, until: isRecovery ? past.toMs : undefined }
  return stream<never>(
    (sink, signal) => {
      void feedActivities(feed, { store, clock, monotonic, onError: streamFailed })
      return connection.run(sink, signal)
    },
    () => void connection.end('client_closed'),
  )
}
