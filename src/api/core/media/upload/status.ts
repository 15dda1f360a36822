import { Type } from 'typebox'
import { uploadSeenBy } from '../../../../domain/media/uploads.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { choice, id } from '../../../../platform/http/schema.ts'
import { countForDay } from '../../../../platform/http/steps/count-day.ts'
import { endpoint } from '../endpoint.ts'
import { UploadReply, uploadReplyOf } from '../reply.ts'

/** GET /2/media/upload: the progress of an upload. */
export const getMediumUpload = endpoint({
  id: 'getMediumUpload',
  host: 'core',
  method: 'GET',
  path: '/2/media/upload',
  summary: 'Get the state of an upload',
  description:
    'Returns an upload, with the progress of a GIF or video until its processing succeeds or fails.',
  source: 'Media',
  auth: ['user'],
  scopes: ['media.write'],
  steps: [countForDay],
  limits: { user: '1000/15m', 'app-24hour': '100000/24h' },
  query: { command: Type.Optional(choice(['STATUS'], 'Command.')), media_id: id('The upload.') },
  reply: UploadReply,
  errors: ['media not found'],
  example: {
    reply: {
      data: {
        id: '1900000000000000000',
        media_key: '7_1900000000000000000',
        size: 1_048_576,
        expires_after_secs: 86_310,
        video: { video_type: 'video/mp4' },
        processing_info: { state: 'succeeded', progress_percent: 100 },
      },
    },
  },
  async handle({ principal: { userId }, query }, context) {
    return json(uploadReplyOf(await uploadSeenBy(query.media_id, { userId, context }), context))
  },
})
