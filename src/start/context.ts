import type { AdsDependencies } from '../ads/dependencies.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Config } from '../config/config.ts'
import type { CatchUp } from '../events/catch-up.ts'
import type { ActivityStreamDependencies } from '../core/activity/dependencies.ts'
import type { AccountActivityDependencies } from '../core/account-activity/subscriptions/endpoint.ts'
import type { ActivityDependencies } from '../core/activity/subscriptions/endpoint.ts'
import type { AccountDependencies } from '../core/account/endpoint.ts'
import type { StreamLinkDependencies } from '../core/posts/search/webhooks/endpoint.ts'
import type { UploadDependencies } from '../core/media/dependencies.ts'
import type { WebhookDependencies } from '../core/webhooks/dependencies.ts'
import type { MediaTaskDependencies } from '../media/dependencies.ts'
import type { OauthDependencies } from '../oauth/dependencies.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { PostSearch } from '../search/search.ts'
import type { SearchIndex } from '../storage/search/search-index.ts'
import type { ConnectionDependencies, StreamDependencies } from '../streams/dependencies.ts'
import type { CountPost } from '../posts/daily.ts'
import type { Store } from '../storage/store.ts'
import type { Usage } from '../usage/usage.ts'

/** The dependencies of all areas, composed once by `startServer`. Each area sees only its own. */
export interface Context
  extends AccountActivityDependencies,
    AccountDependencies,
    ActivityDependencies,
    ActivityStreamDependencies,
    AdsDependencies,
    MediaTaskDependencies,
    OauthDependencies,
    StreamDependencies,
    StreamLinkDependencies,
    ConnectionDependencies,
    UploadDependencies,
    WebhookDependencies {
  readonly config: Config
  readonly cluster: Cluster
  readonly outbound: Outbound
  readonly store: Store
  readonly search: PostSearch
  readonly searchIndex: SearchIndex
  readonly indexes: CatchUp
  readonly usage: Usage
  readonly countPost: CountPost
}
