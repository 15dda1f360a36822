/**
 * Why something cannot be done with a snapshot. `missing`: there is none of that name. `conflict`:
 * not now, or not here. `invalid`: the name or the file is wrong.
 */
export type SnapshotFault = 'missing' | 'conflict' | 'invalid'

/** The message is a sentence for the user. Nothing was changed. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
  readonly fault: SnapshotFault

  constructor(fault: SnapshotFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.fault = fault
  }
}
