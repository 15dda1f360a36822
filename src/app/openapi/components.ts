import type { PlazaEndpoint as Endpoint } from '../../identity/auth/endpoint.ts'
import { authWords } from '../../identity/auth/kinds.ts'
import type { AuthKind } from '../../identity/auth/principal.ts'
import { requirementsOf, scopeSentence, TOKEN_SCOPES, takesUserTokens } from '../../identity/tokens/scopes.ts'
import { AUTHORIZE_PATH, TOKEN_PATH } from '../../identity/tokens/user-tokens.ts'
import type { Naming } from '../../platform/http/contract.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import { errorSchemas } from './errors.ts'
import { HEADERS } from './headers.ts'
import type { ComponentSchemas, Documented, Json } from './schemas.ts'

/**
 * The parts of a document that its operations refer to. `schemas` contains those that the
 * operations named.
 */
export function componentsOf(
  document: Documented,
  endpoints: readonly Endpoint[],
  naming: Naming,
  schemas: ComponentSchemas,
): Json {
  for (const [name, schema] of Object.entries(errorSchemas(document, naming, schemas)))
    schemas.add(name, schema)
  return {
    schemas: schemas.all(),
    headers: Object.fromEntries(HEADERS.map(([name, header]) => [naming.vocabulary.header(name), header])),
    securitySchemes: securitySchemes(endpoints, naming),
  }
}

const oauth = (name: string, key: string) => ({
  name,
  scheme: {
    type: 'http',
    scheme: 'OAuth',
    description: `OAuth 1.0a (RFC 5849), HMAC-SHA1, signed with ${key}.`,
  },
})

const SCHEMES: Record<Exclude<AuthKind, 'none'>, { name: string; scheme: Json }> = {
  app: {
    name: 'AppOnlyBearer',
    scheme: { type: 'http', scheme: 'bearer', description: `${authWords.app}: the app's bearer.` },
  },
  user: oauth('UserToken', "the app's key and an access token"),
  client: oauth('AppKey', "the app's key alone"),
  pending: oauth('RequestToken', "the app's key and a request token"),
  basic: {
    name: 'AppKeyAndSecret',
    scheme: { type: 'http', scheme: 'basic', description: "The app's key and secret, percent-encoded." },
  },
}

/** The OAuth 2.0 scheme of user tokens. Like `UserToken`, it is for users. */
const USER_TOKENS = 'OAuth2UserToken'

/** The schemes that an endpoint accepts, each with the scopes that it needs. */
export const securityOf = (endpoint: Endpoint, { name }: Vocabulary): Json[] =>
  endpoint.auth.flatMap((kind): Json[] => {
    if (kind === 'none') return [{}]
    const own = { [SCHEMES[kind].name]: [] }
    if (kind !== 'user' || !takesUserTokens(endpoint)) return [own]
    return [own, { [USER_TOKENS]: requirementsOf(endpoint.scopes).scopes.map(name) }]
  })

function securitySchemes(endpoints: readonly Endpoint[], naming: Naming): Json {
  const used = new Set(endpoints.flatMap(({ auth }) => auth))
  return {
    ...Object.fromEntries(
      Object.entries(SCHEMES)
        .filter(([kind]) => used.has(kind as AuthKind))
        .map(([, { name, scheme }]) => [name, scheme]),
    ),
    ...(endpoints.some(takesUserTokens) && { [USER_TOKENS]: userTokenScheme(naming) }),
  }
}

const userTokenScheme = ({ vocabulary }: Naming): Json => ({
  type: 'oauth2',
  description: 'OAuth 2.0, authorization code with PKCE (RFC 6749, RFC 7636).',
  flows: {
    authorizationCode: {
      authorizationUrl: vocabulary.path(AUTHORIZE_PATH),
      tokenUrl: vocabulary.path(TOKEN_PATH),
      refreshUrl: vocabulary.path(TOKEN_PATH),
      scopes: Object.fromEntries(
        TOKEN_SCOPES.map((scope) => [vocabulary.name(scope), vocabulary.text(`${scopeSentence(scope)}.`)]),
      ),
    },
  },
})
