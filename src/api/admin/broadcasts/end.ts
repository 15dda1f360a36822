import { changeBroadcast } from '../../../domain/broadcasts/broadcasts.ts'
import { removeScheduled } from '../../../domain/broadcasts/series.ts'
import { isAhead, stateAt } from '../../../domain/broadcasts/state.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choice, closedComponent, closedObject, flag } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { broadcastId, EXAMPLE, theBroadcast } from './broadcast.ts'

const EndedBroadcast = closedComponent('EndedBroadcast', {
  id: broadcastId,
  state: choice(['Ended', 'Error', 'removed'], 'A broadcast that has not started is removed.'),
})

/** POST /admin/v1/broadcasts/{broadcast_id}/end: ends a broadcast. */
export const endAdminBroadcast = dataEndpoint({
  ...ADMIN,
  id: 'endBroadcast',
  method: 'POST',
  path: '/admin/v1/broadcasts/{broadcast_id}/end',
  summary: 'End a broadcast',
  description:
    'Ends a running broadcast now, as one that failed if `failed` is true. One that has not started is removed, and its series ends.',
  params: { broadcast_id: broadcastId },
  body: closedObject({ failed: flag('Whether its state is `Error` from then on.') }),
  reply: closedObject({ data: EndedBroadcast }),
  errors: [...ADMIN.errors, 'not found', 'conflict'],
  example: {
    params: { broadcast_id: EXAMPLE.id },
    body: {},
    reply: { data: { id: EXAMPLE.id, state: 'Ended' } },
  },
  async handle({ params: { broadcast_id: id }, body: { failed = false } }, { store, ids }) {
    const state = await store.write(async (tx) => {
      const row = await theBroadcast(tx, id)
      if (isAhead(row, tx.now)) {
        await removeScheduled(tx, row, { rollForward: false, ids })
        return 'removed' as const
      }
      if (stateAt(row, tx.now) !== 'Running')
        throw apiError('conflict', { explanation: `The broadcast ${id} has ended already.` })
      await changeBroadcast(tx, { ...row, ends_at: tx.now, failed: Number(failed) })
      return failed ? ('Error' as const) : ('Ended' as const)
    })
    return json({ data: { id, state } })
  },
})
