import { takesUserTokens } from '../tokens/scopes.ts'
import type { AuthKind, Principal } from './principal.ts'

/** The name of each kind of authentication in errors. Clients compare some of them. */
export const authWords: Readonly<Record<AuthKind, string>> = {
  app: 'OAuth 2.0 Application-Only',
  user: 'OAuth 1.0a User Context',
  client: 'OAuth 1.0a Application',
  pending: 'OAuth 1.0a Request Token',
  basic: 'Basic',
  none: 'None',
}

/** An OAuth 2.0 access token, which callers of the kind `user` may send. */
export const USER_TOKEN_WORDS = 'OAuth 2.0 User Context'

/** What an endpoint accepts, compiled once. */
export interface AcceptedKinds {
  kinds: readonly AuthKind[]
  /** Whether a user may send an OAuth 2.0 access token. */
  userTokens: boolean
  /** The names of the accepted kinds, as errors list them. */
  words: readonly string[]
}

export function acceptedBy(
  endpoint: { auth: readonly string[] } & Parameters<typeof takesUserTokens>[0],
): AcceptedKinds {
  const kinds = endpoint.auth as readonly AuthKind[]
  const userTokens = takesUserTokens(endpoint)
  const words = kinds.flatMap((kind) =>
    kind === 'user' && userTokens ? [authWords.user, USER_TOKEN_WORDS] : [authWords[kind]],
  )
  return { kinds, userTokens, words }
}

/**
 * How errors name the authentication of a caller (core reference, exact bodies). Clients know these
 * words and `Unknown`.
 */
export const usedWords: Readonly<Record<AuthKind, string>> = {
  app: authWords.app,
  user: authWords.user,
  client: 'Unknown',
  pending: 'Unknown',
  basic: 'Unknown',
  none: 'Unknown',
}

/** The same for an authenticated caller. */
export const wordsOfCaller = (caller: Principal): string =>
  caller.kind === 'user' && caller.oauth === '2.0' ? USER_TOKEN_WORDS : usedWords[caller.kind]
