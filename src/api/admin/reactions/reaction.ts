import { Type } from 'typebox'
import { choice, component, id } from '../../../platform/http/schema.ts'
import { REACTIONS } from '../../../workbench/create/reactions.ts'
import { postId } from '../posts/post.ts'
import { userName } from '../users/user.ts'

export const PATH = {
  user: userName('Id or screen name.'),
  reaction: choice([...REACTIONS], 'What the user does with the post.'),
  post_id: postId,
}

/** The outcome of a reaction. */
export const ReactionObject = component(
  'Reaction',
  Type.Object(
    {
      user_id: id('The user.'),
      post_id: postId,
      repost_id: Type.Optional(id('The repost, which is a post of the user.')),
    },
    { additionalProperties: false },
  ),
)

export const EXAMPLE = { user_id: '1900000000000000007', post_id: '1900000000000000001' }
