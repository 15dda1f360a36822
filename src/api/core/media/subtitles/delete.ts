import { Type } from 'typebox'
import { removeLanguage } from '../../../../domain/media/subtitles.ts'
import { msg } from '../../../../platform/http/message.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { component } from '../../../../platform/http/schema.ts'
import { countForDay } from '../../../../platform/http/steps/count-day.ts'
import { actionEndpoint } from '../../actions.ts'
import { wrong } from '../../posts/wrong.ts'
import { languageCode, ofVideo, ownVideo } from './owned.ts'

const closed = { additionalProperties: false }

/** DELETE /2/media/subtitles: removes subtitles from a video. */
export const deleteSubtitles = actionEndpoint({
  id: 'deleteSubtitles',
  host: 'core',
  method: 'DELETE',
  path: '/2/media/subtitles',
  summary: 'Remove subtitles from a video',
  description: 'Takes the subtitles of one language from a video of the user.',
  source: 'Media',
  auth: ['user'],
  scopes: ['media.write'],
  steps: [countForDay],
  limits: { user: '100/15m', 'app-24hour': '10000/24h' },
  body: component('SubtitlesRemovalBody', Type.Object({ ...ofVideo, language_code: languageCode }, closed)),
  reply: Type.Object(
    {
      data: component(
        'SubtitlesRemoval',
        Type.Object({ deleted: Type.Boolean({ description: 'Whether they were removed.' }) }, closed),
      ),
    },
    closed,
  ),
  example: {
    body: { id: '1900000000000000003', media_category: 'PostVideo', language_code: 'en' },
    reply: { data: { deleted: true } },
  },
  async handle({ principal: { userId }, body }, { store }) {
    const language = body.language_code
    await store.write(async (tx) => {
      const video = await ownVideo(tx, body, userId)
      if (!(await removeLanguage(tx, video.id, language)))
        throw wrong('language_code', language, msg`The video ${video.id} has no subtitles in ${language}.`)
    })
    return json({ data: { deleted: true } })
  },
})
