import { cellsIn, earliestRow } from '../../../domain/ad-delivery/ledger.ts'
import { activity, activityEdges, type LedgerLevel } from '../../../domain/ad-delivery/queries.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { conversionActivity } from '../conversions/queries.ts'
import { knownEntities } from './queries.ts'
import type { Window } from './window.ts'

const SECOND_MS = 1_000

/** What can be active. */
export const ACTIVE_ENTITIES = [
  'CAMPAIGN',
  'FUNDING_INSTRUMENT',
  'LINE_ITEM',
  'MEDIA_CREATIVE',
  'PROMOTED_ACCOUNT',
  'PROMOTED_POST',
] as const

interface ActivityQuery {
  readonly account: string
  readonly level: LedgerLevel
  readonly filter: LedgerLevel
  readonly ids: readonly string[]
  readonly kind: (typeof ACTIVE_ENTITIES)[number]
  readonly window: Window
}

/** What was delivered in a window, and from when to when. */
export async function activeIn(
  store: Pick<Store, 'all'>,
  { account, level, filter: by, ids: only, kind, window }: ActivityQuery,
) {
  const { fromMs: from, untilMs: until } = window
  const args = { account, ids: JSON.stringify(only), from, until, after: earliestRow(from), before: until }
  const [whole, edges, conversions] = await Promise.all([
    store.all(activity[level][by], args),
    store.all(activityEdges[level][by], args),
    store.all(conversionActivity[level][by], args),
  ])
  const times = new Map<string, Window>()
  const add = (id: string, fromMs: number, untilMs: number) => {
    const known = times.get(id)
    times.set(id, {
      fromMs: Math.min(fromMs, known?.fromMs ?? fromMs),
      untilMs: Math.max(untilMs, known?.untilMs ?? untilMs),
    })
  }
  for (const row of whole) add(row.id, row.from_time, row.until_time)
  for (const row of edges)
    for (const { fromMs, untilMs } of cellsIn(row, window)) add(row.id, fromMs, untilMs)
  // They change the figures of the time at which they happened, which may be before the window.
  for (const { id, from_time, until_time } of conversions) add(id, from_time, until_time + SECOND_MS)
  const known = await ofKind(store, { account, kind, ids: [...times.keys()] })
  return [...times]
    .filter(([id]) => known.has(id))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, active]) => ({
      entity_id: id,
      activity_start_time: active.fromMs,
      // The last second: the end is exclusive.
      activity_end_time: Math.max(active.fromMs, active.untilMs - SECOND_MS),
      placements: ['ALL_ON_SERVICE'],
    }))
}

/** Promoted posts, promoted accounts and media creatives share a level of the ledger. */
async function ofKind(
  store: Pick<Store, 'all'>,
  { account, kind, ids: all }: { account: string; kind: ActivityQuery['kind']; ids: readonly string[] },
): Promise<ReadonlySet<string>> {
  const rows = await store.all(knownEntities[kind], { account, ids: JSON.stringify(all) })
  return new Set(rows.map(({ id }) => id))
}
