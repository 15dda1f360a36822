import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import type { Clock } from '../../../platform/common/clock.ts'
import type { IdSource } from '../../../platform/common/ids.ts'
import type { Config } from '../../../platform/config/config.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { type Naming, protocolOf } from '../../../platform/protocols/protocols.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { WebhookChecks } from './checks.ts'

/** What handlers of webhooks receive. */
export interface WebhookDependencies {
  readonly config: Pick<Config, 'invalidAfterSeconds' | 'revalidateAfterSeconds' | 'webhooksPerApp'>
  readonly clock: Clock
  readonly ids: IdSource
  readonly store: Store
  readonly outbound: Pick<Outbound, 'checkTarget'>
  readonly checks: WebhookChecks
  readonly naming: Naming
}

/** Declares an endpoint for webhooks. */
export const endpoint = endpointsOf<PlazaTerms<WebhookDependencies>>(protocolOf)
