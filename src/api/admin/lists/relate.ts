import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { relateToList, unrelateFromList } from '../../../workbench/create/lists.ts'
import { Deleted } from '../../core/deleted.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { RelatedUser, relatedUser, EXAMPLE as USERS } from '../relations/relation.ts'
import { EXAMPLE, PATH } from './list-object.ts'

const path = '/admin/v1/lists/{list_id}/{relation}/{user}'
const params = { list_id: EXAMPLE.id, relation: 'members', user: 'ann' }

/** PUT /admin/v1/lists/{list_id}/{relation}/{user}: begins a relation of a user to a list. */
export const relateUserToList = dataEndpoint({
  ...ADMIN,
  id: 'relateUserToList',
  method: 'PUT',
  path,
  summary: 'Add a member, a follower or a pin to a list',
  description:
    'Adds a user to a list as its owner would, or makes the user follow or pin it. Repeating it changes nothing.',
  params: PATH,
  reply: Type.Object({ data: RelatedUser }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params, reply: { data: USERS.user } },
  async handle({ params: { list_id: listId, relation, user: who } }, { store, ids }) {
    const user = await store.write(async (tx) => {
      const found = await theUser(tx, who)
      await relateToList(tx, relation, { listId, user: found }, { ids })
      return found
    })
    return json({ data: relatedUser(user) })
  },
})

/** DELETE /admin/v1/lists/{list_id}/{relation}/{user}: ends it. */
export const unrelateUserFromList = dataEndpoint({
  ...ADMIN,
  id: 'unrelateUserFromList',
  method: 'DELETE',
  path,
  summary: 'Remove a member, a follower or a pin from a list',
  description: 'Ends a relation of a user to a list. Repeating it changes nothing.',
  params: PATH,
  reply: Type.Object({ data: Deleted }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params, reply: { data: { deleted: true } } },
  async handle({ params: { list_id: listId, relation, user } }, { store }) {
    await store.write(async (tx) => unrelateFromList(tx, relation, { listId, user: await theUser(tx, user) }))
    return json({ data: { deleted: true } })
  },
})
