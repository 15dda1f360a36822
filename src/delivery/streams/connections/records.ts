import { afterError } from '../../../platform/common/after-error.ts'
import type { TimeSource } from '../../../platform/common/clock.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { StreamConnectionRow } from '../tables.ts'
import type { EndReason } from './ends.ts'
import {
  addConnection,
  closeConnections,
  closeOfEndedNodes,
  closeOfOthers,
  countOpen,
  forgetConnections,
  forgetOldest,
  lockApp,
  nextAppWithConnections,
  pageOfConnections,
} from './queries.ts'

export type NewConnection = Pick<
  StreamConnectionRow,
  'id' | 'app_id' | 'endpoint_name' | 'partition' | 'purpose' | 'client_ip'
>

interface ConnectionRecordsOptions {
  store: Store
  /** Identifies this process: unique per start. */
  holder: string
  /** Called when an end could not be recorded. It is retried. */
  onError: (error: unknown) => void
}

/** How long, and how many, ended connections of an app are kept. */
const KEPT_MS = 30 * 86_400_000
const KEPT_PER_APP = 1_000
const FORGOTTEN_AT_ONCE = 1_000
const PAUSES = { firstMs: 250, longestMs: 5_000 }

/** The stored connections of all nodes, open and ended. */
export class ConnectionRecords {
  readonly #parts: ConnectionRecordsOptions
  readonly #ending = new Map<string, EndReason>()
  #round: Promise<void> | undefined
  readonly #closing = new AbortController()

  constructor(parts: ConnectionRecordsOptions) {
    this.#parts = parts
  }

  /**
   * Records an open connection.
   * @throws ApiError `too many connections`
   */
  async add(connection: NewConnection, max: number): Promise<void> {
    const { store, holder } = this.#parts
    const { app_id: app, endpoint_name: endpoint, partition, purpose } = connection
    await store.write(async (tx) => {
      await tx.first(lockApp, { app })
      const count = async () => (await tx.first(countOpen, { app, endpoint, partition, purpose }))?.open ?? 0
      if ((await count()) >= max) {
        // Some may belong to a node that has died.
        if (tx.dialect === 'postgres') await tx.run(closeOfEndedNodes, stopped(tx))
        if ((await count()) >= max) throw apiError('too many connections')
      }
      const open = { connected_at: tx.now, disconnected_at: null, disconnect_reason: null }
      await tx.run(addConnection, { ...connection, ...open, holder })
    })
  }

  /**
   * Records that a connection has ended, together with others that end at the same time. Resolves
   * after the first attempt; a failed one is repeated.
   */
  end(id: string, reason: EndReason): Promise<void> {
    this.#ending.set(id, reason)
    this.#round ??= this.#startRound()
    return this.#round
  }

  /** Closes the connections of processes that have ended. */
  async closeOfEnded(): Promise<void> {
    const { store, holder } = this.#parts
    await store.write(async (tx) => {
      if (tx.dialect === 'postgres') await tx.run(closeOfEndedNodes, stopped(tx))
      // The embedded store belongs to one process.
      else await tx.run(closeOfOthers, { ...stopped(tx), holder })
    })
  }

  /**
   * Closes the connections of nodes that have died since. The embedded store belongs to one
   * process.
   */
  async closeOfDead(): Promise<void> {
    if (this.#parts.store.dialect === 'postgres') await this.closeOfEnded()
  }

  /** Removes the history of apps that is too old or too long. */
  async forget(clock: TimeSource, signal: AbortSignal): Promise<void> {
    const { store } = this.#parts
    const before = clock.now() - KEPT_MS
    const limit = FORGOTTEN_AT_ONCE
    const untilDone = async (remove: () => Promise<number>) => {
      while (!signal.aborted && (await remove()) === limit);
    }
    await untilDone(() => store.write((tx) => tx.run(forgetConnections, { before, limit })))
    for (let after = ''; !signal.aborted; ) {
      const app = (await store.first(nextAppWithConnections, { after }))?.app_id
      if (app === undefined) return
      await untilDone(() => store.write((tx) => tx.run(forgetOldest, { app, keep: KEPT_PER_APP, limit })))
      after = app
    }
  }

  /** Ends that could not be recorded so far are left to the next start. */
  close(): void {
    this.#closing.abort()
  }

  async #startRound(): Promise<void> {
    // Those that end in the same turn are recorded together.
    await new Promise((resolve) => setImmediate(resolve))
    this.#round = undefined
    const some = new Map(this.#ending)
    this.#ending.clear()
    await this.#write(some).catch((error: unknown) => {
      this.#parts.onError(error)
      void this.#repeat(some)
    })
  }

  async #repeat(some: ReadonlyMap<string, EndReason>): Promise<void> {
    for (let failures = 0; await afterError(failures, this.#closing.signal, PAUSES); failures++)
      if (await this.#write(some).then(isDone, isNot)) return
  }

  async #write(some: ReadonlyMap<string, EndReason>): Promise<void> {
    const byReason = Map.groupBy(some.keys(), (id) => some.get(id) as EndReason)
    await this.#parts.store.write(async (tx) => {
      for (const [reason, ids] of byReason)
        await tx.run(closeConnections, { ids: JSON.stringify(ids), at: tx.now, reason })
    })
  }
}

const isDone = () => true
const isNot = () => false

const stopped = ({ now }: { now: number }) => ({ at: now, reason: 'node_stopped' satisfies EndReason })

/** Which connections of an app are listed. */
interface ListedConnection {
  app: string
  status: 'active' | 'inactive' | 'all'
  /** All streams when absent. */
  endpoints: readonly string[] | undefined
}

/** The connection after which a page begins. */
export type ConnectionPlace = Pick<StreamConnectionRow, 'connected_at' | 'id'>

/**
 * The next connections of an app, newest first. Those that began at the same time are sorted by id.
 */
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
