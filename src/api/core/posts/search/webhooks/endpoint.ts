import type { PlazaTerms } from '../../../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../../../platform/http/endpoint.ts'
import { id } from '../../../../../platform/http/schema.ts'
import { type Naming, protocolOf } from '../../../../../platform/protocols/protocols.ts'
import type { Store } from '../../../../../platform/storage/store.ts'

/** What handlers of webhook links to the filtered stream receive. */
export interface StreamLinkDependencies {
  readonly store: Store
  readonly naming: Naming
}

/** Declares an endpoint for webhook links to the filtered stream. */
export const endpoint = endpointsOf<PlazaTerms<StreamLinkDependencies>>(protocolOf)

export const closed = { additionalProperties: false }
export const PATH = '/2/posts/search/webhooks'
/** The paths in one of the guides. */
export const OTHER_PATH = '/2/posts/search/stream/webhooks'
export const SOURCE = 'Other core endpoints named in release notes'
export const webhookParam = id('The webhook.')
export const exampleWebhook = '1900000000000000042'
