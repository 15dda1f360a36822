export const NEWS = {
  id: '1900000000000000042',
  rest_id: '1900000000000000042',
  name: 'Harbor Bridge, closed',
}

/** Calls of one app and of one user (core reference, 00 section 5.2). */
export const NEWS_LIMITS = { app: '200/15m', user: '200/15m' } as const
