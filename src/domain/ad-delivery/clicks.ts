import { type Cell, cellsIn, earliestRow } from './ledger.ts'
import { AT } from './metrics.ts'
import type { LedgerRow } from './queries.ts'
import { hashText, mixed } from './random.ts'
import { HOUR_MS } from './time-zone.ts'

/** A click on a link or on the app of what is promoted: one of those that the ledger counts. */
export interface Click {
  readonly promotion: string
  /** Hours since the epoch. */
  readonly hour: number
  /** Its number among such clicks in this hour, from 0. */
  readonly index: number
}

const LENGTH = 25
const HOUR_BITS = 24n
const INDEX_BITS = 24n
const CHECK_BITS = 16n
const MAX_PROMOTION = 2n ** 64n

const bitsOf = (value: bigint, at: bigint, bits: bigint) => Number((value >> at) & ((1n << bits) - 1n))

const checkOf = ({ promotion, hour, index }: Click) =>
  BigInt(mixed(mixed(hashText(promotion), hour), index)) >> CHECK_BITS

/** The click identifier that a landing page or an app gets: 25 digits of base 36 that name it. */
export function clickId(click: Click): string {
  const place = (BigInt(click.hour) << INDEX_BITS) | BigInt(click.index)
  const named = (numberOf(click.promotion) << (HOUR_BITS + INDEX_BITS)) | place
  return ((named << CHECK_BITS) | checkOf(click)).toString(36).padStart(LENGTH, '0')
}

/** The click that an identifier names; undefined for any other text. */
export function clickOf(id: string): Click | undefined {
  if (id.length !== LENGTH || !/^[0-9a-z]+$/.test(id)) return undefined
  const value = numberOf(id)
  const promotion = value >> (CHECK_BITS + INDEX_BITS + HOUR_BITS)
  if (promotion >= MAX_PROMOTION) return undefined
  const click = {
    promotion: promotion.toString(36),
    hour: bitsOf(value, CHECK_BITS + INDEX_BITS, HOUR_BITS),
    index: bitsOf(value, CHECK_BITS, INDEX_BITS),
  }
  return clickId(click) === id ? click : undefined
}

/** Digits of base 36 as a number. */
const numberOf = (digits: string): bigint =>
  [...digits].reduce((value, digit) => value * 36n + BigInt(Number.parseInt(digit, 36)), 0n)

/** The rows of the ledger in which the clicks of an hour are. */
export const rowsOfHour = (hour: number) => ({
  after: earliestRow(hour * HOUR_MS),
  before: (hour + 1) * HOUR_MS,
})

/** The cells of rows within a window, in order, by the hours in which they begin. */
export const cellsByHour = (
  rows: readonly Pick<LedgerRow, 'from_time' | 'cells' | 'last_cell'>[],
  window: { readonly fromMs: number; readonly untilMs: number },
): Map<number, Cell[]> =>
  Map.groupBy(
    rows.flatMap((row) => cellsIn(row, window)).sort((one, other) => one.fromMs - other.fromMs),
    ({ fromMs }) => Math.floor(fromMs / HOUR_MS),
  )

const clicksOf = ({ counts }: Cell) => (counts[AT.url_clicks] ?? 0) + (counts[AT.app_clicks] ?? 0)

/** The clicks on links and apps in the cells of an hour. */
export const countClicks = (cells: readonly Cell[]): number =>
  cells.reduce((sum, cell) => sum + clicksOf(cell), 0)

/** When a click happened, by its number in its hour; undefined if there is none. */
export function clickTime(cells: readonly Cell[], index: number): number | undefined {
  let left = index
  for (const cell of cells) {
    const count = clicksOf(cell)
    if (left < count) return timeIn(cell, left, count)
    left -= count
  }
  return undefined
}

/** When an event of a cell happened: its events are spread evenly over it. */
export const timeIn = (
  { fromMs, untilMs }: Pick<Cell, 'fromMs' | 'untilMs'>,
  index: number,
  count: number,
): number => fromMs + Math.floor(((index + 0.5) / count) * (untilMs - fromMs))
