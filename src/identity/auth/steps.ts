import type { Endpoint, Step } from '../../platform/http/contract.ts'
import { takesUserTokens } from '../tokens/scopes.ts'
import { type AuthenticationServices, authenticate } from './authenticate.ts'
import { compileAuthorization, type Enrollment } from './authorize.ts'
import { acceptedBy } from './kinds.ts'
import type { AuthKind, Principal } from './principal.ts'

/** Turns the credentials of a request into a principal, or throws an error. */
export const authentication = (services: AuthenticationServices): Step => ({
  name: 'authenticate',
  compile(endpoint) {
    const accepted = acceptedBy(endpoint)
    return async (exchange) => {
      const caller = await authenticate(exchange.incoming, accepted, services, exchange.readForm)
      exchange.caller = caller
      exchange.request.caller = caller
    }
  },
})

/** Sends the access level of the token in a header. */
export const sendAccessLevel: Step = {
  name: 'send access level',
  compile(_endpoint, { naming }) {
    const header = naming.vocabulary.header('x-access-level')
    return ({ caller, reply }) => {
      const { access } = caller as Principal & { access?: string }
      if (access !== undefined) reply.header(header, access)
    }
  },
}

/** Rejects a caller who is not authorized for the endpoint. */
export const authorization = (enrollment: Enrollment): Step => ({
  name: 'authorize',
  compile(endpoint) {
    const authorize = compileAuthorization(endpoint, enrollment)
    return ({ caller }) => authorize(caller as Principal)
  },
})

const SCHEMES: Readonly<Partial<Record<AuthKind, string>>> = {
  app: 'Bearer',
  user: 'OAuth',
  client: 'OAuth',
  pending: 'OAuth',
  basic: 'Basic',
}

/** The HTTP authentication schemes that an endpoint accepts. */
export const schemesOf = (endpoint: Endpoint): readonly string[] => [
  ...new Set([
    ...endpoint.auth.flatMap((kind) => SCHEMES[kind as AuthKind] ?? []),
    ...(takesUserTokens(endpoint) ? ['Bearer'] : []),
  ]),
]
