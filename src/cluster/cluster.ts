import type { Counted } from '../http/limits.ts'

export type { Counted }

/**
 * State that the nodes of one deployment share.
 *
 * Methods return a plain value where possible, because they are called for every request:
 * `let answer = cluster.count(...); if (answer instanceof Promise) answer = await answer`.
 * When state cannot be read or written, methods throw (or reject with) `ClusterUnavailable`.
 */
export interface Cluster {
  /**
   * Records a nonce. True exactly once for the same timestamp and key, however often the process is restarted.
   * False for a repetition, for a timestamp more than the nonce window away from the clock, and when no more
   * nonces can be remembered.
   *
   * @param timestampSeconds The request's own timestamp, seconds since the epoch.
   * @param key Consumer key, token and nonce, joined by the caller so that no two triples give the same text.
   * @throws ClusterUnavailable When the claim could not be recorded; the nonce must then be treated as rejected.
   */
  claimNonce(timestampSeconds: number, key: string): boolean | Promise<boolean>

  /**
   * Counts one call against a fixed window that opens with the first call. A rejected call changes nothing.
   *
   * @param bucket What is counted; any text.
   * @param limit Calls allowed in one window.
   * @param windowSeconds Length of a window that this call opens. An open window keeps the length it has.
   * @throws ClusterUnavailable When the call could not be counted.
   */
  count(bucket: string, limit: number, windowSeconds: number): Counted | Promise<Counted>

  /** Closes files and connections. Every later call fails with `ClusterUnavailable`. */
  close(): Promise<void>
}

/** Shared state could not be read or written. Requests get a 503. */
export class ClusterUnavailable extends Error {
  override readonly name = 'ClusterUnavailable'
}

/** How far a nonce's timestamp may be from the clock, in seconds, unless the operator sets another. */
export const NONCE_WINDOW_SECONDS = 300

/**
 * The identity of a nonce. RFC 5849 section 3.3 requires uniqueness among requests with the same
 * timestamp, so a client may number its requests within each second.
 */
export function nonceIdentity(timestampSeconds: number, key: string): string {
  return `${timestampSeconds}\n${key}`
}

/** Whether a timestamp is near enough to the clock for its nonce to be remembered. Not-a-number is not. */
export function withinNonceWindow(timestampSeconds: number, nowMs: number, windowSeconds: number): boolean {
  return Math.abs(timestampSeconds - Math.floor(nowMs / 1000)) <= windowSeconds
}
