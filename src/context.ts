import type { Logger } from 'pino'
import type { Membership } from './audience-members/membership.ts'
import type { Cluster } from './cluster/cluster.ts'
import type { Config } from './config.ts'
import type { WebhookChecks } from './core/webhooks/checks.ts'
import type { Credentials } from './identity/credentials.ts'
import type { Clock } from './common/clock.ts'
import type { Naming } from './protocols/protocols.ts'
import type { IdSource } from './common/ids.ts'
import type { RandomSource } from './common/random.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { FileStore } from './storage/files/files.ts'
import type { Sealer } from './storage/seal.ts'
import type { Store } from './storage/store.ts'

/** What a handler is given: the parts of a running Plaza. */
export interface Context {
  readonly config: Config
  readonly clock: Clock
  readonly ids: IdSource
  readonly random: RandomSource
  readonly store: Store
  readonly files: FileStore
  /** The program that takes the first frames of videos; undefined: their posters are placeholders. */
  readonly ffmpeg: string | undefined
  /** Where files of media are fetched; known once the core listener is open. */
  readonly mediaOrigin: { url: string }
  /** Where callers reach the core host; known once its listener is open. */
  readonly coreOrigin: { url: string }
  readonly sealer: Sealer
  readonly cluster: Cluster
  readonly outbound: Outbound
  readonly credentials: Credentials
  readonly checks: WebhookChecks
  /** Who belongs to which audience. */
  readonly membership: Membership
  readonly naming: Naming
  readonly log: Logger
}
