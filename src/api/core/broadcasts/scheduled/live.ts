import { sourceById } from '../../../../domain/broadcasts/queries.ts'
import { startNow } from '../../../../domain/broadcasts/series.ts'
import { isAhead } from '../../../../domain/broadcasts/state.ts'
import { invalid } from '../../../../platform/http/errors.ts'
import { msg } from '../../../../platform/http/message.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import { actionEndpoint } from '../../actions.ts'
import { broadcastId, LIMITS, SOURCE, WRITE_SCOPES } from '../subject.ts'
import { RECORD, recordOf, recordReply } from './record.ts'
import { changeScheduled } from './subject.ts'

/** POST /2/broadcasts/scheduled/{id}/live: starts a broadcast that waits for this call. */
export const goLiveScheduledBroadcast = actionEndpoint({
  id: 'goLiveScheduledBroadcast',
  host: 'core',
  method: 'POST',
  path: '/2/broadcasts/scheduled/{id}/live',
  summary: 'Go live with a scheduled broadcast',
  description:
    'Starts a broadcast of the user with `manual_publish` now, before or after its scheduled start. Its source must be receiving video. Others start by themselves: the call is rejected.',
  source: SOURCE,
  auth: ['user'],
  scopes: WRITE_SCOPES,
  limits: LIMITS,
  params: { id: broadcastId },
  reply: recordReply,
  errors: ['broadcast running', 'source not receiving'],
  example: {
    params: { id: RECORD.broadcast_id },
    reply: { data: { ...RECORD, state: 'Running', manual_publish: true } },
  },
  handle: ({ principal: { userId }, params: { id } }, dependencies) =>
    changeScheduled({ id, userId }, dependencies, async (tx, row) => {
      if (row.manual_publish === 0) {
        const explanation = msg`The broadcast [${id}] starts at its scheduled time`
        throw invalid({ place: 'path', name: 'id', value: id, fault: { kind: 'rule', explanation } })
      }
      if (!isAhead(row, tx.now)) throw apiError('broadcast running')
      const source = row.source_id === null ? undefined : await tx.first(sourceById, { id: row.source_id })
      if (source?.receiving !== 1) throw apiError('source not receiving')
      return { data: recordOf(await startNow(tx, row, dependencies), tx.now) }
    }),
})
