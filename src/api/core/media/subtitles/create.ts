import { type Static, Type } from 'typebox'
import { addSubtitles, MAX_LANGUAGES } from '../../../../domain/media/subtitles.ts'
import { msg } from '../../../../platform/http/message.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { component, id, text } from '../../../../platform/http/schema.ts'
import { countForDay } from '../../../../platform/http/steps/count-day.ts'
import type { Transaction } from '../../../../platform/storage/store.ts'
import { actionEndpoint } from '../../actions.ts'
import { wrong } from '../../posts/wrong.ts'
import { categoryOf, languageCode, ofVideo, owned, ownVideo } from './owned.ts'

const closed = { additionalProperties: false }
const MAX_NAME = 100

const track = component(
  'Subtitles',
  Type.Object(
    {
      id: id('The uploaded file of subtitles.'),
      language_code: languageCode,
      display_name: text(1, MAX_NAME, 'Name of the language, for readers.'),
    },
    closed,
  ),
)
const body = component('SubtitlesBody', Type.Object({ ...ofVideo, subtitles: track }, closed))

/** POST /2/media/subtitles: subtitles of a video. */
export const createSubtitles = actionEndpoint({
  id: 'createSubtitles',
  host: 'core',
  method: 'POST',
  path: '/2/media/subtitles',
  summary: 'Add subtitles to a video',
  description:
    'Gives a video of the user an uploaded file of subtitles, before or after posts show it. Subtitles in the same language are replaced. The reply has all subtitles of the video.',
  source: 'Media',
  auth: ['user'],
  scopes: ['media.write'],
  steps: [countForDay],
  limits: { user: '100/15m', 'app-24hour': '10000/24h' },
  body,
  reply: Type.Object(
    {
      data: component(
        'SubtitledVideo',
        Type.Object(
          {
            ...ofVideo,
            associated_subtitles: Type.Array(track, { description: 'Subtitles of the video, by language.' }),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
  example: {
    body: {
      id: '1900000000000000003',
      media_category: 'PostVideo',
      subtitles: { id: '1900000000000000004', language_code: 'en', display_name: 'English' },
    },
    reply: {
      data: {
        id: '1900000000000000003',
        media_category: 'PostVideo',
        associated_subtitles: [{ id: '1900000000000000004', language_code: 'en', display_name: 'English' }],
      },
    },
  },
  async handle({ principal: { userId }, body: input }, { store }) {
    return json({ data: await store.write((tx) => add(tx, input, userId)) })
  },
})

async function add(tx: Transaction, input: Static<typeof body>, userId: string) {
  const { id: subtitles_id, ...track } = input.subtitles
  const video = await ownVideo(tx, input, userId)
  await owned(tx, { name: 'subtitles.id', id: subtitles_id, kind: 'SUBTITLES' }, userId)
  const all = await addSubtitles(tx, { media_id: video.id, subtitles_id, ...track })
  if (!all) throw wrong('id', video.id, msg`A video has subtitles in up to ${MAX_LANGUAGES} languages.`)
  return {
    id: video.id,
    media_category: categoryOf(video),
    associated_subtitles: all.map(({ subtitles_id, language_code, display_name }) => ({
      id: subtitles_id,
      language_code,
      display_name,
    })),
  }
}
