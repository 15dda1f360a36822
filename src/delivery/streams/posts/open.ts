import type { App } from '../../../identity/apps/app.ts'
import { FIRST_ID } from '../../../platform/common/ids.ts'
import { type Reply, stream } from '../../../platform/http/reply-kinds.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { lineOf, type StreamConnection } from '../connections/connection.ts'
import type { EndpointName } from '../connections/endpoint-names.ts'
import type { StreamDependencies } from '../dependencies.ts'
import { pageOfRuleIds } from '../queries.ts'
import type { RuledStream } from '../rules.ts'
import type { PostFormat } from './formats.ts'
import type { PostStreams, Span, Subscriber } from './post-streams.ts'

/** What is sent before new posts, or instead of them. */
export type Past = { readonly kind: 'none' } | ({ readonly kind: 'backfill' | 'recovery' } & Span)

export interface OpenPostStream {
  app: App
  address: string
  stream: RuledStream
  endpointName: EndpointName
  posts: PostStreams
  format: PostFormat
  past: Past
  /** Headers and a line that come before the first post. */
  welcome?: { readonly headers: Readonly<Record<string, string>>; readonly line: string }
}

/**
 * Opens a stream of posts. It sends new posts, after those of the backfill; with a recovery, only
 * those of a past period.
 * @throws ApiError `no stream rules`, `too many connections`, one of `usageCaps`
 */
export async function openPostStream(
  { app, address, stream: of, endpointName, posts, format, past, welcome }: OpenPostStream,
  { store, config, connections, usage, streamFailed }: StreamDependencies,
): Promise<Reply<never>> {
  const [rule] = await store.all(pageOfRuleIds, { app: app.id, stream: of, after: FIRST_ID, limit: 1 })
  if (!rule) throw apiError('no stream rules')
  await usage.check(app)
  const isRecovery = past.kind === 'recovery'
  const connection = await connections.open({
    app,
    address,
    endpointName,
    purpose: isRecovery ? 'recovery' : 'live',
    max: isRecovery ? config.streamRecoveryJobs : config.streamConnectionsPerApp,
    perSecond: config.streamPostsPerSecond,
  })
  if (welcome) connection.push(lineOf(welcome.line))
  const subscriber = { app, connection, format }
  try {
    await (isRecovery ? posts.holdRules(connection) : posts.add(subscriber))
  } catch (error) {
    await connection.end('internal_error')
    throw error
  }
  return stream<never>(
    (sink, signal) => {
      void sendPast(subscriber, past, { posts, streamFailed })
      return connection.run(sink, signal)
    },
    () => void connection.end('client_closed'),
    welcome?.headers,
  )
}

async function sendPast(
  subscriber: Subscriber & { connection: StreamConnection },
  past: Past,
  { posts, streamFailed }: { posts: PostStreams } & Pick<StreamDependencies, 'streamFailed'>,
): Promise<void> {
  if (past.kind === 'none') return
  const { connection } = subscriber
  try {
    await posts.replay(subscriber, past)
    if (past.kind !== 'recovery') return
    await connection.drained()
    await connection.end('completed')
  } catch (error) {
    streamFailed(error)
    // A part is missing, which the reader must be told.
    await connection.end('internal_error')
  }
}
