import { openConnections } from '../../../delivery/streams/connections/queries.ts'
import type { ConnectionDependencies } from '../../../delivery/streams/dependencies.ts'
import type { App } from '../../../identity/apps/app.ts'

/** Ends connections of an app, and reports the outcome for each. */
export async function endConnections(app: App, uuids: readonly string[], { kills }: ConnectionDependencies) {
  const results = await kills.end(app.id, uuids)
  const successful = results.filter(({ success }) => success).length
  return {
    data: { successful_kills: successful, failed_kills: results.length - successful, results },
  }
}

/** Ends all open connections of an app, or those to one stream, oldest first. */
export async function endAllConnections(
  app: App,
  endpointName: string | undefined,
  parts: ConnectionDependencies,
) {
  // Connections of a node that has died are still recorded as open.
  await parts.connections.records.closeOfDead()
  const rows = await parts.store.all(openConnections, { app: app.id })
  const chosen = rows.filter(
    ({ endpoint_name }) => endpointName === undefined || endpoint_name === endpointName,
  )
  return endConnections(
    app,
    chosen.map(({ id }) => id),
    parts,
  )
}
