/** The delivery of advertisements, as those who change or read it see it. */
export interface AdDelivery {
  /**
   * Computes what an account's line items have delivered by now. Called before a change that
   * delivery follows, so that the change affects only what comes after it.
   */
  settle(accountId: string): Promise<void>
  /** Computes the hours that are over. Called before figures are read. */
  complete(accountId: string): Promise<void>
}
