import type { AdsDependencies } from '../../api/ads/dependencies.ts'
import type { AccountDependencies } from '../../api/core/account/endpoint.ts'
import type { AccountActivityDependencies } from '../../api/core/account-activity/subscriptions/endpoint.ts'
import type { ComplianceDependencies } from '../../api/core/compliance/endpoint.ts'
import type { ActivityStreamDependencies } from '../../api/core/activity/dependencies.ts'
import type { ActivityDependencies } from '../../api/core/activity/subscriptions/endpoint.ts'
import type { UploadDependencies } from '../../api/core/media/endpoint.ts'
import type { DocumentDependencies } from '../../api/core/openapi/endpoint.ts'
import type { StreamLinkDependencies } from '../../api/core/posts/search/webhooks/endpoint.ts'
import type { WebhookDependencies } from '../../api/core/webhooks/endpoint.ts'
import type { OauthDependencies } from '../../api/oauth/endpoint.ts'
import type { ConnectionDependencies, StreamDependencies } from '../../delivery/streams/dependencies.ts'
import type { MediaTaskDependencies } from '../../domain/media/dependencies.ts'
import type { PostViews } from '../../domain/analytics/views.ts'
import type { CountPost } from '../../domain/posts/daily.ts'
import type { SearchIndex } from '../../domain/search/index/search-index.ts'
import type { PostSearch } from '../../domain/search/search.ts'
import type { Usage } from '../../domain/usage/usage.ts'
import type { Cluster } from '../../platform/cluster/cluster.ts'
import type { TimeSource } from '../../platform/common/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { CatchUp } from '../../platform/events/catch-up.ts'
import type { ObjectGraph } from '../../platform/objects/graph.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Store } from '../../platform/storage/store.ts'

/** The dependencies of all areas, composed once by `startServer`. Each area sees only its own. */
export interface Context
  extends AccountActivityDependencies,
    AccountDependencies,
    ActivityDependencies,
    ActivityStreamDependencies,
    AdsDependencies,
    ComplianceDependencies,
    DocumentDependencies,
    MediaTaskDependencies,
    OauthDependencies,
    StreamDependencies,
    StreamLinkDependencies,
    ConnectionDependencies,
    UploadDependencies,
    WebhookDependencies {
  readonly config: Config
  readonly monotonic: TimeSource
  readonly cluster: Cluster
  readonly outbound: Outbound
  readonly store: Store
  readonly search: PostSearch
  readonly searchIndex: SearchIndex
  readonly indexes: CatchUp
  readonly usage: Usage
  readonly countPost: CountPost
  readonly views: PostViews
  /** The objects of the core API, with their fields and expansions. */
  readonly graph: ObjectGraph
}
