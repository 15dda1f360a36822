import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { addNewList, LIST_MEMBERS } from '../../../workbench/create/lists.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { userName } from '../users/user.ts'
import { AdminList, EXAMPLE, presentList } from './list-object.ts'

/** POST /admin/v1/lists: makes a list of any user. */
export const createAdminList = dataEndpoint({
  ...ADMIN,
  id: 'createAnyList',
  method: 'POST',
  path: '/admin/v1/lists',
  summary: 'Create a list as a user',
  description: 'Creates an empty list of any user.',
  body: Type.Object(
    { owner: userName('Id or screen name of the owner.'), ...LIST_MEMBERS.properties },
    { additionalProperties: false },
  ),
  status: 201,
  reply: Type.Object({ data: AdminList }, { additionalProperties: false }),
  example: { body: { owner: 'ann', name: 'Town council' }, reply: { data: EXAMPLE } },
  async handle({ body }, { store, ids }) {
    const row = await store.write((tx) => addNewList(tx, body, { ids }))
    return json({ data: presentList(row) })
  },
})
