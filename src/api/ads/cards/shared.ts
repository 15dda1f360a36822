import { mediaByKeys, mediaPath, posterPath, ratioOf, urlOf } from '../../../domain/media/media.ts'
import type { MediaRow } from '../../../domain/media/tables.ts'
import { fromBase36 } from '../../../platform/common/ids.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { byIds } from '../entity/filters.ts'

// What polls and conversations share: cards that callers create from parameters.

const MAX_SEARCH_LENGTH = 80

/** The parts of the declarations of all cards that are equal. */
export const anyCard = { id: 'card_id', notFound: 'CARD_NOT_FOUND', right: 'creatives' } as const

/** Those of cards with names. */
export const cardEntity = {
  ...anyCard,
  search: MAX_SEARCH_LENGTH,
  sort: { name: 'name_key' },
  filters: {
    card_ids: byIds('card'),
  },
  nameKey: true,
} as const

export const uriOf = (id: string): string => `card://${fromBase36(id)}`

/** Media by their keys, for a page of cards at once. */
export async function mediaOf(
  keys: readonly (string | null | undefined)[],
  { store }: Pick<AdsDependencies, 'store'>,
): Promise<ReadonlyMap<string, MediaRow>> {
  const named = keys.filter((key): key is string => typeof key === 'string')
  const rows = await mediaByKeys(store, named)
  return new Map(rows.flatMap((row) => (row ? [[row.media_key, row] as const] : [])))
}

/** What a card shows of its video. Sizes are those of its aspect ratio, as text. */
export function videoMembers(video: MediaRow, context: Pick<AdsDependencies, 'mediaOrigin'>) {
  const [width, height] = ratioOf(video.width ?? 1, video.height ?? 1).map(String) as [string, string]
  return {
    video_url: urlOf(mediaPath(video), context),
    video_width: width,
    video_height: height,
    video_poster_url: urlOf(posterPath(video), context),
  }
}

/** Everything that a card can show of its video. */
export function wholeVideoMembers(video: MediaRow, context: Pick<AdsDependencies, 'mediaOrigin'>) {
  const members = videoMembers(video, context)
  return {
    ...members,
    video_hls_url: members.video_url,
    // Null until the poster is made.
    video_poster_width: members.video_poster_url === null ? null : members.video_width,
    video_poster_height: members.video_poster_url === null ? null : members.video_height,
    content_duration_seconds: String(Math.round((video.duration_ms ?? 0) / 1000)),
  }
}
