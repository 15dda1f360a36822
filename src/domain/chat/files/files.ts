import { lockAuthor } from '../../../identity/users/queries.ts'
import { nextBase36 } from '../../../platform/common/ids.ts'
import { msg } from '../../../platform/http/message.ts'
import type { StoredFile } from '../../../platform/storage/files/files.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { MediaDependencies } from '../../media/dependencies.ts'
import { addDeletionCandidates, claimIn, useIn } from '../../media/media.ts'
import { addCandidateFiles, bytesOfOwner } from '../../media/queries.ts'
import { uploadError } from '../../media/upload-rules.ts'
import {
  addChatMedium,
  chatMediaByKeys,
  chatMediumById,
  chatSegmentsOf,
  completeChatMedium,
  growChatMedium,
  lockChatMedium,
  putChatSegment,
  removeChatMedia,
  removeChatSegments,
} from './queries.ts'
import type { ChatMediaRow, ChatMediaSegmentRow } from '../tables.ts'

// Encrypted files: the server stores them as they come.

export const MAX_CHAT_SEGMENT_BYTES = 5 * 1024 * 1024
export const MAX_CHAT_MEDIUM_BYTES = 512 * 1024 * 1024
/** How long an upload may take. */
const UPLOAD_MS = 86_400_000

const unknown = (id: string) =>
  uploadError('media not found', {
    ...{ name: 'id', value: id },
    why: msg`There is no upload ${id} of this user for this conversation, or it has ended.`,
  })
const wrongSize = (bytes: number, most: number) =>
  uploadError('media segments wrong', {
    name: 'media',
    why: msg`The parts have ${bytes} bytes: they must have ${most}.`,
  })
const missing = (id: string, index: number) =>
  uploadError('media segments wrong', {
    ...{ name: 'id', value: id },
    why: msg`The upload ${id} has no part ${index}, or more than announced.`,
  })

/** An upload, as its calls name it. */
export interface NamedUpload {
  readonly id: string
  readonly chat: string
  /** Undefined where it may be left out. */
  readonly hashKey: string | undefined
  readonly userId: string
}

type Context = Pick<MediaDependencies, 'clock' | 'config' | 'ids' | 'store' | 'files'>

/** Begins an upload. The announced size counts towards the quota of media at once. */
export async function openChatUpload(
  tx: Transaction,
  { chat, userId, bytes }: { chat: string; userId: string; bytes: number | undefined },
  context: Pick<Context, 'clock' | 'config' | 'ids'>,
): Promise<ChatMediaRow> {
  const id = context.ids.next()
  const row: ChatMediaRow = {
    ...{
      id,
      conversation_id: chat,
      hash_key: nextBase36(context.ids),
      owner_id: userId,
      hash: null,
      message_id: null,
    },
    ...{ total_bytes: bytes ?? null, bytes: bytes ?? 0, created_at: tx.now },
    expires_at: context.clock.now() + UPLOAD_MS,
  }
  await requireRoom(tx, { userId, more: row.bytes }, context)
  await tx.run(addChatMedium, row)
  return row
}

/** Two concurrent uploads must not both take the rest of the quota. */
async function requireRoom(
  tx: Transaction,
  { userId, more }: { userId: string; more: number },
  { clock, config }: Pick<Context, 'clock' | 'config'>,
): Promise<void> {
  await tx.first(lockAuthor, { id: userId })
  const used = await tx.first(bytesOfOwner, { owner: userId, now: clock.now() })
  if ((used?.total ?? 0) + more > config.mediaPerUser)
    throw uploadError('media quota exceeded', {
      name: 'total_bytes',
      value: String(more),
      why: msg`There is no room for ${more} more bytes.`,
    })
}

/** An upload of the user that is in progress. */
function requireOpen(row: ChatMediaRow | undefined, at: NamedUpload, now: number): ChatMediaRow {
  if (!row || !isNamed(row, at) || row.hash !== null || (row.expires_at ?? 0) <= now) throw unknown(at.id)
  return row
}

const isNamed = (row: ChatMediaRow, { chat, hashKey, userId }: NamedUpload) =>
  row.owner_id === userId &&
  row.conversation_id === chat &&
  (hashKey === undefined || row.hash_key === hashKey)

/**
 * Stores one part. Parts may come in any order; one that is sent again replaces the earlier one.
 */
