import { Type } from 'typebox'
import { putWatcher } from '../../../domain/broadcasts/chat/queries.ts'
import { stateAt } from '../../../domain/broadcasts/state.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedComponent, closedObject, id } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { userName } from '../users/user.ts'
import { broadcastId, EXAMPLE, theBroadcast } from './broadcast.ts'

const Watcher = closedComponent('BroadcastWatcher', {
  broadcast_id: broadcastId,
  user_id: id('The user.'),
  watching: Type.Boolean({ description: 'Whether the user watches.' }),
})

/** Declares that a user begins or ends to watch. */
const watching = (isWatching: boolean) =>
  dataEndpoint({
    ...ADMIN,
    id: isWatching ? 'watchBroadcast' : 'leaveBroadcast',
    method: isWatching ? 'PUT' : 'DELETE',
    path: '/admin/v1/broadcasts/{broadcast_id}/watchers/{user}',
    summary: isWatching ? 'Watch a broadcast' : 'Leave a broadcast',
    description: isWatching
      ? 'A user watches a running broadcast of another user, until the user leaves or it ends. Repeating it changes nothing.'
      : 'A user no longer watches a running broadcast. The user stays among those who have watched it.',
    params: { broadcast_id: broadcastId, user: userName('Id or screen name of the user.') },
    reply: closedObject({ data: Watcher }),
    errors: [...ADMIN.errors, 'not found', 'conflict'],
    example: {
      params: { broadcast_id: EXAMPLE.id, user: 'ann' },
      reply: { data: { broadcast_id: EXAMPLE.id, user_id: EXAMPLE.owner_id, watching: isWatching } },
    },
    async handle({ params: { broadcast_id, user } }, { store }) {
      const user_id = await store.write(async (tx) => {
        const row = await theBroadcast(tx, broadcast_id)
        const watcher = await theUser(tx, user)
        const refuse = (explanation: string) => apiError('conflict', { explanation })
        if (stateAt(row, tx.now) !== 'Running') throw refuse(`The broadcast ${row.id} is not running.`)
        if (watcher.id === row.user_id) throw refuse('The owner of a broadcast does not watch it.')
        await tx.run(putWatcher, { broadcast: row.id, user: watcher.id, gone: Number(!isWatching) })
        return watcher.id
      })
      return json({ data: { broadcast_id, user_id, watching: isWatching } })
    },
  })

/** PUT /admin/v1/broadcasts/{broadcast_id}/watchers/{user}. */
export const watchAnyBroadcast = watching(true)
/** DELETE /admin/v1/broadcasts/{broadcast_id}/watchers/{user}. */
export const leaveAnyBroadcast = watching(false)
