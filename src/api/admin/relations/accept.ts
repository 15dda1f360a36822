import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { theUser, userIn } from '../../../workbench/create/find-user.ts'
import { acceptRequest } from '../../../workbench/create/relations.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { userName } from '../users/user.ts'
import { EXAMPLE, RelationObject, relatedUser } from './relation.ts'

/** POST /admin/v1/users/{user}/accept_follow: accepts a request to follow. */
export const acceptFollowRequest = dataEndpoint({
  ...ADMIN,
  id: 'acceptFollowRequest',
  method: 'POST',
  path: '/admin/v1/users/{user}/accept_follow',
  summary: 'Accept a request to follow',
  description: 'A protected user accepts the request of another user to follow.',
  params: { user: userName('Id or screen name of the protected user.') },
  body: Type.Object(
    { follower: userName('Id or screen name of the user who requested it.') },
    { additionalProperties: false },
  ),
  reply: Type.Object({ data: RelationObject }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { user: 'bob' }, body: { follower: 'ann' }, reply: { data: EXAMPLE } },
  async handle({ params, body }, { store }) {
    const data = await store.write(async (tx) => {
      const target = await theUser(tx, params.user)
      const user = await userIn(tx, 'follower', body.follower)
      await acceptRequest(tx, { user, target })
      return { user: relatedUser(user), target: relatedUser(target) }
    })
    return json({ data })
  },
})
