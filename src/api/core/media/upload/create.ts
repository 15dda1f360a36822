import { Type } from 'typebox'
import { MAX_WHOLE_BYTES } from '../../../../domain/media/upload-rules.ts'
import { uploadWhole } from '../../../../domain/media/uploads.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { countForDay } from '../../../../platform/http/steps/count-day.ts'
import { endpoint } from '../endpoint.ts'
import {
  base64,
  base64Length,
  contentOf,
  knownType,
  MAX_MULTIPART_BYTES,
  newUpload,
  requireParameter,
  uploadInputOf,
} from '../parameters.ts'
import { UploadReply, uploadReplyOf } from '../reply.ts'

/** In addition to the file: the other parameters. */
const OVERHEAD_BYTES = 64 * 1024

/** POST /2/media/upload: a file in one request. */
export const uploadMedium = endpoint({
  id: 'uploadMedium',
  host: 'core',
  method: 'POST',
  path: '/2/media/upload',
  summary: 'Upload a file in one request',
  description:
    'Uploads an image up to 5 MB, or a GIF or video up to 15 MB. Larger videos are sent in segments. A medium that is not used within a day is deleted.',
  source: 'Media',
  auth: ['user'],
  scopes: ['media.write'],
  steps: [countForDay],
  limits: { user: '500/15m', 'app-24hour': '50000/24h' },
  form: {
    media: base64(MAX_WHOLE_BYTES, 'The file in Base64. In a multipart body: the file, as bytes.'),
    media_type: Type.Optional(knownType),
    ...newUpload,
  },
  maxBodyBytes: base64Length(MAX_WHOLE_BYTES) + OVERHEAD_BYTES,
  multipart: { maxBytes: MAX_MULTIPART_BYTES, file: 'media' },
  reply: UploadReply,
  errors: ['media not readable', 'media too large', 'media quota exceeded'],
  example: {
    reply: {
      data: {
        id: '1900000000000000000',
        media_key: '3_1900000000000000000',
        size: 11065,
        expires_after_secs: 86_400,
        image: { image_type: 'image/jpeg', w: 800, h: 320 },
      },
    },
  },
  async handle({ principal: { userId }, form, files }, context) {
    const content = await contentOf(form, files, 'media', requireParameter(context))
    const input = { ...uploadInputOf(form), contentType: form.media_type, content }
    return json(uploadReplyOf(await uploadWhole(input, { userId, context }), context))
  },
})
