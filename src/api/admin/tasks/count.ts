import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choice, closedComponent, closedObject } from '../../../platform/http/schema.ts'
import { countTasks } from '../../../platform/queue/queries.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'

const TaskCount = closedComponent('TaskCount', {
  kind: Type.String({ description: 'The kind of task.' }),
  state: choice(['waiting', 'running', 'dead'], 'Dead tasks have no attempts left.'),
  count: Type.Integer({ minimum: 1 }),
})

/** GET /admin/v1/tasks/counts: background tasks by kind and state. */
export const countAllTasks = dataEndpoint({
  ...ADMIN,
  id: 'countTasks',
  method: 'GET',
  path: '/admin/v1/tasks/counts',
  summary: 'Count background tasks',
  description: 'Counts background tasks by kind and state.',
  reply: closedObject({ data: Type.Array(TaskCount) }),
  example: { reply: { data: [{ kind: 'check webhook', state: 'waiting', count: 3 }] } },
  async handle(_call, { store, clock }) {
    const rows = await store.all(countTasks, { now: clock.now() })
    return json({
      data: rows.map(({ kind, state, count }) => ({
        kind,
        state: state as 'waiting' | 'running' | 'dead',
        count: Number(count),
      })),
    })
  },
})
