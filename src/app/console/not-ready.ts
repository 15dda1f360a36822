/** Why a server is not ready, with what it waits for. */
export class NotReady extends Error {
  override readonly name = 'NotReady'
  /** Members of the reply, beside the reason. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(reason: string, details: Readonly<Record<string, unknown>>) {
    super(reason)
    this.details = details
  }
}
