import { DELIVERED } from './metrics.ts'
import type { Share } from './share.ts'
import { DAY_MS, HOUR_MS } from './time-zone.ts'

/** Who could see what was delivered. Ages, genders and platforms only if they were targeted. */
export interface DeliveryAbout {
  readonly audience: number
  /** Impressions per person and window, the length of the window, and from when windows count. */
  readonly cap?: readonly [impressions: number, windowMs: number, fromMs: number]
  /** Of an A/B test that was live: the audience is this share of the people. */
  readonly share?: Share
  /** Targeting values by type. */
  readonly targeted?: Readonly<Record<string, readonly string[]>>
}

/** What was delivered within an hour. Times are epoch milliseconds. */
export interface Cell {
  readonly fromMs: number
  /** Exclusive. */
  readonly untilMs: number
  /** In the order of `DELIVERED`; zeros at the end may be missing. */
  readonly counts: readonly number[]
}

/** Rows with cells that begin within a window begin after this time. */
export const earliestRow = (fromMs: number): number => fromMs - DAY_MS - 3 * HOUR_MS

/** A cell as text. Times are relative to the start of its row. */
export function cellText({ fromMs, untilMs, counts }: Cell, rowFromMs: number): string {
  let length = DELIVERED.length
  while (length > 0 && !counts[length - 1]) length--
  return `[${[fromMs - rowFromMs, untilMs - rowFromMs, ...counts.slice(0, length)].join()}]`
}

/** The cells of a row that begin within a window. */
export function cellsIn(
  row: { readonly from_time: number; readonly cells: string; readonly last_cell: string },
  window: { readonly fromMs: number; readonly untilMs: number },
): Cell[] {
  const lists = JSON.parse(`[${row.cells}${row.last_cell}]`) as number[][]
  const cells: Cell[] = []
  for (const [from = 0, until = 0, ...counts] of lists) {
    const fromMs = row.from_time + from
    if (fromMs >= window.fromMs && fromMs < window.untilMs)
      cells.push({ fromMs, untilMs: row.from_time + until, counts })
  }
  return cells
}

/** Two cells of one hour as one. */
export const joined = (one: Cell, other: Cell): Cell => ({
  fromMs: one.fromMs,
  untilMs: other.untilMs,
  counts: other.counts.map((count, at) => count + (one.counts[at] ?? 0)),
})
