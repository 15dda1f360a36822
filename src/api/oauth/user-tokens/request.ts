import { type Static, type TObject, Type } from 'typebox'
import type { App } from '../../../identity/apps/app.ts'
import { redirectMatches } from '../../../identity/apps/callback.ts'
import { callbacksOfApp } from '../../../identity/apps/queries.ts'
import { SCOPE_SPELLINGS } from '../../../identity/tokens/scopes.ts'
import { encode } from '../../../platform/common/percent.ts'
import type { Pair } from '../../../platform/http/input/form.ts'
import { text } from '../../../platform/http/schema.ts'
import { byVocabulary, spelled } from '../../../platform/http/vocabulary.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { callbackWith } from '../callback.ts'
import type { OauthDependencies } from '../endpoint.ts'

/** A request with longer values is invalid: the address of the page is wrong. */
const MAX_LENGTH = 4096
const maybe = (description: string) => Type.Optional(text(0, MAX_LENGTH, description))

/** The query parameters of the page (core reference, 01 section 5.1). */
export const parameters = {
  client_id: text(1, 200, 'The OAuth 2.0 client id of the app.'),
  redirect_uri: text(1, 2048, 'URL to which the browser is redirected afterwards. Must be registered.'),
  response_type: maybe('`code`.'),
  scope: maybe('Scopes, separated by spaces.'),
  state: maybe('Returned with the code, up to 500 characters.'),
  code_challenge: maybe('43 to 128 characters: the hash of the verifier, or the verifier.'),
  code_challenge_method: maybe('`S256` or `plain`; `plain` by default.'),
}

export type AuthorizeParameters = Static<TObject<typeof parameters>>

/** What an app asks a user for. */
export interface AccessRequest {
  app: App
  redirectUri: string
  /** The requested scopes without duplicates, in neutral names. */
  scopes: readonly string[]
  state: string
  challenge: string
  method: 'S256' | 'plain'
}

/** An invalid request that is answered by a redirect with its error. */
export interface RejectedRequest {
  location: string
}

const MAX_STATE_LENGTH = 500
/** A published client sends it in lower case. */
const isHashed = (method: string | undefined) => method?.toUpperCase() === 'S256'
const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/

type RequestDependencies = Pick<
  OauthDependencies,
  'config' | 'store' | 'credentials' | 'naming' | 'coreOrigin'
>

/**
 * Validates the request of an app. An unknown client or an unregistered redirect URL is reported to
 * the user, because the browser must not be redirected there. All other errors are reported to the
 * app (RFC 6749 section 4.1.2.1).
 */
export async function readRequest(
  parameters: AuthorizeParameters,
  context: RequestDependencies,
): Promise<AccessRequest | RejectedRequest> {
  const { store, credentials, naming } = context
  const refreshing = credentials.refresh()
  if (refreshing) await refreshing
  const app = await credentials.appByClient(parameters.client_id)
  if (!app?.client) throw apiError('client unknown', 'no app has this client id')
  if (app.suspended) throw apiError('app suspended')
  const registered = await store.all(callbacksOfApp, { appId: app.id })
  const urls = registered.map(({ url }) => url)
  if (!redirectMatches(parameters.redirect_uri, urls, { anyPort: app.client.type === 'native' }))
    throw apiError('callback not approved')
  const scopes = scopesOf(parameters.scope ?? '', scopeNames(naming.vocabulary))
  const fault = faultOf(parameters, scopes)
  const { redirect_uri: redirectUri, state = '', code_challenge: challenge = '' } = parameters
  if (fault) {
    const [error, description] = fault
    const known = state.length > MAX_STATE_LENGTH ? '' : state
    return {
      location: answer(
        redirectUri,
        known,
        [
          ['error', error],
          ['error_description', description],
        ],
        context,
      ),
    }
  }
  const method = isHashed(parameters.code_challenge_method) ? 'S256' : 'plain'
  return { app, redirectUri, scopes: scopes as string[], state, challenge, method }
}

/** Neutral names of scopes, by their public names. */
const scopeNames = byVocabulary((vocabulary) => spelled(vocabulary, SCOPE_SPELLINGS, 'the scopes'))

/** The distinct scopes of a request, or the name of the first unknown scope. */
function scopesOf(scopeText: string, known: ReadonlyMap<string, string>): string[] | string {
  const names = [...new Set(scopeText.split(' ').filter((name) => name !== ''))]
  return names.find((name) => !known.has(name)) ?? names.map((name) => known.get(name) as string)
}

/** The error of a request, and its description. */
function faultOf(parameters: AuthorizeParameters, scopes: string[] | string): [string, string] | undefined {
  const { response_type, state, code_challenge: challenge, code_challenge_method: method } = parameters
  if (!response_type) return missing('response_type')
  if (response_type !== 'code')
    return ['unsupported_response_type', 'Value passed for response_type must be code.']
  if (!state) return missing('state')
  if (state.length > MAX_STATE_LENGTH)
    return ['invalid_request', `Value passed for state is longer than ${MAX_STATE_LENGTH} characters.`]
  if (!challenge) return missing('code_challenge')
  if (!CHALLENGE.test(challenge))
    return ['invalid_request', 'Value passed for code_challenge must be 43 to 128 unreserved characters.']
  if (method !== undefined && method !== 'plain' && !isHashed(method))
    return ['invalid_request', 'Value passed for code_challenge_method must be one of [S256, plain].']
  if (typeof scopes === 'string')
    return ['invalid_scope', `Value passed for scope is unknown: [${shown(scopes)}].`]
  return scopes.length === 0 ? missing('scope') : undefined
}

const missing = (name: string): [string, string] => [
  'invalid_request',
  `Missing required parameter [${name}].`,
]

const MAX_SHOWN = 50

/** The characters of an invalid value that a description may contain (RFC 6749 appendix A.8). */
const shown = (text: string) => text.slice(0, MAX_SHOWN).replaceAll(/[^\x21\x23-\x5b\x5d-\x7e]/g, '?')

/**
 * Where the browser is redirected. With the setting, `iss` names the issuer of the response (RFC
 * 9207).
 */
export const answer = (
  redirectUri: string,
  state: string,
  pairs: readonly Pair[],
  { config, coreOrigin }: Pick<OauthDependencies, 'config' | 'coreOrigin'>,
): string =>
  callbackWith(redirectUri, [
    ...(state === '' ? [] : [['state', state] satisfies Pair]),
    ...pairs,
    ...(config.oauth2Iss ? [['iss', coreOrigin] satisfies Pair] : []),
  ])

/** The query of the page, which its forms repeat: public names, in the order of declaration. */
export const queryOf = (values: AuthorizeParameters, name: (identifier: string) => string): string =>
  Object.keys(parameters)
    .flatMap((key) => {
      const value = values[key as keyof AuthorizeParameters]
      return value === undefined ? [] : [`${encode(name(key))}=${encode(value)}`]
    })
    .join('&')

/** Parses such a query. Only our own form sends one. */
export function parametersOf(query: string, name: (identifier: string) => string): AuthorizeParameters {
  const searchParams = new URLSearchParams(query)
  const known = Object.keys(parameters).flatMap((key) => {
    const value = searchParams.get(name(key))
    return value === null ? [] : [[key, value]]
  })
  return { client_id: '', redirect_uri: '', ...Object.fromEntries(known) }
}
