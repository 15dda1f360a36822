import type { Endpoint } from '../../http/contract.ts'
import type { LimitText } from '../../http/limits.ts'
import type { AdsCode } from './codes.ts'

/**
 * The right that an advertising endpoint requires in the account of its path: `read` for every user
 * of the account, `campaigns`, `creatives` and `account` for users with a suitable role.
 */
export type AdsRight = 'read' | 'campaigns' | 'creatives' | 'account'

/** The options of advertising endpoints only. */
export interface AdsPart {
  /** Set when the path names an account: the required right. */
  readonly right: AdsRight | undefined
  /** Replaces the limit of the user pool for calls with `with_total_count`. */
  readonly totalsLimit: LimitText | undefined
  /** Error codes in addition to those of every endpoint. */
  readonly codes: readonly AdsCode[]
}

/** Whether an endpoint is one of the advertising API. */
export const isAdsEndpoint = <E extends Endpoint>(endpoint: E): endpoint is E & AdsPart =>
  endpoint.protocol.name === 'ads'
