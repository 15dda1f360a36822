import type { PlazaTerms } from '../../auth/endpoint.ts'
import { endpointsOf } from '../../http/endpoint.ts'
import { protocolOf } from '../../protocols/protocols.ts'
import type { WebhookDependencies } from './dependencies.ts'

/** Declares an endpoint for webhooks. */
export const endpoint = endpointsOf<PlazaTerms<WebhookDependencies>>(protocolOf)
