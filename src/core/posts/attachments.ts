import { isBlank } from '../../common/visible.ts'
import { normalised } from '../../posts/weight.ts'
import { msg, words } from '../../http/message.ts'
import { canShow, kindIn } from '../../media/media.ts'
import { lockMediaMany, mediaByIds } from '../../media/queries.ts'
import { isLocation, locationsReady } from '../../reference-data/locations.ts'
import type { Transaction } from '../../storage/store.ts'
import type { MediaRow } from '../../storage/tables.ts'
import { profilesByIds } from '../../users/queries.ts'
import type { WholeBody } from './kept.ts'
import { wrong } from './wrong.ts'

/** A post shows one of these at most. */
const EXCLUSIVE = ['card_uri', 'quote_post_id', 'poll', 'media', 'direct_message_deep_link'] as const

/** Rejects attachments that exclude each other, and members that need another one. */
export function checkTogether(body: WholeBody): void {
  const sent = EXCLUSIVE.filter((name) => body[name] !== undefined)
  const [first = '', second] = sent
  if (second !== undefined) throw wrong(second, first, msg`You can only provide one of ${words(sent)}.`)
  if (body.share_with_followers === true && body.community_id === undefined)
    throw wrong('share_with_followers', 'true', msg`share_with_followers needs community_id.`)
  if (body.edit_options && body.poll)
    throw wrong('poll', 'poll', msg`A new version of a post cannot have a poll.`)
  const blank = body.poll?.options.find(isBlank)
  if (blank !== undefined)
    throw wrong('poll.options', blank, msg`Each answer of a poll needs a visible character.`)
  if (normalised(body.text ?? '') === '' && sent.length === 0)
    throw wrong('text', body.text ?? '', msg`A post needs text or an attachment.`)
}

const MAX_IMAGES = 4

/** The media of a post, in their order. They are locked: nothing deletes them before they are used. */
export async function readMedia(tx: Transaction, body: WholeBody, userId: string): Promise<MediaRow[]> {
  const given = body.media?.media_ids ?? []
  if (given.length === 0) return []
  const ids = JSON.stringify(given)
  await tx.all(lockMediaMany, { ids })
  const known = new Map((await tx.all(mediaByIds, { ids })).map((one) => [one.id, one]))
  const media = given.flatMap((id) => known.get(id) ?? [])
  const kinds = new Set(media.map((one) => kindIn(one.media_key)))
  const most = kinds.has('IMAGE') ? MAX_IMAGES : 1
  if (media.length < given.length || !media.every((one) => canShow(one, userId, tx.now)))
    throw wrong('media.media_ids', given.join(','), msg`Your media IDs are invalid.`)
  if (kinds.size > 1 || media.length > most)
    throw wrong('media.media_ids', given.join(','), msg`A post has up to 4 images, or 1 GIF, or 1 video.`)
  return media
}

/** Rejects users who do not exist. */
export async function checkUsers(
  tx: Transaction,
  { name, ids, noun }: { name: string; ids: readonly string[] | undefined; noun: string },
): Promise<void> {
  if (ids === undefined || ids.length === 0) return
  const found = await tx.all(profilesByIds, { ids: JSON.stringify(ids) })
  if (found.length < ids.length) throw wrong(name, ids.join(','), msg`Your ${noun} user IDs are invalid.`)
}

/** Rejects a place that does not exist. */
export async function checkPlace({ geo }: WholeBody): Promise<void> {
  if (!geo) return
  await locationsReady()
  if (!isLocation(geo.place_id)) throw wrong('geo.place_id', geo.place_id, msg`Your place ID is invalid.`)
}