export async function appendChatSegment(
  at: NamedUpload & { index: number },
  content: Buffer,
  context: Context,
): Promise<ChatMediaRow> {
  const { store, files, clock } = context
  requireOpen(await store.first(chatMediumById, { id: at.id }), at, clock.now())
  const stored = await files.put(content, claimIn(context))
  return releasing(stored, context, () =>
    store.write(async (tx) => {
      const row = requireOpen(await tx.first(lockChatMedium, { id: at.id }), at, clock.now())
      const segments = await tx.all(chatSegmentsOf, { ids: JSON.stringify([at.id]) })
      const replaced = segments.find(({ segment_index }) => segment_index === at.index)
      const bytes = bytesIn(segments) - (replaced?.bytes ?? 0) + content.length
      const most = row.total_bytes ?? MAX_CHAT_MEDIUM_BYTES
      if (bytes > most) throw wrongSize(bytes, most)
      const counted = row.total_bytes ?? bytes
      await requireRoom(tx, { userId: at.userId, more: counted - row.bytes }, context)
      await useIn(tx, stored, context)
      await tx.run(putChatSegment, { media_id: at.id, segment_index: at.index, ...stored })
      if (replaced && replaced.hash !== stored.hash) await addDeletionCandidates(tx, [replaced.hash], context)
      const grown = { ...row, bytes: counted, expires_at: clock.now() + UPLOAD_MS }
      await tx.run(growChatMedium, grown)
      return grown
    }),
  )
}

/** Joins the parts into a file. A client that did not receive the reply repeats the call. */
export async function finalizeChatUpload(
  at: NamedUpload & { parts: number | undefined; messageId: string | undefined; ttlMs: number | undefined },
  context: Context,
): Promise<void> {
  const { store, files, clock } = context
  const known = await store.first(chatMediumById, { id: at.id })
  if (known && isNamed(known, at) && known.hash !== null) return
  const open = requireOpen(known, at, clock.now())
  const segments = await store.all(chatSegmentsOf, { ids: JSON.stringify([at.id]) })
  requireWhole(open, segments, at.parts)
  const hashes = segments.map(({ hash }) => hash)
  const stored = await files.join(hashes, claimIn(context))
  await releasing(stored, context, () =>
    store.write(async (tx) => {
      requireOpen(await tx.first(lockChatMedium, { id: at.id }), at, clock.now())
      const now = await tx.all(chatSegmentsOf, { ids: JSON.stringify([at.id]) })
      // A part that arrived meanwhile must not be missing from the file.
      if (now.map(({ hash }) => hash).join() !== hashes.join()) throw missing(open.id, now.length)
      await tx.run(completeChatMedium, {
        ...{ id: at.id, hash: stored.hash, bytes: stored.bytes, message_id: at.messageId ?? null },
        expires_at: at.ttlMs === undefined ? null : clock.now() + at.ttlMs,
      })
      await useIn(tx, stored, context)
      await tx.run(removeChatSegments, { id: at.id })
      await addDeletionCandidates(
        tx,
        hashes.filter((hash) => hash !== stored.hash),
        context,
      )
    }),
  )
}

function requireWhole(
  row: ChatMediaRow,
  segments: readonly ChatMediaSegmentRow[],
  parts: number | undefined,
): void {
  const gap = segments.findIndex(({ segment_index }, index) => segment_index !== index)
  if (gap !== -1) throw missing(row.id, gap)
  const expected = parts ?? Math.max(1, segments.length)
  if (segments.length !== expected) throw missing(row.id, segments.length)
  const bytes = bytesIn(segments)
  if (row.total_bytes !== null && bytes !== row.total_bytes) throw wrongSize(bytes, row.total_bytes)
}

const bytesIn = (segments: readonly { bytes: number }[]) =>
  segments.reduce((sum, { bytes }) => sum + bytes, 0)

/** Runs the work that uses a stored file. If it fails, the file may be deleted. */
async function releasing<Result>(
  { hash }: StoredFile,
  context: Pick<Context, 'store' | 'clock'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    await context.store.write((tx) => addDeletionCandidates(tx, [hash], context)).catch(() => undefined)
    throw error
  }
}

/** Removes files, or uploads, with their parts. */
export async function dropMedia(tx: Transaction, rows: readonly ChatMediaRow[]): Promise<void> {
  if (rows.length === 0) return
  const ids = JSON.stringify(rows.map(({ id }) => id))
  const segments = await tx.all(chatSegmentsOf, { ids })
  await tx.run(removeChatMedia, { ids })
  const hashes = [...rows, ...segments].flatMap(({ hash }) => hash ?? [])
  await tx.run(addCandidateFiles, { hashes: JSON.stringify(hashes), at: tx.now })
}

/** Removes files of deleted messages. Resolves to false if one is not the user's to delete. */
export async function removeMediaByKeys(
  tx: Transaction,
  { chat, keys, userId, mayAny }: { chat: string; keys: readonly string[]; userId: string; mayAny: boolean },
): Promise<boolean> {
  if (keys.length === 0) return true
  const rows = await tx.all(chatMediaByKeys, { chat, keys: JSON.stringify(keys), now: tx.now })
  if (!mayAny && rows.some((row) => row.owner_id !== userId)) return false
  await dropMedia(tx, rows)
  return true
}
