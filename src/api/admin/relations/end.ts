import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { unrelate } from '../../../workbench/create/relations.ts'
import { Deleted } from '../../core/deleted.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PATH, usersIn } from './relation.ts'

/** DELETE /admin/v1/users/{user}/{relation}/{target}: ends a relation. */
export const endRelation = dataEndpoint({
  ...ADMIN,
  id: 'endRelation',
  method: 'DELETE',
  path: '/admin/v1/users/{user}/{relation}/{target}',
  summary: 'Unfollow, unblock or unmute a user',
  description: 'Ends a relation, or withdraws the request to follow. Repeating it changes nothing.',
  params: PATH,
  reply: Type.Object({ data: Deleted }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { user: 'ann', relation: 'following', target: 'bob' },
    reply: { data: { deleted: true } },
  },
  async handle({ params }, { store }) {
    await store.write(async (tx) => unrelate(tx, params.relation, await usersIn(tx, params)))
    return json({ data: { deleted: true } })
  },
})
