import { Type } from 'typebox'
import { replaceScheduled } from '../../../../domain/broadcasts/series.ts'
import { msg } from '../../../../platform/http/message.ts'
import { closedComponent, flag, id } from '../../../../platform/http/schema.ts'
import { actionEndpoint } from '../../actions.ts'
import { wrong } from '../../posts/wrong.ts'
import { broadcastId, LIMITS, SOURCE, WRITE_SCOPES } from '../subject.ts'
import { readSettings, readTimes, settings, source, time } from './body.ts'
import { RECORD, recordOf, recordReply } from './record.ts'
import { changeScheduled, requireAhead } from './subject.ts'

/** PUT /2/broadcasts/scheduled/{id}: replaces a scheduled broadcast. */
export const updateScheduledBroadcast = actionEndpoint({
  id: 'updateScheduledBroadcast',
  host: 'core',
  method: 'PUT',
  path: '/2/broadcasts/scheduled/{id}',
  summary: 'Replace a scheduled broadcast',
  description:
    'Replaces a scheduled broadcast of the user that has not started. What the body does not name is dropped; series and telecast stay. With `roll_forward`, the later broadcasts of a series follow this one, otherwise they stay as they were.',
  source: SOURCE,
  auth: ['user'],
  scopes: WRITE_SCOPES,
  limits: LIMITS,
  params: { id: broadcastId },
  body: closedComponent('UpdateScheduledBroadcastBody', {
    ...settings,
    scheduled_broadcast_id: id('`scheduled_broadcast_id` of the broadcast in the path.'),
    scheduled_start_ms: time('The start'),
    scheduled_end_ms: time('The end'),
    source_id: Type.Optional(source),
    roll_forward: flag('Whether the later broadcasts of the series follow.'),
  }),
  reply: recordReply,
  errors: ['broadcast started'],
  example: {
    params: { id: RECORD.broadcast_id },
    body: {
      ...{ scheduled_broadcast_id: RECORD.scheduled_broadcast_id, source_id: RECORD.source_id },
      ...{ scheduled_start_ms: RECORD.scheduled_start_ms, scheduled_end_ms: RECORD.scheduled_end_ms },
      title: RECORD.title,
    },
    reply: { data: RECORD },
  },
  handle: ({ principal: { userId }, params, body }, dependencies) =>
    changeScheduled({ id: params.id, userId }, dependencies, async (tx, row) => {
      const { scheduled_broadcast_id: named, roll_forward: rollForward = false } = body
      if (String(BigInt(named)) !== row.scheduled_id)
        throw wrong('scheduled_broadcast_id', named, msg`The broadcast ${row.id} has another id.`)
      const times = readTimes(body, tx.now)
      requireAhead(row, tx.now)
      const read = await readSettings(tx, body, userId)
      const replaced = { ...read, telecast_id: row.telecast_id }
      const changed = await replaceScheduled(tx, row, { times, settings: replaced, rollForward })
      return { data: recordOf(changed, tx.now) }
    }),
})
