import type { App } from '../../identity/apps/app.ts'
import { type Reply, stream } from '../../platform/http/reply-kinds.ts'
import { lineOf, type StreamConnection } from './connections/connection.ts'
import type { EndpointName } from './connections/endpoint-names.ts'
import type { StreamDependencies } from './dependencies.ts'
import type { Past, Span } from './span.ts'

/** Where the lines of a stream come from. */
export interface StreamSource {
  /** Resolves once a line for whatever happens from then on reaches the connection. */
  follow(connection: StreamConnection): Promise<void>
  /** Prepares a connection for `replay` alone. */
  prepare?(connection: StreamConnection): Promise<void>
  /** Sends the lines of a period, as fast as the connection reads. */
  replay(connection: StreamConnection, span: Span): Promise<void>
}

export interface OpenStream {
  readonly app: App
  readonly address: string
  readonly endpointName: EndpointName
  /** Of a stream that has several. */
  readonly partition?: number
  /** Maximum number of lines per second; unlimited if absent. */
  readonly perSecond?: number
  readonly past: Past
  readonly source: StreamSource
  /** Headers and a line that come before all others. */
  readonly welcome?: { readonly headers: Readonly<Record<string, string>>; readonly line: string }
}

/**
 * Opens a stream. It sends new lines, after those of the backfill; with a recovery, only those of a
 * past period.
 * @throws ApiError `too many connections`
 */
export async function openStream(
  { past, source, welcome, ...opening }: OpenStream,
  { config, connections, streamFailed }: StreamDependencies,
): Promise<Reply<never>> {
  const isRecovery = past.kind === 'recovery'
  const connection = await connections.open({
    ...opening,
    purpose: isRecovery ? 'recovery' : 'live',
    max: isRecovery ? config.streamRecoveryJobs : config.streamConnectionsPerApp,
  })
  if (welcome) connection.push(lineOf(welcome.line))
  try {
    await (isRecovery ? source.prepare?.(connection) : source.follow(connection))
  } catch (error) {
    await connection.end('internal_error')
    throw error
  }
  return stream<never>(
    (sink, signal) => {
      void sendPast(connection, past, { source, streamFailed })
      return connection.run(sink, signal)
    },
    () => void connection.end('client_closed'),
    welcome?.headers,
  )
}

async function sendPast(
  connection: StreamConnection,
  past: Past,
  { source, streamFailed }: { source: StreamSource } & Pick<StreamDependencies, 'streamFailed'>,
): Promise<void> {
  if (past.kind === 'none') return
  try {
    await source.replay(connection, past)
    if (past.kind !== 'recovery') return
    await connection.drained()
    await connection.end('completed')
  } catch (error) {
    streamFailed(error)
    // A part is missing, which the reader must be told.
    await connection.end('internal_error')
  }
}
