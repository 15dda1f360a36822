/** A rate limit: calls, a slash and a window. `'450/15m'`. */
export type LimitText = `${number}/${number}${'s' | 'm' | 'h'}`

export interface Limit {
  calls: number
  windowSeconds: number
}

/** The result of counting one call. */
export interface LimitCount {
  /** False when the limit of the window was already reached. */
  readonly allowed: boolean
  /** Calls left in the window, never negative. */
  readonly remaining: number
  /** When the window ends: seconds since the epoch (UTC), rounded up. */
  readonly resetSeconds: number
}

const UNIT_SECONDS = { s: 1, m: 60, h: 3600 } as const

/** Parses `'450/15m'`. Throws on anything else. */
export function parseLimit(text: string): Limit {
  const match = /^([1-9][0-9]{0,8})\/([1-9][0-9]{0,5})([smh])$/.exec(text)
  if (!match) throw new Error(`"${text}" is not a rate limit: write calls/window, for example 450/15m`)
  return {
    calls: Number(match[1]),
    windowSeconds: Number(match[2]) * UNIT_SECONDS[match[3] as keyof typeof UNIT_SECONDS],
  }
}

/**
 * The rate limits that the operator configured: `off`, `documented`, or other limits for some
 * endpoints, by endpoint id and pool: `{"listWebhooks": {"app": "10/1m"}}`.
 */
export type LimitRules = 'off' | 'documented' | Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * What follows from the operator's rules: made again when these were changed, which an operator may
 * do while Plaza runs.
 */
export function underRules<Value>(at: { readonly limitRules: LimitRules }, make: () => Value): () => Value {
  let rules = at.limitRules
  let made = make()
  return () => {
    if (at.limitRules !== rules) {
      rules = at.limitRules
      made = make()
    }
    return made
  }
}

/** One counter of calls, and its limit. */
export interface Bucket {
  name: string
  limit: Limit
}

interface LimitedEndpoint {
  id: string
  limits: Readonly<Record<string, LimitText | undefined>>
  limitGroup: string | undefined
}

/** The name under which an endpoint counts. Endpoints of one group share one count. */
export const groupOf = ({ id, limitGroup }: Pick<LimitedEndpoint, 'id' | 'limitGroup'>) => limitGroup ?? id

/**
 * The limits of one endpoint under the operator's rules, by pool. Rules name the endpoint, or the
 * group of endpoints that count together.
 */
export function limitsOf(endpoint: LimitedEndpoint, rules: LimitRules): Readonly<Record<string, Limit>> {
  if (rules === 'off') return {}
  const overrides = rules === 'documented' ? {} : rules
  const texts: Record<string, string | undefined> = {
    ...endpoint.limits,
    ...overrides[groupOf(endpoint)],
    ...overrides[endpoint.id],
  }
  return Object.fromEntries(
    Object.entries(texts).flatMap(([pool, text]) =>
      text === undefined || text === 'off' ? [] : [[pool, parseLimit(text)]],
    ),
  )
}
