import type { Clock, TimeSource } from '../common/clock.ts'
import { type RandomSource, systemRandom } from '../common/random.ts'
import {
  type Cluster,
  ClusterUnavailable,
  type Counted,
  NONCE_WINDOW_SECONDS,
  nonceIdentity,
  withinNonceWindow,
} from './cluster.ts'
import { type CopiedNonces, NonceJournal, readBootId } from './nonce-journal.ts'
import {
  FINGERPRINT_WORDS,
  NonceTable,
  randomPlacement,
  type SlotPlacement,
  writeFingerprint,
} from './nonce-table.ts'
import { BUCKET_LIMIT, CallWindows, type CopiedWindow } from './windows.ts'

/**
 * Default maximum number of stored nonces: 45,000 per second over a window of 300 seconds each way.
 * Their memory grows as they arrive, by 22 to 64 bytes each.
 */
export const NONCE_LIMIT = 2 ** 24

/** Nonces are deleted by bucket; a bucket holds the timestamps of this many seconds. */
export const NONCE_BUCKET_SECONDS = 60

export interface MemoryClusterOptions {
  readonly clock: Clock
  /** The clock that callers sign with. Default: `clock`. */
  readonly machineClock?: TimeSource | undefined
  /** Secret, so that clients cannot predict where fingerprints are stored. */
  readonly random?: RandomSource
  /**
   * The folder of the nonce journal. Without it, nonces are only in memory. One process at a time
   * may use it.
   */
  readonly journalFolder?: string
  /** Nonces to begin with, without a journal. */
  readonly nonces?: CopiedNonces | undefined
  /** Windows to begin with. */
  readonly windows?: readonly CopiedWindow[] | undefined
  /** No request has been accepted before, so a journal without records has lost none. */
  readonly isNew?: boolean
  /** Maximum distance of a nonce's timestamp from the clock, each way. */
  readonly nonceWindowSeconds?: number
  /** Maximum number of stored nonces. Further nonces are rejected. */
  readonly nonceLimit?: number
  /** The machine's boot id, if the operating system is not to be asked for it. */
  readonly bootId?: () => string | undefined
}

/**
 * Shared state of a single node: memory, and a journal for the nonces. Counts without a promise.
 */
export class MemoryCluster implements Cluster {
  readonly #clock: Clock
  readonly #machineClock: TimeSource
  readonly #windowSeconds: number
  readonly #nonceLimit: number
  readonly #placement: SlotPlacement
  readonly #journal: NonceJournal | undefined
  /** Nonces with a timestamp at or before this second may have been lost and must be rejected. */
  #floorSeconds: number
  readonly #tables = new Map<number, NonceTable>()
  readonly #windows: CallWindows
  readonly #fingerprint = new Uint32Array(FINGERPRINT_WORDS)
  #nonces = 0
  #recording: Promise<true> | undefined
  /**
   * Buckets below this number are deleted. It never decreases, so that no nonce is accepted twice
   * after the clock was set back.
   */
  #firstBucket: number
  #closed = false

