/** An admin API. */
export interface AdminTarget {
  /** Origin of the console. */
  readonly consoleUrl: string
  /** Programs on the same machine need none, unless Plaza is hardened. */
  readonly token?: string | undefined
}
