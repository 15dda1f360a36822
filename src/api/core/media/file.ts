import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { fileReply } from './file-reply.ts'

/** GET /media/{file}: the file of a `media_url`. Anyone who knows its name may get it. */
export const getMediaFile = endpoint({
  id: 'getMediaFile',
  host: 'core',
  method: 'GET',
  path: '/media/{file}',
  summary: 'Get the file of a medium',
  description: 'Returns the bytes of a `media_url`, or the range that a `Range` header requests.',
  source: 'Creatives (reference: media library)',
  auth: ['none'],
  params: {
    file: Type.String({
      pattern: '^[0-9a-f]{64}\\.[a-z0-9]{3,4}$',
      description: 'Name of the file, derived from its content.',
    }),
  },
  replyKind: 'page',
  reply: Type.Unsafe<never>({ description: 'The file.' }),
  onInvalid: 'not found',
  errors: ['not found'],
  handle: ({ params, headers }, context) => fileReply(params.file, headers.range, context),
})
