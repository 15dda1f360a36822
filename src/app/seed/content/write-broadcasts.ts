import {
  addUnannounced,
  MAX_AHEAD_MS,
  makeBroadcast,
  PLAIN_SETTINGS,
} from '../../../domain/broadcasts/broadcasts.ts'
import { addMessage, putWatcher } from '../../../domain/broadcasts/chat/queries.ts'
import { addSource } from '../../../domain/broadcasts/queries.ts'
import type { BroadcastRow } from '../../../domain/broadcasts/tables.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { Seed } from '../schema.ts'
import type { ContentParts } from './parts.ts'
import { PastIds } from './post-rows.ts'
import { instantOf, pastTime } from './posts-in-order.ts'
import type { SeedBroadcast } from './schema.ts'

const MINUTE_MS = 60_000
const DEFAULT_MINUTES = 60
const NS_PER_MS = 1_000_000n

/** The sources and the broadcasts with their chats. Those that have begun are without events. */
export async function writeBroadcasts(
  tx: Transaction,
  { broadcast_sources: sources = [], broadcasts = [] }: Seed,
  parts: ContentParts,
): Promise<void> {
  for (const { owner, id, name = '', receiving = false, width = 1920, height = 1080, ...rest } of sources)
    await tx.run(addSource, {
      ...{ id, user_id: parts.personNamed(owner).id, name, width, height, created_at: parts.now },
      ...{ receiving: Number(receiving), high_latency: Number(rest.high_latency ?? false) },
    })
  const ids = new PastIds()
  for (const broadcast of broadcasts) {
    const row = await write(tx, broadcast, parts)
    await writeChat(tx, broadcast, { row, ids, parts })
  }
}

function write(tx: Transaction, broadcast: SeedBroadcast, parts: ContentParts): Promise<BroadcastRow> {
  const { now, personNamed } = parts
  const [start, end] = [startOf(broadcast, now), endOf(broadcast, now)]
  const made = {
    ...{ ...PLAIN_SETTINGS, user_id: personNamed(broadcast.owner).id, title: broadcast.title },
    ...{ source_id: broadcast.source ?? null, locale: broadcast.locale ?? null },
    description: broadcast.description ?? null,
    manual_publish: Number(broadcast.manual_publish ?? false),
    available_for_replay: Number(broadcast.available_for_replay ?? false),
    locked: Number(broadcast.locked ?? false),
  }
  if (start > now) return makeBroadcast(tx, { ...made, scheduled: { start, end } }, parts)
  return addUnannounced(tx, { ...made, starts_at: start, ends_at: end }, parts)
}

type SeedTimes = Pick<SeedBroadcast, 'starts_at' | 'duration_minutes'>

/** When a broadcast of a seed starts. */
export const startOf = ({ starts_at }: SeedTimes, now: number): number =>
  starts_at === undefined ? now : (instantOf(starts_at, now, now + MAX_AHEAD_MS) ?? now)

/** When it ends; null if it has begun and lasts until it is ended. */
export function endOf(times: SeedTimes, now: number): number | null {
  const [start, minutes] = [startOf(times, now), times.duration_minutes]
  if (minutes === undefined && start <= now) return null
  return start + (minutes ?? DEFAULT_MINUTES) * MINUTE_MS
}

/** The messages in the order of their times. Those of one time are in the order of the file. */
async function writeChat(
  tx: Transaction,
  { chat = [] }: SeedBroadcast,
  { row, ids, parts }: { row: BroadcastRow; ids: PastIds; parts: ContentParts },
): Promise<void> {
  const start = row.starts_at ?? parts.now
  const timed = chat.map((message) => ({ ...message, at: pastTime(message.sent_at, parts.now) ?? start }))
  for (const [index, { author, text, at }] of timed.toSorted((a, b) => a.at - b.at).entries()) {
    const author_id = parts.personNamed(author).id
    await tx.run(addMessage, {
      ...{ id: ids.next(at), broadcast_id: row.id, author_id, text, reply_to: null, created_at: at },
      sent_ns: String(BigInt(at) * NS_PER_MS + BigInt(index)),
    })
    if (author_id !== row.user_id) await tx.run(putWatcher, { broadcast: row.id, user: author_id, gone: 0 })
  }
}
