import type { PlazaEndpoint as Endpoint } from '../auth/endpoint.ts'
import { authWords } from '../auth/kinds.ts'
import type { AuthKind } from '../auth/principal.ts'
import type { Naming } from '../http/contract.ts'
import { errorSchemas } from './errors.ts'
import { HEADERS } from './headers.ts'
import type { ComponentSchemas, Json } from './schemas.ts'

/** The parts of a document that its operations refer to; `schemas` has those that the operations named. */
export function componentsOf(
  document: 'core' | 'ads',
  endpoints: readonly Endpoint[],
  naming: Naming,
  schemas: ComponentSchemas,
): Json {
  for (const [name, schema] of Object.entries(errorSchemas(document, naming, schemas)))
    schemas.add(name, schema)
  return {
    schemas: schemas.all(),
    headers: Object.fromEntries(HEADERS.map(([name, header]) => [naming.vocabulary.header(name), header])),
    securitySchemes: securitySchemes(endpoints),
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

export const SCHEMES: Record<Exclude<AuthKind, 'none'>, { name: string; scheme: Json }> = {
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

function securitySchemes(endpoints: readonly Endpoint[]): Json {
  const used = new Set(endpoints.flatMap(({ auth }) => auth))
  return Object.fromEntries(
    Object.entries(SCHEMES)
      .filter(([kind]) => used.has(kind as AuthKind))
      .map(([, { name, scheme }]) => [name, scheme]),
  )
}
