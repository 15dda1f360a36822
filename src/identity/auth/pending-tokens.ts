/** Looks up the request token of a signature. */
export interface PendingTokens {
  /** The secret of a live request token of this app; undefined when there is none. */
  secretOf(token: string, appId: string): Promise<string | undefined>
}
