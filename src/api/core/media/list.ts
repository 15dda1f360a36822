import { ids } from '../../../platform/http/schema.ts'
import { objectEndpoint } from '../objects/endpoint.ts'
import { mediaKey } from './media-key.ts'
import { hiddenMedia } from './reply.ts'

const MAX_MEDIA = 100

/** GET /2/media: media by their keys. */
export const listMedia = objectEndpoint({
  id: 'listMedia',
  path: '/2/media',
  summary: 'Get media by their keys',
  description:
    'Returns up to 100 media in the order of `media_keys`: those that the user uploaded, and those of posts that the caller may see. All others are reported in `errors`.',
  source: 'Media',
  auth: ['app', 'user'],
  scopes: ['post.read'],
  limits: { app: '300/15m', user: '900/15m' },
  query: { media_keys: ids(mediaKey('A medium.'), 'The media.', MAX_MEDIA) },
  returns: { object: 'media', count: 'many' },
  example: { data: [{ media_key: '3_1900000000000000003', type: 'photo' }] },
  find: async ({ principal, query: { media_keys: keys } }, context) => ({
    keys,
    parameter: 'media_keys',
    hidden: await hiddenMedia(keys, principal.kind === 'user' ? principal.userId : undefined, context),
  }),
})
