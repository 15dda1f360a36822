import type { DeliveryAbout } from './ledger.ts'

/** What a line item delivered in a window, from which its reach follows. */
export interface Exposure {
  audience: number
  impressions: number
  /** Impressions of each window of the frequency cap. */
  readonly capped: Map<number, number>
  cap: number | null
}

/** Adds impressions to what a line item delivered. */
export function expose(
  exposure: Exposure | undefined,
  { about, timeMs, impressions }: { about: DeliveryAbout; timeMs: number; impressions: number },
): Exposure {
  const own = exposure ?? { audience: 0, impressions: 0, capped: new Map<number, number>(), cap: null }
  own.audience = Math.max(own.audience, about.audience)
  own.impressions += impressions
  if (about.cap) {
    const [cap, windowMs, fromMs] = about.cap
    const window = Math.floor((timeMs - fromMs) / windowMs)
    own.capped.set(window, (own.capped.get(window) ?? 0) + impressions)
    own.cap = Math.max(own.cap ?? 0, cap)
  }
  return own
}

/**
 * The people whom a line item reached: impressions fall on people by chance, and a frequency cap
 * spreads them over more people (ADR 0076).
 */
function reachOf({ audience, impressions, cap, capped }: Exposure): number {
  if (impressions === 0 || audience === 0) return 0
  const byChance = audience * (1 - Math.exp(-impressions / audience))
  const atLeast = cap === null ? 1 : Math.max(...[...capped.values()].map((shown) => shown / cap))
  return Math.min(audience, impressions, Math.max(1, byChance, atLeast))
}

/** The people whom several line items reached together, and how often each of them on average. */
export function combinedReach(exposures: readonly Exposure[]): { people: number; frequency: number } {
  const audience = Math.max(0, ...exposures.map((exposure) => exposure.audience))
  const impressions = exposures.reduce((sum, exposure) => sum + exposure.impressions, 0)
  if (impressions === 0 || audience === 0) return { people: 0, frequency: 0 }
  const unreached = exposures.reduce((share, exposure) => share * (1 - reachOf(exposure) / audience), 1)
  const people = Math.max(1, Math.round(audience * (1 - unreached)))
  return { people, frequency: Math.round((impressions / people) * 100) / 100 }
}
