import type { DeliveryAbout } from './ledger.ts'
import { type Share, sizeOf } from './share.ts'

/**
 * What a line item delivered in a window to the same share of the people, from which its reach
 * follows.
 */
export interface Exposure {
  /** Of an A/B test. */
  readonly share?: Share | undefined
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
  const own = exposure ?? newExposure(about)
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

const newExposure = ({ share }: DeliveryAbout): Exposure => ({
  share,
  audience: 0,
  impressions: 0,
  capped: new Map(),
  cap: null,
})

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
  const audience = Math.max(0, ...exposures.map((exposure) => exposure.audience / sizeOf(exposure.share)))
  const impressions = exposures.reduce((sum, exposure) => sum + exposure.impressions, 0)
  if (impressions === 0 || audience === 0) return { people: 0, frequency: 0 }
  let unreached = 1
  for (const [test, some] of Map.groupBy(exposures, ({ share }) => share?.[0]))
    unreached *= test === undefined ? unreachedOf(some, audience) : unreachedByTest(some, audience)
  const people = Math.max(1, Math.round(audience * (1 - unreached)))
  return { people, frequency: Math.round((impressions / people) * 100) / 100 }
}

/** The part of some people whom no line item reached, each by chance. */
const unreachedOf = (exposures: readonly Exposure[], people: number): number =>
  exposures.reduce((part, exposure) => part * (1 - Math.min(1, reachOf(exposure) / people)), 1)

/** The same for line items of one A/B test: nobody is in two groups of it. */
function unreachedByTest(exposures: readonly Exposure[], people: number): number {
  let part = 1
  for (const group of Map.groupBy(exposures, ({ share }) => share?.[1]).values()) {
    const size = sizeOf(group[0]?.share)
    part -= size * (1 - unreachedOf(group, people * size))
  }
  return part
}
