import { buyTicket } from '../../../domain/spaces/spaces.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { RelatedUser, relatedUser, EXAMPLE as USERS } from '../relations/relation.ts'
import { userName } from '../users/user.ts'
import { changed, EXAMPLE, spaceId } from './space.ts'

/** PUT /admin/v1/spaces/{space_id}/buyers/{user}: a user buys a ticket of a space. */
export const addBuyerOfSpace = dataEndpoint({
  ...ADMIN,
  id: 'addBuyerOfSpace',
  method: 'PUT',
  path: '/admin/v1/spaces/{space_id}/buyers/{user}',
  summary: 'Buy a ticket of a space',
  description: 'A user buys a ticket of a space that sells tickets. Repeating it changes nothing.',
  params: { space_id: spaceId, user: userName('Id or screen name of the buyer.') },
  reply: closedObject({ data: RelatedUser }),
  errors: [...ADMIN.errors, 'not found', 'conflict'],
  example: { params: { space_id: EXAMPLE.id, user: 'ann' }, reply: { data: USERS.user } },
  async handle({ params: { space_id: id, user } }, { store, ids }) {
    const buyer = await changed(
      store.write(async (tx) => {
        const found = await theUser(tx, user)
        await buyTicket(tx, { id, userId: found.id }, { ids })
        return found
      }),
    )
    return json({ data: relatedUser(buyer) })
  },
})
