/** Failures under `/2/` (interface, Problem object; core reference, 00 section 3.1). */

export const unauthorized = {
  title: 'Unauthorized',
  type: 'about:blank',
  status: 401,
  detail: 'Unauthorized',
}

/** A token that was revoked: the interface ties legacy code 89 to it. */
export const revoked = {
  ...unauthorized,
  errors: [{ code: 89, message: 'Invalid or expired token.' }],
}

export const forbidden = (detail: string) => ({
  title: 'Forbidden',
  type: 'about:blank',
  status: 403,
  detail,
})

export const plain = (status: number, title: string, detail = title) => ({
  title,
  type: 'about:blank',
  status,
  detail,
})

/** What endpoints with scopes take from a user. */
export const USERS = 'OAuth 1.0a User Context, OAuth 2.0 User Context'

/** Two spaces after the first full stop: clients compare this sentence. */
export const unsupportedAuthentication = (used: string, supported: string) => ({
  title: 'Unsupported Authentication',
  type: '{problem_base}/2/problems/unsupported-authentication',
  status: 403,
  detail: `Authenticating with ${used} is forbidden for this endpoint.  Supported authentication types are [${supported}].`,
})

export const permissions = {
  title: 'Forbidden',
  type: '{problem_base}/2/problems/oauth1-permissions',
  status: 403,
  detail: 'Your client app is not configured with the appropriate oauth1 app permissions for this endpoint.',
}

/**
 * One error for each wrong parameter, or a rule of the resource: a reason word, a colon and a
 * sentence.
 */
export const invalidRequest = (
  ...errors: [parameters: Record<string, readonly unknown[]>, message: unknown][]
) => ({
  errors: errors.map(([parameters, message]) => ({ parameters, message })),
  title: 'Invalid Request',
  detail: 'One or more parameters to your request was invalid.',
  type: '{problem_base}/2/problems/invalid-request',
})
