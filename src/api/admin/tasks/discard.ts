import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { removeDeadLetter } from '../../../platform/queue/queries.ts'
import { Deleted } from '../../core/deleted.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { EXAMPLE, taskId, theDeadLetter } from './dead-letter.ts'

/** DELETE /admin/v1/tasks/dead_letters/{task_id}: deletes a dead letter. */
export const discardDeadLetter = dataEndpoint({
  ...ADMIN,
  id: 'discardDeadLetter',
  method: 'DELETE',
  path: '/admin/v1/tasks/dead_letters/{task_id}',
  summary: 'Delete a dead letter',
  description: 'Deletes a task that has no attempts left. What it was to do stays undone.',
  params: { task_id: taskId },
  reply: closedObject({ data: Deleted }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { task_id: EXAMPLE.id }, reply: { data: { deleted: true } } },
  async handle({ params: { task_id } }, { store }) {
    await store.write(async (tx) => {
      const { id } = await theDeadLetter(tx, task_id)
      await tx.run(removeDeadLetter, { id })
    })
    return json({ data: { deleted: true } })
  },
})
