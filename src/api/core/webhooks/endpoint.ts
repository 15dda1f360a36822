import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { protocolOf } from '../../../platform/protocols/protocols.ts'
import type { WebhookDependencies } from './dependencies.ts'

/** Declares an endpoint for webhooks. */
export const endpoint = endpointsOf<PlazaTerms<WebhookDependencies>>(protocolOf)
