import type { Endpoint } from '../../http/endpoint.ts'
import type { LimitText } from '../../http/limits.ts'
import type { AdsCode } from './codes.ts'

/**
 * What the account in the path of an advertising endpoint must let the caller do: `read` anyone with access to it,
 * `campaigns`, `creatives` and `account` those whose role there covers it.
 */
export type Right = 'read' | 'campaigns' | 'creatives' | 'account'

/** What only advertising endpoints say of themselves. */
export interface AdsPart {
  /** Set when the path names an account: what the caller must be allowed there. */
  readonly right: Right | undefined
  /** In place of the limit of the user pool when the call asks for `with_total_count`. */
  readonly totalsLimit: LimitText | undefined
  /** Codes that it may reply with, beside those of every endpoint. */
  readonly codes: readonly AdsCode[]
}

/** Whether an endpoint is one of the advertising API. */
export const isAdsEndpoint = <E extends Endpoint>(endpoint: E): endpoint is E & AdsPart =>
  endpoint.protocol.name === 'ads'
