import { Type } from 'typebox'
import { MAX_SEGMENT_BYTES } from '../../../../domain/media/upload-rules.ts'
import { appendSegment } from '../../../../domain/media/uploads.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { component, id } from '../../../../platform/http/schema.ts'
import { countForDay } from '../../../../platform/http/steps/count-day.ts'
import { endpoint } from '../endpoint.ts'
import {
  base64,
  contentOf,
  MAX_FORM_BYTES,
  MAX_MULTIPART_BYTES,
  requireParameter,
  segmentIndex,
} from '../parameters.ts'

const closed = { additionalProperties: false }

/** POST /2/media/upload/{id}/append: one segment. */
export const appendMediumUpload = endpoint({
  id: 'appendMediumUpload',
  host: 'core',
  method: 'POST',
  path: '/2/media/upload/{id}/append',
  summary: 'Send a segment of an upload',
  description:
    'Stores a segment of up to 5 MB. Segments may come in any order; one that is sent again replaces the earlier one.',
  source: 'Media',
  auth: ['user'],
  scopes: ['media.write'],
  steps: [countForDay],
  limits: { user: '1875/15m', 'app-24hour': '180000/24h' },
  params: { id: id('The upload.') },
  form: {
    media: base64(MAX_SEGMENT_BYTES, 'The segment in Base64. In a multipart body: the segment, as bytes.'),
    segment_index: segmentIndex,
  },
  maxBodyBytes: MAX_FORM_BYTES,
  multipart: { maxBytes: MAX_MULTIPART_BYTES, file: 'media' },
  reply: Type.Object(
    {
      data: component(
        'AppendedSegment',
        Type.Object(
          { expires_at: Type.Integer({ description: 'When the upload expires: seconds since the epoch.' }) },
          closed,
        ),
      ),
    },
    closed,
  ),
  errors: ['media not found', 'media not readable', 'media too large', 'media segments wrong'],
  example: { params: { id: '1900000000000000000' }, reply: { data: { expires_at: 1_767_225_600 } } },
  async handle({ principal: { userId }, params, form, files }, context) {
    const need = requireParameter(context)
    const place = { mediaId: params.id, index: need(form, 'segment_index') }
    const content = await contentOf(form, files, 'media', need)
    const { expires_at } = await appendSegment(place, content, { userId, context, idName: 'id' })
    return json({ data: { expires_at: Math.floor((expires_at ?? 0) / 1000) } })
  },
})
