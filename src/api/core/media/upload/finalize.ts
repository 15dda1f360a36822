import { finalizeUpload } from '../../../../domain/media/uploads.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { id } from '../../../../platform/http/schema.ts'
import { countForDay } from '../../../../platform/http/steps/count-day.ts'
import { endpoint } from '../endpoint.ts'
import { UploadReply, uploadReplyOf } from '../reply.ts'

/** POST /2/media/upload/{id}/finalize: the end of an upload in segments. */
export const finalizeMediumUpload = endpoint({
  id: 'finalizeMediumUpload',
  host: 'core',
  method: 'POST',
  path: '/2/media/upload/{id}/finalize',
  summary: 'End an upload in segments',
  description:
    'Makes a medium of the segments. GIFs and videos are processed then, and `processing_info` says when to ask for their state. Calling it again returns the same medium.',
  source: 'Media',
  auth: ['user'],
  scopes: ['media.write'],
  steps: [countForDay],
  limits: { user: '1875/15m', 'app-24hour': '180000/24h' },
  params: { id: id('The upload.') },
  reply: UploadReply,
  errors: ['media not found', 'media not readable', 'media segments wrong'],
  example: {
    params: { id: '1900000000000000000' },
    reply: {
      data: {
        id: '1900000000000000000',
        media_key: '7_1900000000000000000',
        size: 1_048_576,
        expires_after_secs: 86_400,
        video: { video_type: 'video/mp4' },
        processing_info: { state: 'pending', check_after_secs: 1 },
      },
    },
  },
  async handle({ principal: { userId }, params }, context) {
    const row = await finalizeUpload(params.id, { userId, context, idName: 'id' })
    return json(uploadReplyOf(row, context))
  },
})
