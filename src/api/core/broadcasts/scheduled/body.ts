import { Type } from 'typebox'
import {
  type BroadcastSettings,
  MAX_AHEAD_MS,
  MAX_DESCRIPTION,
  MAX_LOCALE,
  MAX_TITLE,
} from '../../../../domain/broadcasts/broadcasts.ts'
import { sourceById } from '../../../../domain/broadcasts/queries.ts'
import { kindIn } from '../../../../domain/media/media.ts'
import { type Message, msg } from '../../../../platform/http/message.ts'
import { flag, id, text } from '../../../../platform/http/schema.ts'
import type { Transaction } from '../../../../platform/storage/store.ts'
import { lockedMedia } from '../../articles/check.ts'
import { wrong } from '../../posts/wrong.ts'

const MAX_SOURCE = 64
const DAY_MS = 86_400_000

/** What bodies of scheduled broadcasts have in common. */
export const settings = {
  title: Type.Optional(text(0, MAX_TITLE, 'Title.')),
  description: Type.Optional(text(0, MAX_DESCRIPTION, 'Description.')),
  locale: Type.Optional(text(1, MAX_LOCALE, 'Locale, such as `en_US`.')),
  chat_option: Type.Optional(
    Type.String({
      // Broadcasts show it as a number.
      pattern: '^[0-9]{1,9}$',
      description: 'Who may chat. It is stored and returned; any user may chat.',
    }),
  ),
  thumbnail_media_id: Type.Optional(id('An image that the user has uploaded.')),
  manual_publish: flag('Whether it waits for the call that starts it.'),
  available_for_replay: flag('Whether it can be watched after its end.'),
  is_locked: flag('Whether only its owner knows of it: nobody else can chat, and no event tells of it.'),
}
export const source = text(1, MAX_SOURCE, 'A source of the user.')
export const time = (description: string) => id(`${description}, in milliseconds.`)

interface SettingsBody {
  title?: string
  description?: string
  locale?: string
  chat_option?: string
  thumbnail_media_id?: string
  manual_publish?: boolean
  available_for_replay?: boolean
  is_locked?: boolean
  source_id?: string
  telecast_id?: string
}

/** The columns of what a body says. Its source and picture must be those of the user. */
export async function readSettings(
  tx: Transaction,
  body: SettingsBody,
  userId: string,
): Promise<BroadcastSettings> {
  await checkSource(tx, body.source_id, userId)
  await checkThumbnail(tx, body.thumbnail_media_id, userId)
  return {
    title: body.title ?? '',
    description: body.description ?? null,
    source_id: body.source_id ?? null,
    manual_publish: Number(body.manual_publish ?? false),
    available_for_replay: Number(body.available_for_replay ?? false),
    locked: Number(body.is_locked ?? false),
    chat_option: body.chat_option ?? null,
    locale: body.locale ?? null,
    telecast_id: body.telecast_id ?? null,
    thumbnail_media_id: body.thumbnail_media_id ?? null,
  }
}

async function checkSource(tx: Transaction, id: string | undefined, userId: string): Promise<void> {
  if (id === undefined) return
  const found = await tx.first(sourceById, { id })
  if (found?.user_id !== userId) throw wrong('source_id', id, msg`You have no source ${id}.`)
}

async function checkThumbnail(tx: Transaction, id: string | undefined, userId: string): Promise<void> {
  if (id === undefined) return
  const medium = (await lockedMedia(tx, [id], userId)).get(id)
  if (!medium || kindIn(medium.media_key) !== 'IMAGE')
    throw wrong('thumbnail_media_id', id, msg`You have no image ${id}.`)
}

/** The times of a broadcast: in the future, and in their order. */
export function readTimes(
  {
    scheduled_start_ms: start,
    scheduled_end_ms: end,
  }: Record<'scheduled_start_ms' | 'scheduled_end_ms', string>,
  now: number,
): { start: number; end: number } {
  const reject = (name: string, value: string, why: Message) => wrong(name, value, why)
  if (Number(start) <= now) throw reject('scheduled_start_ms', start, msg`The start must be in the future.`)
  if (Number(end) <= Number(start))
    throw reject('scheduled_end_ms', end, msg`The end must be after the start.`)
  if (Number(end) > now + MAX_AHEAD_MS)
    throw reject('scheduled_end_ms', end, msg`The end must be within ${MAX_AHEAD_MS / DAY_MS} days.`)
  return { start: Number(start), end: Number(end) }
}
