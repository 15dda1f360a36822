import { requestsTo } from '../../identity/relations/queries.ts'
import { acceptRequests } from '../../identity/relations/tasks.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import { waitingTask } from '../../platform/queue/queries.ts'
import { query } from '../tables.ts'
import { type Comparison, inPages } from './comparison.ts'

const pageOfPublicUsers = query<{ after: string; limit: number }, { id: string; source: string | null }>(
  'checkedPublicUsers',
  (db, at) =>
    db
      .selectFrom('users')
      .select('users.id')
      .select((on) =>
        on
          .selectFrom('relations')
          .select('source_id')
          .whereRef('target_id', '=', 'users.id')
          .where('kind', '=', 'request')
          .limit(1)
          .as('source'),
      )
      .where('users.id', '>', at.after)
      .where('protected', '=', 0)
      .orderBy('users.id')
      .limit(at.limit),
)

/** That no request waits for a user who is not protected, unless a task is accepting them. */
export const requestsToPublicUsers: Comparison = {
  name: 'follow requests',
  async *pages(store) {
    for await (const rows of inPages(
      (page) => store.all(pageOfPublicUsers, page),
      ({ id }) => id,
    )) {
      const suspects = rows.filter(({ source }) => source !== null)
      yield { compared: rows.length, suspects: suspects.map(({ id }) => id) }
    }
  },
  async compare(tx, target) {
    const { kind, subject } = acceptRequests.task({ user: target })
    if (await tx.first(waitingTask, { kind, subject: subject ?? '' })) return []
    const left = await tx.first(requestsTo, { target, limit: 1 })
    return left ? [{ of: `user ${target}`, name: 'follow requests', stored: 'some', expected: 'none' }] : []
  },
  repair: (tx, user) => enqueue(tx, acceptRequests.task({ user })),
}
