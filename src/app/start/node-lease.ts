import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { systemClock, type TimeSource } from '../../platform/common/clock.ts'
import type { ResumableIds } from '../../platform/common/ids.ts'
import { Lease } from '../../platform/common/lease.ts'
import { Loop, POLL_MS } from '../../platform/common/loop.ts'
import type { RandomSource } from '../../platform/common/random.ts'
import { writeAtomically } from '../../platform/storage/atomic-file.ts'
import type { Folder } from '../../platform/storage/folder.ts'
import {
  claimNode,
  clusterStateOf,
  type NodeClaim,
  type Obstacle,
  releaseNode,
  renewNode,
} from '../../platform/storage/nodes.ts'
import { type Store, StoreUnavailable } from '../../platform/storage/store.ts'
import { idsOf, placeConflict, type SharedPlaces } from './shared-places.ts'

/** How long a node number stays claimed by a process that no longer renews it. */
const LEASE_MS = 15_000
/** A claim is not relied on in its last moments. */
const MARGIN_MS = 1_000

/**
 * Another node has the number, or does not share nonces with this one. The message says what to do.
 */
export class NodeConflict extends Error {
  override readonly name = 'NodeConflict'
}

export interface NodeLeaseOptions {
  store: Store
  node: number
  shared: SharedPlaces
  folder: Folder | undefined
  /** The machine's clock. */
  clock: TimeSource
  random: RandomSource
  log: Logger
  leaseMs?: number
  renewMs?: number
}

/**
 * The claim of a node number among the nodes that share a database: two nodes with the same number
 * could create equal ids. It is renewed while the process lives. If it is not renewed in time, this
 * node creates no ids until it is renewed or, if another node has taken the number, until that node
 * has released it.
 */
export class NodeLease {
  readonly #options: Required<NodeLeaseOptions>
  readonly #claim: NodeClaim
  readonly #lease: Lease
  readonly #loop: Loop
  #renewing: Promise<void> | undefined
  #isTaken = false
  #closed = false

  private constructor(options: NodeLeaseOptions) {
    this.#options = { leaseMs: LEASE_MS, renewMs: POLL_MS.housekeeping, ...options }
    const { node, random, folder, clock, leaseMs, renewMs } = this.#options
    this.#lease = new Lease({ ms: leaseMs, marginMs: MARGIN_MS, clock })
    this.#loop = new Loop({
      round: async () => {
        await this.renew()
        return systemClock.now() + renewMs
      },
      // Callers that need the claim get the error.
      onError: () => undefined,
      pauses: { longestMs: renewMs },
    })
    const holder = random.bytes(16).toString('hex')
    this.#claim = {
      node,
      holder,
      place: `${hostname()} ${folder ? folderId(folder, random) : holder}`,
      host: hostname(),
      pid: process.pid,
      shared: { media: '' },
      leaseMs,
    }
  }

  /**
   * Marks what nodes share, and claims the number. Does not wait for a process on the same machine
   * and data folder that ended without releasing it; waits for any other one until its claim
   * expires.
   * @throws NodeConflict Another node holds it.
   * @throws PlaceConflict What this node would share is not what the running ones share.
   */
  static async open(options: NodeLeaseOptions): Promise<NodeLease> {
    const lease = new NodeLease(options)
    await lease.#markShared()
    await lease.#waitForClaim()
    lease.#loop.start()
    return lease
  }

  async #markShared(): Promise<void> {
    const { store, shared, random } = this.#options
    const newId = random.bytes(16).toString('hex')
    this.#claim.shared = await idsOf(shared, () => clusterStateOf(store, this.#claim, newId), random)
  }

  async #waitForClaim(): Promise<void> {
    const { leaseMs, log } = this.#options
    const endsAt = performance.now() + leaseMs + POLL_MS.watched
    let first: Obstacle | undefined
    for (;;) {
      const obstacle = await this.#tryClaim()
      if (!obstacle) return
      first ??= obstacle
      // A claim that is renewed belongs to a live process.
      const isAlive = first.by.holder !== obstacle.by.holder || first.by.renewed_at !== obstacle.by.renewed_at
      if (isAlive || performance.now() > endsAt) throw this.#conflict(obstacle)
      if (obstacle === first)
        log.info({ node: obstacle.by.node }, 'waiting for the claim of another node to expire')
      await new Promise((resolve) => setTimeout(resolve, POLL_MS.watched))
    }
  }

  async #tryClaim(): Promise<Obstacle | undefined> {
    const claimed = this.#lease.begin()
    const obstacle = await claimNode(this.#options.store, this.#claim)
    if (!obstacle) this.#hold(claimed)
    return obstacle
  }

  #conflict({ why, by }: Obstacle): Error {
    const { redis, media } = this.#options.shared
    if (why === 'media') return placeConflict(media, by)
    if (why === 'redis' && redis) return placeConflict(redis, by)
    const who = `process ${by.pid} on ${by.host}`
    return new NodeConflict(
      why === 'taken'
        ? `Node number ${this.#claim.node} is in use by ${who}. Give each node of the database its own number with --node.`
        : `Node ${by.node} (${who}) also uses this database, and several nodes need Redis. Start all nodes with the same --redis-url, or stop that node.`,
    )
  }

  /** Identifies this process among current and former holders of a number. */
  get holder(): string {
    return this.#claim.holder
  }

  /** Renews the claim, or claims the number again. Rejects when that cannot be done now. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async #renew(): Promise<void> {
    if (this.#closed) return
    const { store, log } = this.#options
    const renewed = this.#lease.begin()
    if (await renewNode(store, this.#claim)) return this.#hold(renewed)
    const obstacle = await this.#tryClaim()
    if (!obstacle) return
    const error = this.#conflict(obstacle)
    if (!this.#isTaken) log.error({ err: error }, 'this node cannot create new ids')
    this.#isTaken = true
    this.#lease.lose()
    throw new StoreUnavailable(error.message)
  }

  #hold(claimed: () => void): void {
    claimed()
    if (this.#isTaken) this.#options.log.warn({ node: this.#claim.node }, 'this node has regained its number')
    this.#isTaken = false
  }

  /** @throws StoreUnavailable Another node may have the number by now. */
  assertHeld(): void {
    if (this.#lease.isHeld) return
    void this.renew().catch(() => undefined)
    throw new StoreUnavailable(`the claim of node number ${this.#claim.node} could not be renewed in time`)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#loop.stop()
    await this.#renewing?.catch(() => undefined)
    // If the database is unavailable, the claim expires by itself.
    await releaseNode(this.#options.store, this.#claim).catch(() => undefined)
  }
}

/**
 * Ids of a node that holds its number. The claim is checked after an id was created, so that a
 * pause in between is detected.
 */
export const leasedIds = (ids: ResumableIds, lease: NodeLease): ResumableIds => ({
  get last() {
    return ids.last
  },
  next() {
    const id = ids.next()
    lease.assertHeld()
    return id
  },
})

/** A random text that is stored in the folder, which only one process can use at a time. */
function folderId(folder: Folder, random: RandomSource): string {
  const path = folder.file('node-id')
  writeAtomically(path, random.bytes(16).toString('hex'), { mode: 0o600, keepExisting: true, random })
  return readFileSync(path, 'utf8').trim()
}
