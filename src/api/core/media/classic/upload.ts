import { Type } from 'typebox'
import { MAX_SEGMENT_BYTES } from '../../../../domain/media/upload-rules.ts'
import { appendSegment, finalizeUpload, openUpload, uploadWhole } from '../../../../domain/media/uploads.ts'
import { empty, json } from '../../../../platform/http/reply-kinds.ts'
import { id } from '../../../../platform/http/schema.ts'
import { endpoint } from '../endpoint.ts'
import {
  announcedOf,
  base64,
  command,
  contentOf,
  MAX_FORM_BYTES,
  MAX_MULTIPART_BYTES,
  mediaType,
  newUpload,
  requireParameter,
  segmentIndex,
  totalBytes,
  uploadInputOf,
} from '../parameters.ts'
import { ClassicUpload, classicReplyOf } from '../reply.ts'

const parameters = {
  command,
  media_data: base64(
    MAX_SEGMENT_BYTES,
    'The file or segment in Base64. A multipart body can hold the bytes as the file `media` instead.',
  ),
  media: base64(
    MAX_SEGMENT_BYTES,
    'The same as `media_data`, as older clients call it. In a multipart body: the file, as bytes.',
  ),
  ...newUpload,
  media_type: mediaType,
  total_bytes: totalBytes,
  media_id: Type.Optional(id('With `APPEND` and `FINALIZE`: the upload.')),
  segment_index: segmentIndex,
}

/** POST /1.1/media/upload.json: the upload endpoint of client libraries. */
export const uploadMedia = endpoint({
  id: 'uploadMedia',
  host: 'core',
  method: 'POST',
  path: '/1.1/media/upload.json',
  aliases: ['/1.1/media/upload'],
  summary: 'Upload an image, GIF or video',
  description:
    'Images up to 5 MB, GIFs and videos up to 15 MB can be sent in one request. Videos up to 512 MB, and optionally all others, are sent in segments of up to 5 MB: `INIT` (202), `APPEND` for each segment (204), `FINALIZE` (201). A medium that is not used within a day is deleted.',
  source: 'Creatives (reference: media library)',
  auth: ['user'],
  scopes: ['media.write'],
  limits: { user: '615/15m' },
  form: parameters,
  maxBodyBytes: MAX_FORM_BYTES,
  multipart: { maxBytes: MAX_MULTIPART_BYTES, file: 'media' },
  reply: ClassicUpload,
  otherStatuses: {
    201: 'With `FINALIZE`: the medium, or the progress of its processing.',
    202: 'With `INIT`: the upload, ready for its segments.',
    204: 'With `APPEND`: the segment was stored.',
  },
  errors: [
    'media not readable',
    'media too large',
    'media quota exceeded',
    'media not found',
    'media segments wrong',
  ],
  example: {
    reply: {
      media_id: '1900000000000000000',
      media_id_string: '1900000000000000000',
      media_key: '3_1900000000000000000',
      size: 11065,
      expires_after_secs: 86_400,
      image: { image_type: 'image/jpeg', w: 800, h: 320 },
    },
  },
  async handle({ principal, form, files }, context) {
    const need = requireParameter(context)
    const content = () => contentOf(form, files, 'media_data', need)
    const at = { userId: principal.userId, context }
    switch (form.command) {
      case 'INIT':
        return json(classicReplyOf(await openUpload(announcedOf(form, need), at), context), 202)
      case 'APPEND': {
        const place = { mediaId: need(form, 'media_id'), index: need(form, 'segment_index') }
        await appendSegment(place, await content(), at)
        return empty()
      }
      case 'FINALIZE':
        return json(classicReplyOf(await finalizeUpload(need(form, 'media_id'), at), context), 201)
      default:
        return json(
          classicReplyOf(
            await uploadWhole({ ...uploadInputOf(form), content: await content() }, at),
            context,
          ),
        )
    }
  },
})
