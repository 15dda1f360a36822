import { readRelations } from '../../../identity/relations/queries.ts'
import type { IdSource } from '../../../platform/common/ids.ts'
import { emit } from '../../../platform/events/log.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { broadcastMessageSent } from '../events.ts'
import type { BroadcastMessageRow, BroadcastRow } from '../tables.ts'
import { addMessage, muteOf, newestMessage, putWatcher, watcherOf } from './queries.ts'

export const MAX_TEXT = 140
const NS_PER_MS = 1_000_000n

/** Why a user may not write; undefined if the user may. */
export async function whySilent(
  tx: Transaction,
  { user_id: owner }: BroadcastRow,
  user: string,
): Promise<'muted' | 'blocked' | undefined> {
  if (user === owner) return undefined
  const mute = await tx.first(muteOf, { owner, user })
  if (mute && (mute.ends_at === null || mute.ends_at > tx.now)) return 'muted'
  const relations = await readRelations(tx, [{ source: owner, target: user }])
  return relations.has('block', owner, user) ? 'blocked' : undefined
}

interface NewMessage {
  authorId: string
  text: string
  replyTo: string | null
}

/** Adds a message to the chat of a broadcast, which is locked. Whoever writes, watches. */
export async function sendMessage(
  tx: Transaction,
  broadcast: BroadcastRow,
  message: NewMessage,
  { ids }: { ids: IdSource },
): Promise<BroadcastMessageRow> {
  const row = await addMessageTo(tx, broadcast, message, { ids })
  const said = { broadcast_id: broadcast.id, owner_id: broadcast.user_id, message_id: row.id }
  await emit(tx, broadcastMessageSent, said)
  return row
}

/** The same without the event. */
export async function addMessageTo(
  tx: Transaction,
  { id: broadcast_id, user_id: owner_id }: BroadcastRow,
  { authorId, text, replyTo }: NewMessage,
  { ids }: { ids: IdSource },
): Promise<BroadcastMessageRow> {
  const newest = await tx.first(newestMessage, { broadcast: broadcast_id })
  const time = BigInt(tx.now) * NS_PER_MS
  // Times are ids: no two messages of a broadcast have the same.
  const sent = newest && BigInt(newest.sent_ns) >= time ? BigInt(newest.sent_ns) + 1n : time
  const row = {
    ...{ id: ids.next(), broadcast_id, sent_ns: String(sent), author_id: authorId, text },
    ...{ reply_to: replyTo, created_at: tx.now },
  }
  await tx.run(addMessage, row)
  const watcher = { broadcast: broadcast_id, user: authorId }
  if (authorId !== owner_id && (await tx.first(watcherOf, watcher))?.gone !== 0)
    await tx.run(putWatcher, { ...watcher, gone: 0 })
  return row
}
