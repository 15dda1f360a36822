import type { AdDelivery } from '../../domain/ad-delivery/ad-delivery.ts'
import type { Dictionary } from '../../domain/annotations/dictionary.ts'
import type { Membership } from '../../domain/audience-members/membership.ts'
import type { KeywordInsights } from '../../domain/insights/insights.ts'
import type { CountPost } from '../../domain/posts/daily.ts'
import type { Clock } from '../../platform/common/clock.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import type { RandomSource } from '../../platform/common/random.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Naming } from '../../platform/protocols/protocols.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import type { Store } from '../../platform/storage/store.ts'

/** The settings of the advertising API. */
export type AdsSettings = Pick<
  Config,
  | 'activeCampaigns'
  | 'adDelivery'
  | 'adPeoplePerUser'
  | 'advertiserUserApps'
  | 'audienceDelaySeconds'
  | 'audienceMinimum'
  | 'catalogApps'
  | 'defaultCountry'
  | 'fetchImages'
  | 'historyApps'
  | 'sandboxAccountList'
  | 'statsJobSeconds'
>

/** What handlers of the advertising API receive. */
export interface AdsDependencies {
  readonly config: AdsSettings
  readonly clock: Clock
  readonly ids: IdSource
  /** Finds names and topics in posts. */
  readonly dictionary: Dictionary
  readonly store: Store
  readonly insights: KeywordInsights
  readonly sealer: Sealer
  /** The members of audiences. */
  readonly membership: Membership
  /** Where previews are shown: the public origin of the core host. */
  readonly coreOrigin: string
  /** The origin from which media files are fetched. */
  readonly mediaOrigin: string
  readonly naming: Naming
  readonly random: RandomSource
  readonly countPost: CountPost
  /** What line items deliver. */
  readonly delivery: AdDelivery
}

/** What writes of advertising entities receive. A seed writes them before Plaza serves. */
export type EntityDependencies = Omit<
  AdsDependencies,
  'coreOrigin' | 'countPost' | 'delivery' | 'insights' | 'mediaOrigin' | 'random'
>
