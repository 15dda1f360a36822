import { broadcastsByIds } from '../../../../domain/broadcasts/queries.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { actionEndpoint } from '../../actions.ts'
import { broadcastId, LIMITS, READ_SCOPES, SOURCE, unknownBroadcast } from '../subject.ts'
import { RECORD, recordOf, recordReply } from './record.ts'

/** GET /2/broadcasts/scheduled/{id}: a scheduled broadcast of the caller. */
export const getScheduledBroadcast = actionEndpoint({
  id: 'getScheduledBroadcast',
  host: 'core',
  method: 'GET',
  path: '/2/broadcasts/scheduled/{id}',
  summary: 'Get a scheduled broadcast',
  description:
    'Returns a scheduled broadcast of the user, whatever became of it. One that does not exist, that was not scheduled, or that another user has is reported in `errors` with status 200.',
  source: SOURCE,
  auth: ['user'],
  scopes: READ_SCOPES,
  limits: LIMITS,
  params: { id: broadcastId },
  reply: recordReply,
  example: { params: { id: RECORD.broadcast_id }, reply: { data: RECORD } },
  async handle({ principal, params: { id } }, { store, clock, naming }) {
    const [row] = await store.all(broadcastsByIds, { ids: JSON.stringify([id]) })
    const isOwn = row?.user_id === principal.userId && row.scheduled_id !== null
    return json(isOwn ? { data: recordOf(row, clock.now()) } : { errors: [unknownBroadcast(id, naming)] })
  },
})
