import type { AuthKind } from './principal.ts'

/** The name of each kind of authentication in errors; clients compare some of them. */
export const authWords: Readonly<Record<AuthKind, string>> = {
  app: 'OAuth 2.0 Application-Only',
  user: 'OAuth 1.0a User Context',
  client: 'OAuth 1.0a Application',
  pending: 'OAuth 1.0a Request Token',
  basic: 'Basic',
  none: 'None',
}

/**
 * How a caller signed in, where an error names it (core reference, exact bodies): clients know these words and
 * `Unknown`.
 */
export const usedWords: Readonly<Record<AuthKind, string>> = {
  app: authWords.app,
  user: authWords.user,
  client: 'Unknown',
  pending: 'Unknown',
  basic: 'Unknown',
  none: 'Unknown',
}
