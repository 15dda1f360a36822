import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { presentUser } from '../../../workbench/create/users.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { AdminUser, EXAMPLE, userName } from './user.ts'

/** GET /admin/v1/users/{user}: a user. */
export const readUser = dataEndpoint({
  ...ADMIN,
  id: 'readUser',
  method: 'GET',
  path: '/admin/v1/users/{user}',
  summary: 'Get a user',
  description: 'Returns a user with everything that the platform stores about the user, except secrets.',
  params: { user: userName('Id or screen name.') },
  reply: Type.Object({ data: AdminUser }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { user: 'ann' }, reply: { data: EXAMPLE } },
  async handle({ params }, { store }) {
    return json({ data: await presentUser(store, await theUser(store, params.user)) })
  },
})
