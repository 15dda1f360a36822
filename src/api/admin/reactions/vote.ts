import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedComponent, closedObject, id } from '../../../platform/http/schema.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { voteInPoll } from '../../../workbench/create/votes.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { EXAMPLE, PATH } from './reaction.ts'

const position = Type.Integer({ minimum: 1, maximum: 4, description: 'The answer, from 1.' })

const PollVote = closedComponent('PollVote', { user_id: id('The user.'), post_id: id('The post.'), position })

/** PUT /admin/v1/users/{user}/posts/{post_id}/vote: votes in the poll of a post. */
export const voteAsUser = dataEndpoint({
  ...ADMIN,
  id: 'voteAsUser',
  method: 'PUT',
  path: '/admin/v1/users/{user}/posts/{post_id}/vote',
  summary: 'Vote in the poll of a post',
  description:
    'Counts the vote of a user in the open poll of a post that the user sees. A user has one vote, which stays; repeating it changes nothing. The core API shows polls, but does not take votes.',
  params: { user: PATH.user, post_id: PATH.post_id },
  body: closedObject({ position }),
  reply: closedObject({ data: PollVote }),
  errors: [...ADMIN.errors, 'not found', 'conflict'],
  example: {
    params: { user: 'ann', post_id: EXAMPLE.post_id },
    body: { position: 1 },
    reply: { data: { ...EXAMPLE, position: 1 } },
  },
  async handle({ params, body }, { store }) {
    const user_id = await store.write(async (tx) => {
      const user = await theUser(tx, params.user)
      await voteInPoll(tx, { user, postId: params.post_id, position: body.position })
      return user.id
    })
    return json({ data: { user_id, post_id: params.post_id, position: body.position } })
  },
})
