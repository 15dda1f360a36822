/** Failures of the OAuth paths (interface, Legacy error object; core reference, 00 section 4). */
export const legacy = (code: number, message: unknown, label?: string) => ({
  errors: [label === undefined ? { code, message } : { code, label, message }],
})

export const badAuthentication = legacy(215, 'Bad Authentication data.')
export const notAuthenticated = legacy(32, 'Could not authenticate you.')
export const expiredToken = legacy(89, 'Invalid or expired token.')
export const noAccess = legacy(220, 'Your credentials do not allow access to this resource.')
export const notVerified = legacy(99, 'Unable to verify your credentials', 'authenticity_token_error')
