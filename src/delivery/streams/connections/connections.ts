import type { App } from '../../../identity/apps/app.ts'
import { credentialEpoch } from '../../../identity/apps/queries.ts'
import { type Clock, systemClock } from '../../../platform/common/clock.ts'
import { Loop, POLL_MS, SHORT_PAUSES } from '../../../platform/common/loop.ts'
import { type RandomSource, uuid } from '../../../platform/common/random.ts'
import type { Naming } from '../../../platform/http/contract.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { StreamConnection } from './connection.ts'
import { type EndpointName, isForEnterprise } from './endpoint-names.ts'
import { type EndReason, lastLine } from './ends.ts'
import { Flusher } from './flusher.ts'
import { appStates } from './queries.ts'
import { ConnectionRecords } from './records.ts'

export interface ConnectionsParts {
  store: Store
  clock: Clock
  random: RandomSource
  naming: Naming
  /** Identifies this process: unique per start. */
  holder: string
  /** Maximum size of the lines that wait for one reader. */
  maxBytes: number
  onError: (error: unknown) => void
}

/** How to open a connection. */
export interface Opening {
  app: App
  endpointName: EndpointName
  /** Of a stream that has several. The maximum is that of each. */
  partition?: number | undefined
  /** A recovery sends a past period and ends. */
  purpose: 'live' | 'recovery'
  /** Maximum number of open connections of the app for this purpose, across all nodes. */
  max: number
  /** Maximum number of lines per second; unlimited if absent. */
  perSecond?: number
  address: string
}

/**
 * Readers must be told at least every 20 seconds that a stream is alive: streams that were quiet
 * for half of that are.
 */
const QUIET_MS = 10_000

/**
 * The connections to streams that this node holds open. The content of lines is up to those who add
 * them.
 */
export class StreamConnections {
  readonly records: ConnectionRecords
  readonly #parts: ConnectionsParts
  readonly #flusher = new Flusher()
  readonly #open = new Map<string, StreamConnection>()
  /** What runs while connections are open. */
  #loops: readonly Loop[] = []
  /** Set for a new connection, because its token may have been revoked since it was checked. */
  #isNewSinceCheck = false

  constructor(parts: ConnectionsParts) {
    this.#parts = parts
    this.records = new ConnectionRecords(parts)
  }

  /** Connections that are open on this node. */
  get count(): number {
    return this.#open.size
  }

  get(id: string): StreamConnection | undefined {
    return this.#open.get(id)
  }

  /**
   * Opens a connection, whose `run` becomes that of the reply.
   * @throws ApiError `too many connections`
   */
  async open({
    app,
    endpointName,
    partition = 0,
    purpose,
    max,
    perSecond,
    address,
  }: Opening): Promise<StreamConnection> {
    const { random, clock, naming, maxBytes } = this.#parts
    const id = uuid(random)
    await this.records.add(
      { id, app_id: app.id, endpoint_name: endpointName, partition, purpose, client_ip: address },
      max,
    )
    const connection = new StreamConnection({
      id,
      appId: app.id,
      bearerHash: app.bearerHash,
      endpointName,
      maxBytes,
      ...(perSecond !== undefined && { perSecond }),
      clock,
      flusher: this.#flusher,
      lastLine: (reason) => lastLine(reason, naming),
      ended: (one, reason) => this.#ended(one, reason),
    })
    this.#open.set(id, connection)
    this.#isNewSinceCheck = true
    this.#watch()
    return connection
  }

  close(): void {
    this.#stopWatching()
    this.records.close()
  }

  #ended({ id }: StreamConnection, reason: EndReason): Promise<void> {
    this.#open.delete(id)
    if (this.#open.size === 0) this.#stopWatching()
    return this.records.end(id, reason)
  }

  #watch(): void {
    if (this.#loops.length > 0) return
    const { clock, onError } = this.#parts
    const keepAlive = new Loop({ clock, round: () => this.#keepAlive(), onError })
    const credentials = new Loop({ round: this.#credentialsRound(), onError, pauses: SHORT_PAUSES })
    this.#loops = [keepAlive, credentials]
    for (const loop of this.#loops) loop.start()
  }

  #stopWatching(): void {
    for (const loop of this.#loops) void loop.stop()
    this.#loops = []
  }

  async #keepAlive(): Promise<number> {
    const now = this.#parts.clock.now()
    for (const connection of this.#open.values())
      if (connection.wroteAt <= now - QUIET_MS) connection.keepAlive()
    return now + POLL_MS.housekeeping
  }

  /** A revoked token or a suspended app ends its streams soon, in real time. */
  #credentialsRound(): () => Promise<number> {
    let epoch: string | undefined
    return async () => {
      const now = (await this.#parts.store.first(credentialEpoch, {}))?.value
      if (now !== epoch || this.#isNewSinceCheck) {
        this.#isNewSinceCheck = false
        await this.#endRevoked().catch((error) => {
          this.#isNewSinceCheck = true
          throw error
        })
        epoch = now
      }
      return systemClock.now() + POLL_MS.watched
    }
  }

  /** Ends the connections whose token was revoked, or whose app was suspended or unenrolled. */
  async #endRevoked(): Promise<void> {
    const connections = [...this.#open.values()]
    const ids = JSON.stringify([...new Set(connections.map(({ appId }) => appId))])
    const apps = new Map((await this.#parts.store.all(appStates, { ids })).map((app) => [app.id, app]))
    for (const one of connections) {
      const app = apps.get(one.appId)
      if (app === undefined || app.suspended === 1) void one.end('app_suspended')
      else if (app.enrolled === 0 || (app.enterprise === 0 && isForEnterprise(one.endpointName)))
        void one.end('app_unenrolled')
      else if ((app.bearer_hash ?? undefined) !== one.bearerHash) void one.end('token_revoked')
    }
  }
}
