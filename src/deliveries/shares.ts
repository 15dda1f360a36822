import type { Clock } from '../common/clock.ts'
import type { Store } from '../storage/store.ts'
import { addShares, allShares, leaseShares, releaseShares } from './queries.ts'

/** Webhooks are divided into this many shares, which nodes lease. */
const SHARES = 32
const LEASE_MS = 15_000
/** The interval at which leases are renewed and shares are divided again. */
export const RENEW_MS = 3_000
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
  has(share: number): boolean
  /** Renews the leases held, and takes free shares up to this node's part. Resolves to the new shares. */
  renew(): Promise<readonly number[]>
  /** The shares that this node holds beyond its part. */
  surplus(): readonly number[]
  release(shares: readonly number[]): Promise<void>
  held(): readonly number[]
}

/** The embedded store belongs to one node, which therefore holds all shares. */
export function ownShares(): Shares {
  let isNew = true
  return {
    has: () => true,
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
  /** Identifies the node. Another process with the same text takes over at once; others when the lease has expired. */
  holder: string
  /** The number of running nodes, including this one: a hint. */
  nodes(): number
}

/** Shares that are leased in the database. */
export function leasedShares({ store, clock, holder, nodes }: LeaseOptions): Shares {
  /** Until when each lease is relied on. */
  const until = new Map<number, number>()
  let isPrepared = false

  const part = () => Math.ceil(SHARES / Math.max(1, nodes()))
  const held = () => {
    const now = clock.now()
    return [...until].filter(([, end]) => end > now).map(([share]) => share)
  }

  async function choose(now: number): Promise<readonly number[]> {
    if (!isPrepared) {
      await store.write((tx) => tx.run(addShares, { shares: JSON.stringify(everyShare) }))
      isPrepared = true
    }
    const rows = await store.all(allShares, {})
    // Also those of an earlier process of this node, up to its part.
    const mine = new Set(held())
    const free = rows.filter(
      (row) => !mine.has(row.share) && (row.holder === holder || row.lease_until <= now),
    )
    return [...mine, ...free.slice(0, Math.max(0, part() - mine.size)).map(({ share }) => share)]
  }

  return {
    has: (share) => (until.get(share) ?? 0) > clock.now(),
    async renew() {
      const now = clock.now()
      const before = new Set(held())
      const wanted = await choose(now)
      const lease = { shares: JSON.stringify(wanted), holder, now, until: now + LEASE_MS }
      const leased = wanted.length === 0 ? [] : await store.write((tx) => tx.all(leaseShares, lease))
      until.clear()
      for (const { share } of leased) until.set(share, now + LEASE_MS - MARGIN_MS)
      return leased.map(({ share }) => share).filter((share) => !before.has(share))
    },
    surplus: () => held().slice(part()),
    async release(shares) {
      for (const share of shares) until.delete(share)
      if (shares.length > 0)
        await store.write((tx) => tx.run(releaseShares, { shares: JSON.stringify(shares), holder }))
    },
    held,
  }
}
