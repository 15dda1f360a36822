import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import {
  addNewCommunity,
  COMMUNITY_MEMBERS,
  MAX_FIRST_MEMBERS,
} from '../../../workbench/create/communities.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { optional } from '../optional.ts'
import { userName } from '../users/user.ts'
import { AdminCommunity, EXAMPLE, presentCommunity } from './community.ts'

/** POST /admin/v1/communities: makes a community. */
export const createAdminCommunity = dataEndpoint({
  ...ADMIN,
  id: 'createCommunity',
  method: 'POST',
  path: '/admin/v1/communities',
  summary: 'Create a community',
  description:
    'Makes a community with some members. The core API shows and searches communities; it does not make them, and nobody joins there.',
  body: closedObject({
    ...{ ...optional(COMMUNITY_MEMBERS), name: COMMUNITY_MEMBERS.name },
    id: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,17}$',
        description: 'Its id, for a community that imported posts name. A new one by default.',
      }),
    ),
    members: Type.Optional(
      Type.Array(userName('Id or screen name.'), {
        maxItems: MAX_FIRST_MEMBERS,
        description: 'Its first members.',
      }),
    ),
  }),
  status: 201,
  reply: closedObject({ data: AdminCommunity }),
  example: {
    body: { name: EXAMPLE.name, description: EXAMPLE.description, members: ['ann'] },
    reply: { data: EXAMPLE },
  },
  async handle({ body }, { store, ids }) {
    const row = await store.write((tx) => addNewCommunity(tx, body, { ids }))
    return json({ data: presentCommunity(row) })
  },
})
