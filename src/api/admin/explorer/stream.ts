import { Type } from 'typebox'
import { stream } from '../../../platform/http/reply-kinds.ts'
import { choice, closedObject, text } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { WrongValue } from '../../../workbench/create/wrong.ts'
import { NoCaller } from '../../../workbench/explorer/callers.ts'
import { NotShowable } from '../../../workbench/explorer/explorer.ts'
import { LIVE_STREAMS, openLive, passLines } from '../../../workbench/explorer/live.ts'
import { ADMIN, endpoint } from '../endpoint.ts'

/** GET /admin/v1/explorer/streams/{stream}: a stream as an app receives it. */
export const followStream = endpoint({
  ...ADMIN,
  id: 'followStream',
  method: 'GET',
  path: '/admin/v1/explorer/streams/{stream}',
  summary: 'Follow a stream as an app',
  description:
    'Opens a stream of the core API with the bearer token of an app, and passes its lines on. It counts as a connection of the app. Empty lines keep the connection alive.',
  replyKind: 'stream',
  params: { stream: choice([...LIVE_STREAMS], 'The stream.') },
  query: { app_id: Type.Optional(text(1, 19, 'The app. Default: the first one.')) },
  reply: closedObject({ data: closedObject({ text: Type.String({ description: 'A line.' }) }) }),
  errors: [...ADMIN.errors, 'conflict'],
  example: { params: { stream: 'posts' }, reply: { data: { text: '{"data":{"id":"1"}}' } } },
  async handle({ params, query }, { explorer }) {
    try {
      const opened = await openLive(params.stream, query.app_id, explorer)
      return stream((sink, signal) => passLines(opened, sink, signal), opened.close)
    } catch (error) {
      if (error instanceof NoCaller) throw new WrongValue('app_id', query.app_id ?? '', error.message)
      if (error instanceof NotShowable) throw apiError('conflict', { explanation: error.message })
      throw error
    }
  },
})