  /** @throws ClusterUnavailable When the journal cannot be opened or read. */
  constructor(options: MemoryClusterOptions) {
    this.#clock = options.clock
    this.#machineClock = options.machineClock ?? options.clock
    this.#windowSeconds = options.nonceWindowSeconds ?? NONCE_WINDOW_SECONDS
    this.#nonceLimit = options.nonceLimit ?? NONCE_LIMIT
    this.#windows = new CallWindows(BUCKET_LIMIT, options.windows)
    this.#placement = randomPlacement(options.random ?? systemRandom)
    const nowMs = this.#machineClock.now()
    this.#firstBucket = this.#firstBucketAt(nowMs)
    const isNew = options.isNew ?? true
    const startSeconds = Math.floor(nowMs / 1000)
    if (options.journalFolder === undefined) {
      this.#floorSeconds = options.nonces?.floorSeconds ?? (isNew ? -1 : startSeconds)
      for (const [bucket, fingerprints] of options.nonces?.buckets ?? [])
        if (bucket >= this.#firstBucket) this.#fillTable(bucket, fingerprints)
      return
    }
    this.#journal = new NonceJournal({
      folder: options.journalFolder,
      windowSeconds: this.#windowSeconds,
      startSeconds,
      isNew,
      firstBucket: this.#firstBucket,
      bootId: (options.bootId ?? readBootId)(),
    })
    this.#floorSeconds = this.#journal.floorSeconds
    const lastBucket = Math.floor((nowMs / 1000 + this.#windowSeconds) / NONCE_BUCKET_SECONDS)
    for (const bucket of this.#journal.buckets) {
      if (bucket <= lastBucket) this.#openTable(bucket)
      // The clock was set back. While it was ahead, buckets that are within the window again may
      // have been deleted. This one is read when its first claim arrives.
      else this.#floorSeconds = Math.max(this.#floorSeconds, startSeconds)
    }
  }

  /** The number of nonces, their memory in bytes, and the number of windows. */
  get usage(): { nonces: number; nonceBytes: number; windows: number } {
    let nonceBytes = 0
    for (const table of this.#tables.values()) nonceBytes += table.bytes
    return { nonces: this.#nonces, nonceBytes, windows: this.#windows.size }
  }

  get nonceFloorSeconds(): number {
    return Math.max(this.#floorSeconds, this.#firstBucket * NONCE_BUCKET_SECONDS - 1)
  }

  claimNonce(timestampSeconds: number, key: string): boolean | Promise<boolean> {
    this.#assertOpen()
    const nowMs = this.#machineClock.now()
    if (!withinNonceWindow(timestampSeconds, nowMs, this.#windowSeconds)) return false
    const firstBucket = this.#firstBucketAt(nowMs)
    if (firstBucket > this.#firstBucket) this.#forgetBefore(firstBucket)
    if (timestampSeconds <= this.nonceFloorSeconds) return false
    const bucket = Math.floor(timestampSeconds / NONCE_BUCKET_SECONDS)
    const table = this.#tables.get(bucket) ?? this.#openTable(bucket)
    if (this.#nonces >= this.#nonceLimit) return false
    const fingerprint = this.#fingerprint
    writeFingerprint(nonceIdentity(timestampSeconds, key), fingerprint)
    if (!table.add(fingerprint)) return false
    this.#nonces++
    if (!this.#journal) return true
    this.#journal.append(bucket, fingerprint)
    return this.#recorded()
  }

  /**
   * Claims of one turn of the event loop are written together. A claim whose write fails stays
   * claimed.
   */
  #recorded(): Promise<true> {
    this.#recording ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#recording = undefined
        try {
          this.#journal?.flush()
          resolve(true)
        } catch (error) {
          reject(error)
        }
      })
    })
    return this.#recording
  }

  count(bucket: string, limit: number, windowSeconds: number): Counted {
    this.#assertOpen()
    return this.#windows.count(bucket, limit, windowSeconds * 1000, this.#clock.now())
  }

  uncount(bucket: string, resetSeconds: number): void {
    this.#assertOpen()
    this.#windows.uncount(bucket, resetSeconds)
  }

  /** The nonces that it has now. */
  copyNonces(): CopiedNonces {
    this.#assertOpen()
    const buckets = [...this.#tables].map(([bucket, table]) => [bucket, table.fingerprints()] as const)
    return { floorSeconds: this.#floorSeconds, windowSeconds: this.#windowSeconds, buckets: new Map(buckets) }
  }

  /** The windows that it has now. */
  copyWindows(): CopiedWindow[] {
    this.#assertOpen()
    return this.#windows.copy()
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#recording
    this.#tables.clear()
    this.#nonces = 0
    await this.#journal?.close()
  }

  #assertOpen(): void {
    if (this.#closed) throw new ClusterUnavailable('The shared state is closed')
  }

  #firstBucketAt(nowMs: number): number {
    return Math.floor((Math.floor(nowMs / 1000) - this.#windowSeconds) / NONCE_BUCKET_SECONDS)
  }

  #openTable(bucket: number): NonceTable {
    const table = new NonceTable(this.#placement)
    this.#journal?.open(bucket, (fingerprint) => table.add(fingerprint))
    this.#tables.set(bucket, table)
    this.#nonces += table.size
    return table
  }

  #fillTable(bucket: number, fingerprints: Uint32Array): void {
    const table = this.#openTable(bucket)
    for (let at = 0; at < fingerprints.length; at += FINGERPRINT_WORDS)
      if (table.add(fingerprints.subarray(at, at + FINGERPRINT_WORDS))) this.#nonces++
  }

  #forgetBefore(firstBucket: number): void {
    this.#firstBucket = firstBucket
    for (const [bucket, table] of this.#tables) {
      if (bucket >= firstBucket) continue
      this.#tables.delete(bucket)
      this.#nonces -= table.size
      this.#journal?.drop(bucket)
    }
  }
}
