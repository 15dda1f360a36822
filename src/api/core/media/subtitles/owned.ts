import { Type } from 'typebox'
import type { FileKind } from '../../../../domain/media/inspect/inspected.ts'
import { type FileCategory, isExpired, RULES } from '../../../../domain/media/media.ts'
import { lockMedia } from '../../../../domain/media/queries.ts'
import type { MediaRow } from '../../../../domain/media/tables.ts'
import { msg } from '../../../../platform/http/message.ts'
import { choice, id } from '../../../../platform/http/schema.ts'
import type { Transaction } from '../../../../platform/storage/store.ts'
import { wrong } from '../../posts/wrong.ts'

/** The parameters of a call that name the video. */
export const ofVideo = {
  id: id('The video.'),
  media_category: Type.Optional(
    choice(['PostVideo', 'AmplifyVideo'], 'Category of the video.', 'SubtitledCategory'),
  ),
}

export const languageCode = Type.String({
  pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$',
  description: 'Language of the subtitles, as BCP 47 names it.',
})

const CATEGORIES = { PostVideo: 'POST_VIDEO', AmplifyVideo: 'AMPLIFY_VIDEO' } as const
type VideoCategory = keyof typeof CATEGORIES

export const categoryOf = ({ category }: MediaRow): VideoCategory =>
  category === 'AMPLIFY_VIDEO' ? 'AmplifyVideo' : 'PostVideo'

/** The video of a call, locked. */
export async function ownVideo(
  tx: Transaction,
  request: { id: string; media_category?: VideoCategory },
  userId: string,
): Promise<MediaRow> {
  const video = await owned(tx, { name: 'id', id: request.id, kind: 'VIDEO' }, userId)
  const { media_category: category } = request
  if (category && CATEGORIES[category] !== video.category)
    throw wrong('media_category', category, msg`The video ${video.id} is of another category.`)
  return video
}

/** A complete upload of the user, of one kind, locked. */
export async function owned(
  tx: Transaction,
  { name, id, kind }: { name: string; id: string; kind: FileKind },
  userId: string,
): Promise<MediaRow> {
  const row = await tx.first(lockMedia, { id })
  if (!row || row.owner_id !== userId || row.hash === null || isExpired(row, tx.now))
    throw wrong(name, id, msg`There is no medium ${id} of this user, or it has expired.`)
  if (RULES[row.category as FileCategory].kind !== kind)
    throw wrong(
      name,
      id,
      kind === 'VIDEO'
        ? msg`The medium ${id} is not a video.`
        : msg`The medium ${id} is not a file of subtitles.`,
    )
  return row
}
