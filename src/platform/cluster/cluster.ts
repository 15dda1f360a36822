import type { MarkedResource } from '../common/marked.ts'
import type { LimitCount } from '../http/limits.ts'

export type { LimitCount as Counted }

/**
 * State that the nodes of one deployment share.
 *
 * Methods return a plain value where possible, because they are called for every request:
 * `let answer = cluster.count(...); if (answer instanceof Promise) answer = await answer`.
 * When state cannot be read or written, methods throw (or reject with) `ClusterUnavailable`.
 */
export interface Cluster {
  /** Undefined if the state belongs to one node. */
  readonly keyspace?: Keyspace

  /**
   * Records a nonce. Returns true exactly once for each timestamp and key, however often the
   * process is restarted. Returns false for a repetition, for a timestamp more than the nonce
   * window away from the clock, and when no more nonces can be stored.
   *
   * @param timestampSeconds The timestamp of the request, in seconds since the epoch.
   * @param key Consumer key, token and nonce, joined so that no two triples give the same text.
   * @throws ClusterUnavailable The nonce could not be recorded, and must be rejected.
   */
  claimNonce(timestampSeconds: number, key: string): boolean | Promise<boolean>

  /**
   * Nonces with a timestamp at or before this second are rejected, because those used until then
   * may be forgotten; -1 if none are. Later than the clock if the clock was ahead and has been set
   * back.
   */
  readonly nonceFloorSeconds: number

  /**
   * Counts one call in a fixed window that opens with the first call. A rejected call changes
   * nothing.
   *
   * @param bucket Identifies the counter; any text.
   * @param limit Maximum number of calls in one window.
   * @param windowSeconds Length of a window that this call opens. An open window keeps its length.
   * @throws ClusterUnavailable The call could not be counted.
   */
  count(bucket: string, limit: number, windowSeconds: number): LimitCount | Promise<LimitCount>

  /**
   * Takes back a counted call, unless its window has ended.
   *
   * @param resetSeconds The end of the window, as `count` returned it.
   * @throws ClusterUnavailable The call may still be counted.
   */
  uncount(bucket: string, resetSeconds: number): void | Promise<void>

  /** Closes files and connections. Every later call fails with `ClusterUnavailable`. */
  close(): Promise<void>
}

/** The keys that hold the state of several nodes. */
export interface Keyspace extends MarkedResource {
  /** Puts the mark back when it is lost, until the state is closed. */
  keepMark(mark: string): void
  /** Rejects every timestamp up to now: nonces of these may be elsewhere. */
  startNonceWindow(): Promise<void>
}

/** Without its prefix, the key of the mark. */
export const MARK_KEY = 'database'

/** Shared state could not be read or written. Requests get a 503. */
export class ClusterUnavailable extends Error {
  override readonly name = 'ClusterUnavailable'
}

/** Default maximum distance of a nonce's timestamp from the clock, in seconds. */
export const NONCE_WINDOW_SECONDS = 300

/**
 * The identity of a nonce. RFC 5849 section 3.3 requires uniqueness among requests with the same
 * timestamp, so a client may number its requests within each second.
 */
export function nonceIdentity(timestampSeconds: number, key: string): string {
  return `${timestampSeconds}\n${key}`
}

/**
 * For how many seconds signed requests are still rejected whatever their nonce, because the clock
 * was set back; 0 normally. Accepting them would accept replays.
 */
export function rejectsSignedForSeconds(
  { nonceFloorSeconds }: Pick<Cluster, 'nonceFloorSeconds'>,
  nowMs: number,
): number {
  return Math.max(0, nonceFloorSeconds - Math.floor(nowMs / 1000))
}

/** Whether a timestamp is close enough to the clock for its nonce to be stored. NaN is not. */
export function withinNonceWindow(timestampSeconds: number, nowMs: number, windowSeconds: number): boolean {
  return Math.abs(timestampSeconds - Math.floor(nowMs / 1000)) <= windowSeconds
}
