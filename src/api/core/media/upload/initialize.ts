import { Type } from 'typebox'
import { openUpload } from '../../../../domain/media/uploads.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { countForDay } from '../../../../platform/http/steps/count-day.ts'
import { endpoint } from '../endpoint.ts'
import { announcedOf, knownType, newUpload, requireParameter, totalBytes } from '../parameters.ts'
import { UploadReply, uploadReplyOf } from '../reply.ts'

/** POST /2/media/upload/initialize: the beginning of an upload in segments. */
export const initializeMediumUpload = endpoint({
  id: 'initializeMediumUpload',
  host: 'core',
  method: 'POST',
  path: '/2/media/upload/initialize',
  summary: 'Begin an upload in segments',
  description:
    'Announces a file: an image up to 5 MB, a GIF up to 15 MB, or a video up to 512 MB. The upload expects its segments within a day. Without `media_category`, `media_type` is required.',
  source: 'Media',
  auth: ['user'],
  scopes: ['media.write'],
  steps: [countForDay],
  limits: { user: '1875/15m', 'app-24hour': '180000/24h' },
  form: { media_type: Type.Optional(knownType), total_bytes: totalBytes, ...newUpload },
  reply: UploadReply,
  errors: ['media not readable', 'media too large', 'media quota exceeded'],
  example: {
    reply: {
      data: {
        id: '1900000000000000000',
        media_key: '7_1900000000000000000',
        expires_after_secs: 1_800,
      },
    },
  },
  async handle({ principal: { userId }, form }, context) {
    const row = await openUpload(announcedOf(form, requireParameter(context)), { userId, context })
    return json(uploadReplyOf(row, context))
  },
})
