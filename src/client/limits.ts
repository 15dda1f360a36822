/** What the headers of a reply say about a rate limit. */
export interface RateLimit {
  /** Calls in a window. */
  readonly limit: number
  /** Calls that are left of it. */
  readonly remaining: number
  /** When the next window begins, by the clock of the server. */
  readonly resetAt: Date
}

/** The limits that a reply reports. */
export interface RateLimits {
  /** Of the endpoint, for the caller. */
  readonly call?: RateLimit
  /** Of the advertising account. */
  readonly account?: RateLimit
  /** Of the user and of the app, within 24 hours. */
  readonly userDay?: RateLimit
  readonly appDay?: RateLimit
}

const PREFIXES = {
  call: 'x-rate-limit',
  account: 'x-account-rate-limit',
  userDay: 'x-user-limit-24hour',
  appDay: 'x-app-limit-24hour',
} as const

export function rateLimitsOf(headers: Headers): RateLimits {
  const found: Partial<Record<keyof typeof PREFIXES, RateLimit>> = {}
  for (const [name, prefix] of Object.entries(PREFIXES)) {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((one) =>
      headers.get(`${prefix}-${one}`),
    )
    if (limit == null || remaining == null || reset == null) continue
    found[name as keyof typeof PREFIXES] = {
      limit: Number(limit),
      remaining: Number(remaining),
      resetAt: new Date(Number(reset) * 1000),
    }
  }
  return found
}

/**
 * Milliseconds until a call may be repeated: those of `retry-after`, or until each used-up limit
 * starts again. Undefined when the reply does not say.
 */
export function waitMsOf(headers: Headers, nowMs: number): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  if (Number.isFinite(seconds)) return seconds * 1000
  const resets = Object.values(rateLimitsOf(headers) as Record<string, RateLimit>)
    .filter(({ remaining }) => remaining <= 0)
    .map(({ resetAt }) => resetAt.getTime())
  if (resets.length === 0) return undefined
  return Math.max(0, Math.max(...resets) - nowMs)
}
