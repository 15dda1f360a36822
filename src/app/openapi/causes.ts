import { needsEnrollment } from '../../identity/auth/authorize.ts'
import type { PlazaEndpoint as Endpoint } from '../../identity/auth/endpoint.ts'
import { acceptedBy, usedWords } from '../../identity/auth/kinds.ts'
import type { AuthKind } from '../../identity/auth/principal.ts'
import { requirementsOf, takesUserTokens } from '../../identity/tokens/scopes.ts'
import type { Naming, RenderedError } from '../../platform/http/contract.ts'
import { ApiError, unsupported } from '../../platform/http/errors.ts'
import { bodyTypes } from '../../platform/http/input/incoming.ts'
import type { AdsCode } from '../../platform/protocols/ads/codes.ts'
import { isAdsEndpoint } from '../../platform/protocols/ads/endpoint.ts'
import { type Cause, oauth2WordsOf, words } from '../../platform/protocols/catalogue.ts'

/** Errors that are possible with any credentials. */
const WITH_CREDENTIALS: readonly Cause[] = [
  'bad authentication data',
  'scheme unknown',
  'could not authenticate',
  'app suspended',
  'timestamp out of bounds',
  'invalid token',
  'auth kind not allowed',
]

const BY_KIND: Readonly<Partial<Record<AuthKind, readonly Cause[]>>> = {
  user: ['user suspended'],
  basic: ['credentials unverifiable'],
}

/** Every error that an endpoint can give, in the order of the catalogue. */
export function causesOf(endpoint: Endpoint): Cause[] {
  const possible = new Set<Cause>([
    'bad request',
    'body too large',
    'tls needed',
    'internal',
    'busy',
    'over capacity',
    ...endpoint.errors,
  ])
  const add = (causes: readonly Cause[]) => {
    for (const cause of causes) possible.add(cause)
  }
  if (endpoint.auth.some((kind) => kind !== 'none')) add(WITH_CREDENTIALS)
  if (endpoint.auth.some((kind) => kind !== 'none') && needsEnrollment(endpoint)) add(['client not enrolled'])
  for (const kind of endpoint.auth) add(BY_KIND[kind] ?? [])
  if (endpoint.auth.includes('user')) {
    const levels = [endpoint.scopes, endpoint.moreScopes].flatMap((scopes) => requirementsOf(scopes).levels)
    if (levels.includes('write')) add(['write not permitted', 'write not granted'])
    if (levels.includes('direct-messages')) add(['direct messages not permitted'])
    if (takesUserTokens(endpoint)) add(['scope missing'])
  }
  if (Object.keys(endpoint.limits).length > 0) add([endpoint.overLimit])
  if (bodyTypes(endpoint)) add(['media type not supported'])
  if (endpoint.onInvalid) add([endpoint.onInvalid])
  return (Object.keys(words) as Cause[]).filter((cause) => possible.has(cause))
}

/**
 * The error codes of the advertising protocol that an endpoint may return, in addition to those of
 * its causes.
 */
export function codesOf(endpoint: Endpoint): AdsCode[] {
  if (!isAdsEndpoint(endpoint)) return []
  const { right, codes, form, query } = endpoint
  const takesParameters = Object.keys(form.properties).length + Object.keys(query.properties).length > 0
  return [
    ...new Set<AdsCode>([
      ...(right === undefined ? [] : (['ACCOUNT_NOT_FOUND', 'INVALID_ID_ILLEGAL_CHARACTERS'] as const)),
      ...(right === undefined || right === 'read' ? [] : (['ACTION_NOT_ALLOWED'] as const)),
      ...(right !== undefined && takesParameters
        ? (['INVALID_PARAMETER', 'MISSING_PARAMETER'] as const)
        : []),
      ...codes,
    ]),
  ]
}

/** The format of the errors of an endpoint. */
export type ErrorFormat = 'problem' | 'legacy' | 'oauth2' | 'ads' | 'page'

const FORMATS: Readonly<Record<string, ErrorFormat>> = {
  problem: 'problem',
  legacy: 'legacy',
  oauth: 'legacy',
  oauth2: 'oauth2',
  ads: 'ads',
  page: 'page',
}

export const errorFormatOf = ({ protocol }: Pick<Endpoint, 'protocol'>): ErrorFormat =>
  FORMATS[protocol.name] ?? 'legacy'

/** The status of a cause in an error format. Pages use those of `legacy`. */
export const statusOf = (cause: Cause, format: ErrorFormat) =>
  format === 'oauth2'
    ? oauth2WordsOf(words[cause]).status
    : words[cause][format === 'page' ? 'legacy' : format].status

/** An error as it is sent, with an example value, for the documents. */
export function sampleOf(cause: Cause, endpoint: Endpoint, naming: Naming): RenderedError {
  return endpoint.protocol.render(sampleError(cause, endpoint, naming), naming)
}

/** The error that `sampleOf` renders. */
export function sampleError(cause: Cause, endpoint: Endpoint, naming: Naming): ApiError {
  if (cause === 'scheme unknown' || cause === 'auth kind not allowed') {
    const used = cause === 'scheme unknown' ? 'Unknown' : usedWords[kindNotTaken(endpoint)]
    return new ApiError(cause, { auth: { used, supported: acceptedBy(endpoint).words } })
  }
  if (cause === 'media type not supported')
    return unsupported('content type', 'text/plain', bodyTypes(endpoint) ?? [])
  const wrong = cause === 'bad request' ? firstParameter(endpoint, naming) : undefined
  return new ApiError(cause, wrong ? { violations: [wrong] } : {})
}

const kindNotTaken = ({ auth }: Endpoint): AuthKind =>
  (['app', 'user', 'client', 'basic'] as const).find((kind) => !auth.includes(kind)) ?? 'pending'

function firstParameter({ pathParams, query, form, body }: Endpoint, { vocabulary }: Naming) {
  const places = [
    ['path', pathParams.properties],
    ['query', query.properties],
    ['form', form.properties],
    ['body', (body as { properties?: object } | undefined)?.properties ?? {}],
  ] as const
  for (const [place, properties] of places) {
    const neutral = Object.keys(properties)[0]
    if (neutral === undefined) continue
    const publicName = vocabulary.name(neutral)
    const name = place === 'body' ? `$.${publicName}` : publicName
    return { place, name, value: '?', fault: { kind: 'invalid' as const } }
  }
  return undefined
}
