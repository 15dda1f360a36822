import type { Clock } from '../../platform/common/clock.ts'
import { Gate } from '../../platform/common/gate.ts'
import { Lease } from '../../platform/common/lease.ts'
import type { Store } from '../../platform/storage/store.ts'
import { addShares, allShares, leaseShares, releaseShares } from './queries.ts'

/** Webhooks are divided into this many shares, which nodes lease. */
const SHARES = 32
const LEASE_MS = 15_000
/** A lease is not relied on in its last moments. */
const MARGIN_MS = 2_000

export const everyShare: readonly number[] = Array.from({ length: SHARES }, (_, share) => share)

/** The share of a webhook: FNV-1a of its id. */
export function shareOf(webhookId: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < webhookId.length; i++) hash = Math.imul(hash ^ webhookId.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % SHARES
}

/** The channel that wakes the senders of a share. */
export const channelOf = (share: number) => `deliveries ${share}`

/** The shares of this node. */
export interface Shares {
  /**
   * The lease under which this node holds a share; undefined if it does not hold it. A share that
   * is lost and leased again has another lease: in between, another node may have sent its
   * deliveries.
   */
  lease(share: number): number | undefined
  /**
   * Renews the leases held, and takes free shares up to this node's part. Resolves to the shares
   * with new leases.
   */
  renew(): Promise<readonly number[]>
  /** The shares that this node holds beyond its part. */
  surplus(): readonly number[]
  /**
   * Ends the leases of some shares at once for this node, and for other nodes when `drained`
   * resolves: they may not send before this node has recorded what it has sent.
   */
  release(shares: readonly number[], drained?: Promise<unknown>): Promise<void>
  held(): readonly number[]
}

/** The embedded store belongs to one node, which therefore holds all shares. */
export function ownShares(): Shares {
  let isNew = true
  return {
    lease: () => 1,
    async renew() {
      const found = isNew ? everyShare : []
      isNew = false
      return found
    },
    surplus: () => [],
    release: async () => undefined,
    held: () => everyShare,
  }
}

interface LeaseOptions {
  store: Store
  /** The machine's clock: leases show whether processes are alive. */
  clock: Clock
  /**
   * Identifies the node. Another process with the same text takes over at once; others when the
   * lease has expired.
   */
  holder: string
  /** The number of running nodes, including this one: a hint. */
  nodes(): number
}

/** Shares that are leased in the database. */
export const leasedShares = (options: LeaseOptions): Shares => new LeasedShares(options)

class LeasedShares implements Shares {
  readonly #options: LeaseOptions
  readonly #leases: ReadonlyMap<number, Lease>
  /**
   * Released shares whose deliveries in progress have not ended. They stay leased in the database.
   */
  readonly #leaving = new Set<number>()
  /** One statement at a time: a late reply to an earlier one must not undo a later one. */
  readonly #statements = new Gate(1, Number.POSITIVE_INFINITY)
  #isPrepared = false

  constructor(options: LeaseOptions) {
    this.#options = options
    const { clock } = options
    const lease = () => new Lease({ ms: LEASE_MS, marginMs: MARGIN_MS, clock })
    this.#leases = new Map(everyShare.map((share) => [share, lease()]))
  }

  lease(share: number): number | undefined {
    return this.#leaving.has(share) ? undefined : this.#leases.get(share)?.fence
  }

  held(): readonly number[] {
    return everyShare.filter((share) => this.lease(share) !== undefined)
  }

  surplus(): readonly number[] {
    return this.held().slice(this.#part)
  }

  renew(): Promise<readonly number[]> {
    return this.#statements.through(async () => {
      const { store, clock, holder } = this.#options
      const now = clock.now()
      const begun = new Map([...this.#leases].map(([share, lease]) => [share, lease.begin()]))
      const wanted = await this.#choose(now)
      const lease = { shares: JSON.stringify(wanted), holder, now, until: now + LEASE_MS }
      const rows = wanted.length === 0 ? [] : await store.write((tx) => tx.all(leaseShares, lease))
      const leased = new Set(rows.map(({ share }) => share))
      const gained = [...leased].filter((share) => !this.#isHeld(share) && !this.#leaving.has(share))
      for (const [share, own] of this.#leases) {
        if (leased.has(share)) begun.get(share)?.()
        else own.lose()
      }
      return gained
    })
  }

  async release(shares: readonly number[], drained?: Promise<unknown>): Promise<void> {
    if (shares.length === 0) return
    const { store, holder } = this.#options
    for (const share of shares) this.#leaving.add(share)
    try {
      await drained
      await this.#statements.through(async () => {
        for (const share of shares) this.#leases.get(share)?.lose()
        await store.write((tx) => tx.run(releaseShares, { shares: JSON.stringify(shares), holder }))
      })
    } finally {
      for (const share of shares) this.#leaving.delete(share)
    }
  }

  #isHeld(share: number): boolean {
    return this.#leases.get(share)?.isHeld === true
  }

  get #part(): number {
    return Math.ceil(SHARES / Math.max(1, this.#options.nodes()))
  }

  /** The shares to lease: those that are held, and free ones up to this node's part. */
  async #choose(now: number): Promise<readonly number[]> {
    const { store, holder } = this.#options
    if (!this.#isPrepared) {
      await store.write((tx) => tx.run(addShares, { shares: JSON.stringify(everyShare) }))
      this.#isPrepared = true
    }
    const rows = await store.all(allShares, {})
    const mine = new Set(everyShare.filter((share) => this.#isHeld(share)))
    // Also those of an earlier process of this node.
    const free = rows.filter(
      (row) => !mine.has(row.share) && (row.holder === holder || row.lease_until <= now),
    )
    return [...mine, ...free.slice(0, Math.max(0, this.#part - mine.size)).map(({ share }) => share)]
  }
}
