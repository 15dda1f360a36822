import { timeIn } from './clicks.ts'
import { type Cell, cellsIn, type DeliveryAbout } from './ledger.ts'
import { AT, type DeliveredMetric } from './metrics.ts'
import type { TouchpointRow } from './queries.ts'
import { fraction, hashText, mixed } from './random.ts'
import { isIn } from './share.ts'

/** When a person last engaged with, and last saw, what is promoted. Epoch milliseconds, or null. */
export interface Touchpoints {
  readonly engagedAtMs: number | null
  readonly viewedAtMs: number | null
}

const VIEW = 103

const NEVER: Touchpoints = { engagedAtMs: null, viewedAtMs: null }

/**
 * Finds people in a row of the ledger. A hash of the person and of the row gives the person a place
 * among the audience; the impressions and the engagements of the row fall on the places in turn.
 * So a person has as many touchpoints as chance gives, and always in the same hours. While an A/B
 * test is live, only people of the share of its group have any.
 */
export function touchpointsIn(row: TouchpointRow): (person: number, beforeMs: number) => Touchpoints {
  const seed = mixed(hashText(row.promotion_id), Math.floor(row.from_time / 1_000))
  const { audience, share } = JSON.parse(row.about) as DeliveryAbout
  if (audience <= 0) return () => NEVER
  let read: readonly Cell[] | undefined
  // Many people are looked for in a row, which is read once.
  const cells = () => (read ??= cellsIn(row, { fromMs: row.from_time, untilMs: Number.POSITIVE_INFINITY }))
  const placeOf = (hash: number) => Math.floor(fraction(hash) * audience)
  return (person, beforeMs) => {
    if (share && !isIn(share, person)) return NEVER
    const own = mixed(seed, person)
    const [engaged, viewed] = [placeOf(own), placeOf(mixed(own, VIEW))]
    return {
      engagedAtMs:
        engaged < row.engagements
          ? lastOf('engagements', cells(), { place: engaged, audience, beforeMs })
          : null,
      viewedAtMs:
        viewed < row.impressions
          ? lastOf('impressions', cells(), { place: viewed, audience, beforeMs })
          : null,
    }
  }
}

interface Place {
  readonly place: number
  readonly audience: number
  readonly beforeMs: number
}

/** The last event of a row that fell on a place before a time. */
function lastOf(
  metric: DeliveredMetric,
  cells: readonly Cell[],
  { place, audience, beforeMs }: Place,
): number | null {
  let last: number | null = null
  let before = 0
  for (const cell of cells) {
    if (cell.fromMs >= beforeMs) break
    const count = cell.counts[AT[metric]] ?? 0
    const share = (beforeMs - cell.fromMs) / (cell.untilMs - cell.fromMs)
    const past = Math.min(count, Math.floor(share * count + 0.5))
    // The greatest number of an event until then that falls on the place.
    const at = place + Math.floor((before + past - 1 - place) / audience) * audience
    if (at >= Math.max(before, place)) last = timeIn(cell, at - before, count)
    before += count
  }
  return last
}
