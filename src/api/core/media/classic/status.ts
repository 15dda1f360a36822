import { uploadSeenBy } from '../../../../domain/media/uploads.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { choice, id } from '../../../../platform/http/schema.ts'
import { endpoint } from '../endpoint.ts'
import { ClassicUpload, classicReplyOf } from '../reply.ts'

/** GET /1.1/media/upload.json: the progress of an upload. */
export const getMediaUpload = endpoint({
  id: 'getMediaUpload',
  host: 'core',
  method: 'GET',
  path: '/1.1/media/upload.json',
  aliases: ['/1.1/media/upload'],
  summary: 'Get the state of an upload',
  description:
    'Returns the progress of a GIF or video after `FINALIZE`, until its processing succeeds or fails.',
  source: 'Creatives (reference: media library)',
  auth: ['user'],
  scopes: ['read', 'media.write'],
  limits: { user: '1000/15m' },
  query: { command: choice(['STATUS'], 'Command.'), media_id: id('The upload.') },
  reply: ClassicUpload,
  errors: ['media not found'],
  async handle({ principal, query }, context) {
    const row = await uploadSeenBy(query.media_id, { userId: principal.userId, context })
    return json(classicReplyOf(row, context))
  },
})
