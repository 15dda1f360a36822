import { objectEndpoint } from '../objects/endpoint.ts'
import { mediaKey } from './media-key.ts'
import { hiddenMedia } from './reply.ts'

/** GET /2/media/{media_key}: one medium. */
export const getMedium = objectEndpoint({
  id: 'getMedium',
  path: '/2/media/{media_key}',
  summary: 'Get a medium',
  description:
    'Returns a medium that the user uploaded, or one of a post that the caller may see. Any other is reported in `errors` with status 200.',
  source: 'Media',
  auth: ['app', 'user'],
  scopes: ['post.read'],
  limits: { app: '300/15m', user: '900/15m' },
  params: { media_key: mediaKey('The medium.') },
  returns: { object: 'media', count: 'one' },
  example: {
    params: { media_key: '3_1900000000000000003' },
    data: { media_key: '3_1900000000000000003', type: 'photo' },
  },
  find: async ({ principal, params: { media_key: key } }, context) => ({
    keys: [key],
    parameter: 'media_key',
    hidden: await hiddenMedia([key], principal.kind === 'user' ? principal.userId : undefined, context),
  }),
})
