import type { IdSource } from '../../platform/common/ids.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import {
  type BroadcastSettings,
  changeBroadcast,
  dropBroadcast,
  makeBroadcast,
  type NewBroadcast,
} from './broadcasts.ts'
import { addSeries, lockSeries, removeSeries, setSeries } from './queries.ts'
import type { BroadcastRow, BroadcastSeriesRow } from './tables.ts'

const DAY_MS = 86_400_000
export const EVERY_MS = { Daily: DAY_MS, Weekly: 7 * DAY_MS } as const

/** Maximum number of occurrences after the first. */
export const MAX_REPEATS = 365

/** The times of an occurrence. */
interface Times {
  start: number
  end: number
}

const settingsOf = (row: BroadcastSettings): string => {
  const { title, description, source_id, manual_publish, available_for_replay, locked } = row
  const { chat_option, locale, telecast_id, thumbnail_media_id } = row
  return JSON.stringify({
    ...{ title, description, source_id, manual_publish, available_for_replay, locked },
    ...{ chat_option, locale, telecast_id, thumbnail_media_id },
  } satisfies BroadcastSettings)
}

/** The times after those of an occurrence. */
const following = ({ start, end }: Times, every: number) => ({
  ...{ next_start: start + every, next_end: end + every },
})

/** Makes the first broadcast of a series. */
export async function makeSeries(
  tx: Transaction,
  made: NewBroadcast & { scheduled: Times },
  { every_ms, repeats }: { every_ms: number; repeats: number },
  { ids }: { ids: IdSource },
): Promise<BroadcastRow> {
  const id = ids.next()
  const head = await makeBroadcast(tx, { ...made, series_id: id }, { ids })
  await tx.run(addSeries, {
    ...{ id, user_id: made.user_id, head_id: head.id, every_ms, remaining: repeats },
    ...{ ...following(made.scheduled, every_ms), settings: settingsOf(made) },
  })
  return head
}

/** The series of which a broadcast is the newest occurrence. */
async function headedBy(tx: Transaction, row: BroadcastRow): Promise<BroadcastSeriesRow | undefined> {
  const series = row.series_id === null ? undefined : await tx.first(lockSeries, { id: row.series_id })
  return series?.head_id === row.id ? series : undefined
}

/** Makes the next occurrence of a series, if this is the newest one. */
export async function proceed(tx: Transaction, row: BroadcastRow, { ids }: { ids: IdSource }): Promise<void> {
  const series = await headedBy(tx, row)
  if (!series) return
  if (series.remaining === 0) {
    await tx.run(removeSeries, { id: series.id })
    return
  }
  const { next_start: start, next_end: end, every_ms } = series
  const settings = JSON.parse(series.settings) as BroadcastSettings
  const next = { ...settings, user_id: row.user_id, series_id: series.id, scheduled: { start, end } }
  const { id: head_id } = await makeBroadcast(tx, next, { ids })
  const remaining = series.remaining - 1
  await tx.run(setSeries, { ...series, head_id, remaining, ...following({ start, end }, every_ms) })
}

/** Starts a broadcast that is ahead, now. Its end stays the same. */
export async function startNow(
  tx: Transaction,
  row: BroadcastRow,
  { ids }: { ids: IdSource },
): Promise<BroadcastRow> {
  const started = await changeBroadcast(tx, { ...row, starts_at: tx.now })
  await proceed(tx, started, { ids })
  return started
}

/**
 * Replaces a broadcast that is ahead. With `rollForward`, the later occurrences of its series
 * follow the new one, otherwise they stay as they were.
 */
export async function replaceScheduled(
  tx: Transaction,
  row: BroadcastRow,
  { times, settings, rollForward }: { times: Times; settings: BroadcastSettings; rollForward: boolean },
): Promise<BroadcastRow> {
  const series = rollForward ? await headedBy(tx, row) : undefined
  if (series)
    await tx.run(setSeries, {
      ...series,
      ...{ ...following(times, series.every_ms), settings: settingsOf(settings) },
    })
  return changeBroadcast(tx, {
    ...{ ...row, ...settings, scheduled_start: times.start, scheduled_end: times.end },
    ...{ starts_at: settings.manual_publish === 1 ? null : times.start, ends_at: times.end },
  })
}

/**
 * Removes a broadcast that is ahead. With `rollForward`, the next occurrence of its series takes
 * its place, otherwise the series ends.
 */
export async function removeScheduled(
  tx: Transaction,
  row: BroadcastRow,
  { rollForward, ids }: { rollForward: boolean; ids: IdSource },
): Promise<void> {
  const series = await headedBy(tx, row)
  await dropBroadcast(tx, row)
  if (!series) return
  if (rollForward) await proceed(tx, row, { ids })
  else await tx.run(removeSeries, { id: series.id })
}
