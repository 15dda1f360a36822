import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { component } from '../../../platform/http/schema.ts'
import {
  addNewUser,
  NEW_USER_MEMBERS,
  prepareNewUser,
  presentUser,
  USER_MEMBERS,
  withUniqueName,
} from '../../../workbench/create/users.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { AdminUser, EXAMPLE, UserBodyMembers } from './user.ts'

const { screen_name, name } = USER_MEMBERS

const CreatedUser = component(
  'CreatedUser',
  Type.Object(
    {
      ...AdminUser.properties,
      password: Type.Optional(
        Type.String({ description: 'The generated password. Only this reply has it.' }),
      ),
    },
    { additionalProperties: false },
  ),
)

/** POST /admin/v1/users: creates a user. */
export const createUser = dataEndpoint({
  ...ADMIN,
  id: 'createUser',
  method: 'POST',
  path: '/admin/v1/users',
  summary: 'Create a user',
  description:
    'Creates a user with the whole profile. Without a password, one is generated and returned once.',
  body: Type.Object(
    {
      ...UserBodyMembers,
      screen_name,
      name,
      password: Type.Optional(NEW_USER_MEMBERS.password),
      created_at: Type.Optional(NEW_USER_MEMBERS.created_at),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: Type.Object({ data: CreatedUser }, { additionalProperties: false }),
  example: {
    body: { screen_name: 'ann', name: 'Ann', location: 'Hamburg', verified_type: 'blue' },
    reply: { data: { ...EXAMPLE, password: 'Uq7kX2mVbP4tR9sD' } },
  },
  async handle({ body }, dependencies) {
    const prepared = await prepareNewUser(body, dependencies)
    const row = await withUniqueName(body.screen_name, () =>
      dependencies.store.write((tx) => addNewUser(tx, prepared)),
    )
    const made = body.password === undefined && { password: prepared.password }
    return json({ data: { ...(await presentUser(dependencies.store, row)), ...made } })
  },
})
