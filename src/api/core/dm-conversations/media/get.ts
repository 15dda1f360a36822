import { Type } from 'typebox'
import { eventsSeenBy } from '../../../../domain/direct-messages/queries.ts'
import { idIn } from '../../../../domain/media/media.ts'
import { fileNamed } from '../../../../domain/media/message-files.ts'
import { mediaById } from '../../../../domain/media/queries.ts'
import { id } from '../../../../platform/http/schema.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import { endpoint } from '../../media/endpoint.ts'
import { fileReply } from '../../media/file-reply.ts'

/** GET /2/dm_conversations/media/…: a file of a direct message (core reference, 06 section 9). */
export const getDmMedia = endpoint({
  id: 'getDmMedia',
  host: 'core',
  method: 'GET',
  path: '/2/dm_conversations/media/{dm_id}/{media_id}/{resource_id}',
  summary: 'Get a file of a direct message',
  description:
    'Returns the bytes of an image or a video of a message, or the range that a `Range` header requests. `url`, `preview_image_url` and `variants` of the medium contain this path. Only users who see the message get the file; for all others, it does not exist.',
  source: 'Core reference, 06 section 9',
  auth: ['user'],
  scopes: ['dm.read'],
  limits: { user: '900/15m' },
  params: {
    dm_id: id('The message.'),
    media_id: id('The medium.'),
    resource_id: Type.String({ pattern: '^[a-zA-Z0-9_.-]{1,50}$', description: 'Name of the file.' }),
  },
  replyKind: 'file',
  reply: Type.Object({}, { additionalProperties: false }),
  onInvalid: 'not found',
  errors: ['not found'],
  async handle({ principal, params, headers }, context) {
    const { dm_id, media_id, resource_id } = params
    const seen = { ids: JSON.stringify([dm_id]), viewer: principal.userId }
    const [message] = await context.store.all(eventsSeenBy, seen)
    const keys = message ? (JSON.parse(message.media_keys) as string[]) : []
    const medium = keys.map(idIn).includes(media_id)
      ? await context.store.first(mediaById, { id: media_id })
      : undefined
    const path = medium && fileNamed(medium, resource_id)
    if (path === undefined) throw apiError('not found', resource_id)
    return fileReply(path.slice('/media/'.length), headers.range, context, 'private')
  },
})
