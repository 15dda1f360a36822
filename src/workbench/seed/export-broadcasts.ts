import { messagesByIds, messagesOfBroadcast } from '../../domain/broadcasts/chat/queries.ts'
import { pageOfBroadcasts, pageOfSources } from '../../domain/broadcasts/queries.ts'
import type { BroadcastRow } from '../../domain/broadcasts/tables.ts'
import { compareIds, LAST_ID } from '../../platform/common/ids.ts'
import { isoTime } from '../../platform/common/time.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { ExportedNames } from './exported-names.ts'

const MINUTE_MS = 60_000
const MAX_MINUTES = 10_080
const MAX_MESSAGES = 1_000

/** Sources of exported users. */
export async function exportSources(store: Store, names: ExportedNames, limit: number) {
  const rows = await store.all(pageOfSources, { after: '', limit })
  return rows.flatMap((row) => {
    const owner = names.get(row.user_id)
    if (owner === undefined) return []
    return {
      ...{ owner, id: row.id, width: row.width, height: row.height },
      ...(row.name !== '' && { name: row.name }),
      ...(row.receiving === 1 && { receiving: true }),
      ...(row.high_latency === 1 && { high_latency: true }),
    }
  })
}

/**
 * Broadcasts of exported users, oldest first, with their newest messages. A series is its head. One
 * that nobody started in time is left out: in a seed, it would have started.
 */
export async function exportBroadcasts(
  store: Store,
  names: ExportedNames,
  { limit, sources, now }: { limit: number; sources: ReadonlySet<string>; now: number },
) {
  const broadcasts = []
  for (const row of await store.all(pageOfBroadcasts, { after: '', limit })) {
    const owner = names.get(row.user_id)
    if (owner === undefined) continue
    if (row.starts_at === null && (row.scheduled_start ?? now) <= now) continue
    const start = row.starts_at ?? row.scheduled_start ?? row.created_at
    const minutes = row.ends_at === null ? undefined : Math.ceil((row.ends_at - start) / MINUTE_MS)
    const chat = await chatOf(store, row, names)
    broadcasts.push({
      ...{ owner, title: row.title, starts_at: isoTime(start) },
      ...(minutes !== undefined && { duration_minutes: Math.min(MAX_MINUTES, Math.max(1, minutes)) }),
      ...(row.description !== null && { description: row.description }),
      ...(row.source_id !== null && sources.has(row.source_id) && { source: row.source_id }),
      ...(row.locale !== null && { locale: row.locale }),
      ...(row.manual_publish === 1 && { manual_publish: true }),
      ...(row.available_for_replay === 1 && { available_for_replay: true }),
      ...(row.locked === 1 && { locked: true }),
      ...(chat.length > 0 && { chat }),
    })
  }
  return broadcasts
}

async function chatOf(store: Store, { id: of }: BroadcastRow, names: ExportedNames) {
  const newest = await store.all(messagesOfBroadcast.older, { of, id: LAST_ID, limit: MAX_MESSAGES })
  const ids = JSON.stringify(newest.map(({ id }) => id))
  const rows = newest.length === 0 ? [] : await store.all(messagesByIds, { ids })
  return [...rows]
    .sort((one, other) => compareIds(one.id, other.id))
    .flatMap(({ author_id, text, created_at }) => {
      const author = names.get(author_id)
      return author === undefined ? [] : { author, text, sent_at: isoTime(created_at) }
    })
}
