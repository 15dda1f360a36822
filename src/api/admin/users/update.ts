import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { changeUser, presentUser, withUniqueName } from '../../../workbench/create/users.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { AdminUser, EXAMPLE, UserBodyMembers, userName } from './user.ts'

/** PUT /admin/v1/users/{user}: changes a user. */
export const changeAnyUser = dataEndpoint({
  ...ADMIN,
  id: 'changeUser',
  method: 'PUT',
  path: '/admin/v1/users/{user}',
  summary: 'Change a user',
  description:
    'Changes the profile and the standing of a user: also protects, verifies, suspends or renames. Omitted members stay as they are. Every node applies a suspension before its next request.',
  params: { user: userName('Id or screen name.') },
  body: Type.Object(UserBodyMembers, { additionalProperties: false }),
  reply: Type.Object({ data: AdminUser }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { user: 'ann' },
    body: { protected: true },
    reply: { data: { ...EXAMPLE, protected: true } },
  },
  async handle({ params, body }, { store }) {
    const row = await withUniqueName(body.screen_name, () =>
      store.write(async (tx) => changeUser(tx, await theUser(tx, params.user), body)),
    )
    return json({ data: await presentUser(store, row) })
  },
})
