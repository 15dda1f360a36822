import type { Store } from '../../platform/storage/store.ts'

/** What a check says while it runs, in order: `result` or `error` is the last. */
export interface CheckMessage {
  /** What is compared now, and how many rows of it so far. */
  readonly progress?: { readonly name: string; readonly compared: number }
  /** A stored value that differs from what follows from the rows, both as text. */
  readonly difference?: {
    readonly of: string
    readonly name: string
    readonly stored: string
    readonly expected: string
  }
  /** The outcome of one comparison. */
  readonly comparison?: { readonly name: string; readonly compared: number; readonly differing: number }
  /** That of all of them. */
  readonly result?: { readonly compared: number; readonly differing: number; readonly repaired: boolean }
  readonly error?: string
}

export interface CheckOptions {
  /** Corrects what differs. */
  readonly repair: boolean
  /** Ends the check after the current page. What was repaired stays. */
  readonly signal: AbortSignal
  /** The check goes on when it resolves. */
  say(message: CheckMessage): Promise<void> | void
}

/** Compares every counter and index with its rows. Other writers may be at work. */
export type Check = (store: Store, options: CheckOptions) => Promise<void>

/** The signal of a check was aborted. What it repaired stays. */
export class CheckStopped extends Error {
  override readonly name = 'CheckStopped'
}
