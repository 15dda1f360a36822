import { Type } from 'typebox'
import { choice, id } from '../../platform/http/schema.ts'
import { fieldsOf, objectShape, type View } from '../../platform/objects/shape.ts'
import { mediaPath, urlOf } from '../media/media.ts'
import { mediaByIds } from '../media/queries.ts'
import { countWatchers } from './chat/queries.ts'
import { broadcastsByIds, sourcesByIds } from './queries.ts'
import { BROADCAST_ID, STATES, stateAt } from './state.ts'
import type { BroadcastRow, BroadcastSourceRow } from './tables.ts'

const { field, batched } = fieldsOf<BroadcastRow>()
const text = (description: string) => Type.String({ description })
const ms = (description: string, time: (row: BroadcastRow, now: number) => number | null) =>
  field(text(`${description}, in milliseconds.`), (row, { now }) => {
    const found = time(row, now)
    return found === null ? undefined : String(found)
  })
/** A time that is known once it has come. */
const reached = (time: number | null, now: number) => (time !== null && time <= now ? time : null)

/** What the source of a broadcast says. */
const ofSource =
  <Value extends 'width' | 'height' | 'high_latency'>(column: Value) =>
  async (page: readonly BroadcastRow[], { store }: View) => {
    const ids = [...new Set(page.flatMap(({ source_id }) => source_id ?? []))]
    const rows = ids.length === 0 ? [] : await store.all(sourcesByIds, { ids: JSON.stringify(ids) })
    const known = new Map(rows.map((row: BroadcastSourceRow) => [row.id, row[column]]))
    return ({ source_id }: BroadcastRow): number | undefined =>
      source_id === null ? undefined : known.get(source_id)
  }

/** The URLs of the pictures of broadcasts. */
export async function thumbnailsOf(
  page: readonly BroadcastRow[],
  { store, mediaOrigin }: Pick<View, 'store' | 'mediaOrigin'>,
): Promise<(row: BroadcastRow) => string | undefined> {
  const ids = [...new Set(page.flatMap(({ thumbnail_media_id }) => thumbnail_media_id ?? []))]
  const rows = ids.length === 0 ? [] : await store.all(mediaByIds, { ids: JSON.stringify(ids) })
  const known = new Map(rows.map((row) => [row.id, urlOf(mediaPath(row), { mediaOrigin }) ?? undefined]))
  return ({ thumbnail_media_id }) => (thumbnail_media_id === null ? undefined : known.get(thumbnail_media_id))
}

const image = (description: string) => batched(text(description), thumbnailsOf)

/** Users who watch or watched: in all, and those who are still there. */
const watchers = (column: 'watched' | 'here', description: string) =>
  batched(text(description), async (page, { store, now }) => {
    const rows = await store.all(countWatchers, { ids: JSON.stringify(page.map((row) => row.id)) })
    const counts = new Map(rows.map((row) => [row.broadcast_id, Number(row[column])]))
    const counted = (row: BroadcastRow) => column === 'watched' || stateAt(row, now) === 'Running'
    return (row) => String(counted(row) ? (counts.get(row.id) ?? 0) : 0)
  })

/** The language of a locale: `en` of `en_US`; `en` if it is not known. */
export const languageOf = ({ locale }: Pick<BroadcastRow, 'locale'>): string =>
  locale?.split(/[-_]/)[0]?.toLowerCase() || 'en'

const broadcastId = Type.String({ pattern: BROADCAST_ID, description: 'The broadcast.' })

const fields = {
  id: field(broadcastId, (row) => row.id),
  state: field(choice([...STATES], 'What became of it.', 'BroadcastState'), (row, { now }) =>
    stateAt(row, now),
  ),
  title: field(text('Title; may be empty.'), (row) => row.title),
  broadcast_id: field(broadcastId, (row) => row.id),
  available_for_replay: field(
    Type.Boolean({ description: 'Whether it can be watched after its end.' }),
    (row) => row.available_for_replay === 1,
  ),
  chat_option: field(Type.Integer({ description: 'Who may chat, as it was given.' }), (row) =>
    row.chat_option === null ? undefined : Number(row.chat_option),
  ),
  created_at_ms: ms('When it was created', (row) => row.created_at),
  end_ms: ms('When it ended', (row, now) => reached(row.ends_at, now)),
  height: batched(Type.Integer({ description: 'Height of the video.' }), ofSource('height')),
  image_url: image('The picture.'),
  image_url_medium: image('The picture. It is not scaled.'),
  image_url_small: image('The picture. It is not scaled.'),
  is_high_latency: batched(
    Type.Boolean({ description: 'Whether the video of the source is late.' }),
    async (page, view) => {
      const late = await ofSource('high_latency')(page, view)
      return (row) => late(row) === 1
    },
  ),
  language: field(text('The language of its locale.'), languageOf),
  scheduled_end_ms: ms('The scheduled end', (row) => row.scheduled_end),
  scheduled_start_ms: ms('The scheduled start', (row) => row.scheduled_start),
  source_id: field(text('The source of the video.'), (row) => row.source_id ?? undefined),
  start_ms: ms('When it started', (row, now) => reached(row.starts_at, now)),
  total_watched: watchers('watched', 'Number of users who have watched it.'),
  total_watching: watchers('here', 'Number of users who watch it now.'),
  service_user_id: field(id('Its owner.'), (row) => row.user_id),
  updated_at_ms: ms('When it was last changed', (row) => row.updated_at),
  width: batched(Type.Integer({ description: 'Width of the video.' }), ofSource('width')),
}

/** A live video (core reference, 09 section 7). To others than its owner, it does not exist. */
export const broadcast = objectShape<BroadcastRow>({
  name: 'broadcast',
  plural: 'broadcasts',
  component: 'Broadcast',
  description: 'A live video. Fields that were not requested, or are empty, are omitted.',
  fields,
  absent: ['media_key', 'post_id', 'share_url'],
  defaults: ['id', 'state', 'title', 'broadcast_id'],
  required: ['id', 'state', 'title', 'broadcast_id'],
  lookups: {
    id: {
      async load(ids, { store, userId }) {
        const rows = await store.all(broadcastsByIds, { ids: JSON.stringify(ids) })
        return rows.filter((row) => row.user_id === userId)
      },
      keyOf: (row) => row.id,
    },
  },
})
