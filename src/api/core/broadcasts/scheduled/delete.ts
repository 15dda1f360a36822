import { Type } from 'typebox'
import { removeScheduled } from '../../../../domain/broadcasts/series.ts'
import { flag } from '../../../../platform/http/schema.ts'
import { actionEndpoint, actionReply } from '../../actions.ts'
import { broadcastId, LIMITS, SOURCE, WRITE_SCOPES } from '../subject.ts'
import { RECORD } from './record.ts'
import { changeScheduled, requireAhead } from './subject.ts'

/** DELETE /2/broadcasts/scheduled/{id}: a scheduled broadcast that has not started. */
export const deleteScheduledBroadcast = actionEndpoint({
  id: 'deleteScheduledBroadcast',
  host: 'core',
  method: 'DELETE',
  path: '/2/broadcasts/scheduled/{id}',
  summary: 'Delete a scheduled broadcast',
  description:
    'Deletes a scheduled broadcast of the user that has not started. With `roll_forward`, its series goes on with the next broadcast, otherwise the series ends.',
  source: SOURCE,
  auth: ['user'],
  scopes: WRITE_SCOPES,
  limits: LIMITS,
  params: { id: broadcastId },
  query: { roll_forward: flag('Whether the series goes on.') },
  reply: actionReply('DeletedScheduledBroadcast', { deleted: Type.Boolean() }),
  errors: ['broadcast started'],
  example: { params: { id: RECORD.broadcast_id }, reply: { data: { deleted: true } } },
  handle: (
    { principal: { userId }, params: { id }, query: { roll_forward: rollForward = false } },
    dependencies,
  ) =>
    changeScheduled({ id, userId }, dependencies, async (tx, row) => {
      requireAhead(row, tx.now)
      await removeScheduled(tx, row, { rollForward, ids: dependencies.ids })
      return { data: { deleted: true } }
    }),
})
