import { anonymous, clientForm, type OAuth2Client, type OAuth2Tokens, tokensOf } from './auth.ts'
import type { Client } from './client.ts'
import { base64Url, randomText } from './machine.ts'

/** Proof Key for Code Exchange (RFC 7636). */
export interface Pkce {
  /** Keep it until the user comes back. */
  readonly verifier: string
  /** For the page where the user signs in; derived from the verifier with SHA-256. */
  readonly challenge: string
}

export async function pkce(): Promise<Pkce> {
  const verifier = randomText(48)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return { verifier, challenge: base64Url(new Uint8Array(digest)) }
}

/** A random value for `state`: compare it when the user comes back. */
export const randomState = (): string => randomText(24)

export interface SignIn {
  readonly clientId: string
  readonly redirectUri: string
  /** `offline.access` is needed for a refresh token. */
  readonly scopes: readonly string[]
  readonly state: string
  readonly challenge: string
}

/** The address of the page where a user signs in and gives an app access, for OAuth 2.0. */
export function authorizeUrl(coreUrl: string, given: SignIn): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: given.clientId,
    redirect_uri: given.redirectUri,
    scope: given.scopes.join(' '),
    state: given.state,
    code_challenge: given.challenge,
    code_challenge_method: 'S256',
  })
  return `${coreUrl}/2/oauth2/authorize?${query}`
}

export interface CodeExchange extends OAuth2Client {
  readonly code: string
  /** The same as in the address of the page. */
  readonly redirectUri: string
  readonly verifier: string
}

/** The tokens for the code with which the user came back: pass them to `oauth2`. */
export async function exchangeCode(client: Client, given: CodeExchange): Promise<OAuth2Tokens> {
  const { form, authorization } = clientForm(given)
  const auth = authorization === undefined ? anonymous : { header: async () => authorization }
  const reply = await client.core.userToken(
    {
      ...form,
      grant_type: 'authorization_code',
      code: given.code,
      redirect_uri: given.redirectUri,
      code_verifier: given.verifier,
    },
    { auth },
  )
  return tokensOf({ ...reply })
}
