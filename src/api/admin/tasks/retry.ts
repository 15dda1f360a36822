import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { channelOf } from '../../../platform/queue/enqueue.ts'
import { reviveTask } from '../../../platform/queue/queries.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { EXAMPLE, taskId, theDeadLetter } from './dead-letter.ts'

/** POST /admin/v1/tasks/dead_letters/{task_id}/retry: runs a dead letter again. */
export const retryDeadLetter = dataEndpoint({
  ...ADMIN,
  id: 'retryDeadLetter',
  method: 'POST',
  path: '/admin/v1/tasks/dead_letters/{task_id}/retry',
  summary: 'Run a dead letter again',
  description: 'Runs a task again with all attempts, at once.',
  params: { task_id: taskId },
  reply: closedObject({ data: closedObject({ retried: Type.Boolean() }) }),
  errors: [...ADMIN.errors, 'not found', 'conflict'],
  example: { params: { task_id: EXAMPLE.id }, reply: { data: { retried: true } } },
  async handle({ params: { task_id } }, { store }) {
    await store.write(async (tx) => {
      const { id, kind } = await theDeadLetter(tx, task_id)
      tx.notify(channelOf(kind))
      if ((await tx.run(reviveTask, { id, now: tx.now })) > 0) return
      throw apiError('conflict', { explanation: 'a newer task already does the same: discard this one' })
    })
    return json({ data: { retried: true } })
  },
})
