import { Type } from 'typebox'
import type { PlazaTerms } from '../../../../identity/auth/endpoint.ts'
import type { Clock } from '../../../../platform/common/clock.ts'
import type { Config } from '../../../../platform/config/config.ts'
import { endpointsOf } from '../../../../platform/http/endpoint.ts'
import { component, id } from '../../../../platform/http/schema.ts'
import { protocolOf } from '../../../../platform/protocols/protocols.ts'
import type { Store } from '../../../../platform/storage/store.ts'

/** What handlers of account activity subscriptions receive. */
export interface AccountActivityDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly config: Pick<Config, 'accountActivityUsersPerApp'>
}

/** Declares an endpoint for account activity subscriptions. */
export const endpoint = endpointsOf<PlazaTerms<AccountActivityDependencies>>(protocolOf)

export const closed = { additionalProperties: false }
export const PATH = '/2/account_activity/webhooks/{webhook_id}/subscriptions'
export const SOURCE = 'Authentication; Events'
export const webhookParam = id('The webhook.')
export const exampleWebhook = '1900000000000000042'

/** Whether the webhook receives the activity of the user (core reference, 02 section 5). */
export const Subscribed = component(
  'AccountActivitySubscribed',
  Type.Object({ data: Type.Object({ subscribed: Type.Boolean() }, closed) }, closed),
)
