import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { id } from '../../../platform/http/schema.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { newPassword, replacePassword } from '../../../workbench/create/users.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { EXAMPLE, userName } from './user.ts'

/** POST /admin/v1/users/{user}/rotate_password: a new password. */
export const rotatePassword = dataEndpoint({
  ...ADMIN,
  id: 'rotatePassword',
  method: 'POST',
  path: '/admin/v1/users/{user}/rotate_password',
  summary: 'Give a user a new password',
  description:
    'Generates a password, which only this reply has, and ends the browser sessions of the user. Tokens stay valid.',
  params: { user: userName('Id or screen name.') },
  reply: Type.Object(
    {
      data: Type.Object(
        { id: id('The user.'), screen_name: Type.String(), password: Type.String() },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { user: 'ann' },
    reply: { data: { id: EXAMPLE.id, screen_name: 'ann', password: 'Uq7kX2mVbP4tR9sD' } },
  },
  async handle({ params }, { store, sealer, ...parts }) {
    const user = await theUser(store, params.user)
    const made = await newPassword(parts)
    await store.write((tx) => replacePassword(tx, user, { ...made, sealer }))
    const { password } = made
    return json({ data: { id: user.id, screen_name: user.screen_name, password } })
  },
})
