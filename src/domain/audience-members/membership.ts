import type { Store } from '../../platform/storage/store.ts'
import type { Checked, Target } from './check.ts'
import type { Tally, TallyRequest } from './tally.ts'

/** An upload of users to an audience, or to a list of users to exclude. */
export interface Upload {
  /** The account that uploads: accounts share the budget for waiting uploads. */
  account: string
  /** The id of the audience or list; unique among both. */
  audience: string
  target: Target
  /** The body of the request. Ownership is transferred: the bytes must not be used afterwards. */
  body: Uint8Array
}

/** The result of an upload. `fine`: it is durable, and will be merged. */
export type Accepted = Exclude<Checked, { kind: 'fine' }> | Omit<Extract<Checked, { kind: 'fine' }>, 'batch'>

/** The state of an audience. */
export interface MembershipState {
  /** Whether batches wait, or nothing was merged yet: then the size is the previous one. */
  processing: boolean
  /** The members that count now: they are effective and have not expired. */
  size: number
}

export type Reader = Pick<Store, 'all'>

/** The two files of embedded members, or names of databases in memory. */
export interface MemberCopies {
  readonly log: string
  readonly members: string
}

/**
 * The members of audiences. Uploads are checked and written to a log, and merged into the members
 * in the background. An accepted upload is durable. If the process ends before an upload is
 * accepted, it is applied completely or not at all.
 */
export interface Membership {
  /**
   * Checks and stores an upload. Rejects with `over capacity` while too much waits, in total or of
   * the account.
   */
  accept(upload: Upload): Promise<Accepted>
  /** The states of audiences, by id. Inside a transaction, pass it as `through`. */
  states(audiences: readonly string[], through?: Reader): Promise<Map<string, MembershipState>>
  /** Counts the people in a combination of audiences, a bounded slice at a time. */
  tally(request: TallyRequest): Promise<Tally>
  /** Deletes an audience with everything accepted for it so far, in background steps. */
  forget(audience: string): Promise<void>
  /**
   * Copies embedded members as they are at one moment, into files or databases in memory that are
   * missing or empty. Resolves to false, without copies, while there are none.
   */
  copyInto?(copies: MemberCopies): Promise<boolean>
  /** Does all work that is due, without pauses, and resolves once there is none left. */
  drain(): Promise<void>
  close(): Promise<void>
}

/** The result of one background step. */
export interface Step {
  /** Keys of the merged batches. */
  keys: number
  /** Whether there is more to do. */
  more: boolean
  /** Failures that do not prevent other work. */
  errors?: readonly Error[]
}

/** What differs between the embedded and the shared storage of members. */
export interface MemberStore {
  /** Checks an upload and writes it to the log, unless the log is full. */
  take(upload: Upload, now: number): Promise<Accepted | 'full'>
  states(audiences: readonly string[], now: number, through?: Reader): Promise<Map<string, MembershipState>>
  tally(request: TallyRequest): Promise<Tally>
  forget(audience: string, now: number): Promise<void>
  /**
   * Merges some batches that were accepted up to a time. Batches that were accepted later than now,
   * because the clock was set back, are merged too.
   */
  merge(until: number, now: number): Promise<Step>
  /** One bounded step each of deleting audiences, counting, and deleting expired members. */
  maintain(now: number): Promise<Step>
  copyInto?(copies: MemberCopies): Promise<boolean>
  close(): Promise<void>
}
