/** A rate limit as it is written: calls, a slash, a window. `'450/15m'`. */
export type LimitText = `${number}/${number}${'s' | 'm' | 'h'}`

export interface Limit {
  calls: number
  windowSeconds: number
}

/** The answer to one counted call. */
export interface Counted {
  /** False when the limit of the window was already used up. */
  readonly allowed: boolean
  /** Calls left in the window, never negative. */
  readonly remaining: number
  /** When the window ends: seconds since the epoch (UTC), rounded up. */
  readonly resetSeconds: number
}

const UNIT_SECONDS = { s: 1, m: 60, h: 3600 } as const

/** Reads `'450/15m'`. Throws on anything else. */
export function parseLimit(text: string): Limit {
  const match = /^([1-9][0-9]{0,8})\/([1-9][0-9]{0,5})([smh])$/.exec(text)
  if (!match) throw new Error(`"${text}" is not a rate limit: write calls/window, for example 450/15m`)
  return {
    calls: Number(match[1]),
    windowSeconds: Number(match[2]) * UNIT_SECONDS[match[3] as keyof typeof UNIT_SECONDS],
  }
}

/**
 * What the operator decided about rate limits: `off`, `documented`, or other figures for some endpoints,
 * by endpoint id and pool: `{"listWebhooks": {"app": "10/1m"}}`.
 */
export type LimitRules = 'off' | 'documented' | Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * The limit of one endpoint for one pool under the operator's rules; undefined when there is none. Rules name the
 * endpoint, or the group of endpoints that count together.
 */
export function limitFor(
  rules: LimitRules,
  { id, limitGroup }: { id: string; limitGroup: string | undefined },
  pool: string,
  documented: LimitText | undefined,
): Limit | undefined {
  if (rules === 'off') return undefined
  const given = rules === 'documented' ? undefined : rules
  const text = given?.[id]?.[pool] ?? given?.[limitGroup ?? id]?.[pool] ?? documented
  return text === undefined || text === 'off' ? undefined : parseLimit(text)
}
