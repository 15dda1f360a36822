import type { Store } from '../../../platform/storage/store.ts'
import type { StreamConnectionRow } from '../tables.ts'
import { pageOfConnections } from './queries.ts'

/** Which connections of an app are listed. */
export interface ListedConnection {
  app: string
  status: 'active' | 'inactive' | 'all'
  /** All streams when absent. */
  endpoints: readonly string[] | undefined
}

/** The connection after which a page begins. */
export type ConnectionPlace = Pick<StreamConnectionRow, 'connected_at' | 'id'>

/** The next connections of an app, newest first. Those that began at the same time are sorted by id. */
export const listConnections = (
  { app, status, endpoints }: ListedConnection,
  { after, limit }: { after: ConnectionPlace | undefined; limit: number },
  { store }: { store: Pick<Store, 'all'> },
): Promise<StreamConnectionRow[]> =>
  store.all(pageOfConnections, {
    app,
    status,
    endpoints: JSON.stringify(endpoints ?? []),
    every: endpoints === undefined ? 1 : 0,
    before: after?.connected_at ?? Number.MAX_SAFE_INTEGER,
    id: after?.id ?? '',
    limit,
  })
