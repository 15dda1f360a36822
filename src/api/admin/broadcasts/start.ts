import { startNow } from '../../../domain/broadcasts/series.ts'
import { isAhead } from '../../../domain/broadcasts/state.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { AdminBroadcast, broadcastId, EXAMPLE, presentBroadcast, theBroadcast } from './broadcast.ts'

/** POST /admin/v1/broadcasts/{broadcast_id}/start: starts a broadcast that has not started. */
export const startAdminBroadcast = dataEndpoint({
  ...ADMIN,
  id: 'startBroadcast',
  method: 'POST',
  path: '/admin/v1/broadcasts/{broadcast_id}/start',
  summary: 'Start a scheduled broadcast',
  description: 'Starts a broadcast that has not started, now. Its source need not receive video.',
  params: { broadcast_id: broadcastId },
  reply: closedObject({ data: AdminBroadcast }),
  errors: [...ADMIN.errors, 'not found', 'conflict'],
  example: { params: { broadcast_id: EXAMPLE.id }, reply: { data: EXAMPLE } },
  async handle({ params: { broadcast_id: id } }, { store, ids }) {
    const data = await store.write(async (tx) => {
      const row = await theBroadcast(tx, id)
      if (!isAhead(row, tx.now))
        throw apiError('conflict', { explanation: `The broadcast ${id} has started already.` })
      return presentBroadcast(await startNow(tx, row, { ids }), tx.now)
    })
    return json({ data })
  },
})
