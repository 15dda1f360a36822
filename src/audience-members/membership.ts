import type { Store } from '../storage/store.ts'
import type { Checked, Target } from './check.ts'

/** Users that someone uploads to an audience or to a list of people who are not to be reached. */
export interface Upload {
  /** Whose upload it is: accounts share the room in which uploads wait. */
  account: string
  /** The id of what they are uploaded to; no two audiences or lists have the same. */
  audience: string
  target: Target
  /** The body of the request as it came. It is given away: its bytes may be gone afterwards. */
  body: Uint8Array
}

/** What came of an upload. `fine`: it is durable, and will be merged. */
export type Accepted = Exclude<Checked, { kind: 'fine' }> | Omit<Extract<Checked, { kind: 'fine' }>, 'batch'>

/** What is known of the members of an audience. */
export interface MembershipState {
  /** Batches wait, or nothing was ever merged: the size is that of before. */
  processing: boolean
  /** Members that count now: effective, and not expired. */
  size: number
}

export type Reader = Pick<Store, 'all'>

/**
 * Who belongs to which audience. Uploads are checked and kept in a log, and merged into the members in the background;
 * what was accepted is there whole, whatever happens to the process, and what was not, whole or not at all.
 */
export interface Membership {
  /** Checks an upload and keeps it. Rejects with `over capacity` while too much waits, or too much of the account. */
  accept(upload: Upload): Promise<Accepted>
  /** What is known of some audiences, by id. Who asks inside a transaction asks through it. */
  states(audiences: readonly string[], through?: Reader): Promise<Map<string, MembershipState>>
  /** Forgets an audience with everything that was accepted for it before; in steps, in the background. */
  forget(audience: string): Promise<void>
  /** Does all that is due, without a pause, and resolves when there is nothing left. */
  drain(): Promise<void>
  close(): Promise<void>
}

/** What one step of the background work did. */
export interface Step {
  /** Keys of the batches that it merged. */
  keys: number
  /** Whether there is more of the same to do. */
  more: boolean
  /** What could not be done, and keeps nothing else from being done. */
  troubles?: readonly Error[]
}

/** One kind of storage for members: what differs between the embedded one and the shared one. */
export interface MemberStore {
  /** Checks an upload and keeps it in the log, unless there is no room for it. */
  take(upload: Upload, now: number): Promise<Accepted | 'full'>
  states(audiences: readonly string[], now: number, through?: Reader): Promise<Map<string, MembershipState>>
  forget(audience: string, now: number): Promise<void>
  /**
   * Merges some batches that were accepted until a time. Those that were accepted later than now, by a clock that was set
   * back since, wait no longer either.
   */
  merge(until: number, now: number): Promise<Step>
  /** One bounded step each of forgetting, counting, and dropping what has expired. */
  maintain(now: number): Promise<Step>
  close(): Promise<void>
}
