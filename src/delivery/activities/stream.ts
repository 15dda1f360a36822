import type { App } from '../../identity/apps/app.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Reply } from '../../platform/http/reply-kinds.ts'
import { stream } from '../../platform/http/reply-kinds.ts'
import type { StreamConnections } from '../streams/connections/connections.ts'
import type { Past } from '../streams/posts/open.ts'
import type { ActivityFeeds } from './feed.ts'

interface Opening {
  readonly app: App
  readonly address: string
  readonly past: Past
}

export interface ActivityStreamParts {
  readonly config: Pick<Config, 'activityConnectionsPerApp' | 'streamRecoveryJobs'>
  readonly connections: StreamConnections
  readonly activityFeeds: ActivityFeeds
}

/**
 * Opens the activity stream of an app. It sends new activities, after those of the backfill; with a recovery, only
 * those of a past period.
 * @throws ApiError `too many connections`
 */
export async function openActivityStream(
  { app, address, past }: Opening,
  { config, connections, activityFeeds }: ActivityStreamParts,
): Promise<Reply<never>> {
  const isRecovery = past.kind === 'recovery'
  // Read before the connection opens, so that activities stored in the meantime are sent.
  const after = await activityFeeds.positionBefore(app.id, past.kind === 'none' ? undefined : past.fromMs)
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
      void activityFeeds.send(feed)
      return connection.run(sink, signal)
    },
    () => void connection.end('client_closed'),
  )
}
