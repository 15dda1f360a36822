import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { relate } from '../../../workbench/create/relations.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { EXAMPLE, PATH, RelationObject, relatedUser, usersIn } from './relation.ts'

/** PUT /admin/v1/users/{user}/{relation}/{target}: begins a relation. */
export const beginRelation = dataEndpoint({
  ...ADMIN,
  id: 'beginRelation',
  method: 'PUT',
  path: '/admin/v1/users/{user}/{relation}/{target}',
  summary: 'Follow, block or mute a user',
  description:
    'Makes one user follow, block or mute another, as the user would. Repeating it changes nothing. A protected user has to accept a follow first, unless `accept` is true.',
  params: PATH,
  optionalBody: true,
  body: Type.Object(
    {
      accept: Type.Optional(
        Type.Boolean({ description: 'Whether a protected user accepts the follow at once.' }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ data: RelationObject }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { user: 'ann', relation: 'following', target: 'bob' },
    body: {},
    reply: { data: { ...EXAMPLE, pending: false } },
  },
  async handle({ params, body }, { store }) {
    const data = await store.write(async (tx) => {
      const users = await usersIn(tx, params)
      const { pending } = await relate(tx, params.relation, { ...users, accept: body?.accept })
      return { user: relatedUser(users.user), target: relatedUser(users.target), pending }
    })
    return json({ data })
  },
})
