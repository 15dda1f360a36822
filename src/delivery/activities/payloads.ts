import { type TSchema, Type } from 'typebox'
import { post } from '../../domain/posts/object.ts'
import { user } from '../../domain/users/object.ts'
import { component, id, plain } from '../../platform/http/schema.ts'

export const closed = { additionalProperties: false }

/** A post in an activity: as the core API shows it, plus the id of the post that it replies to. */
export const ActivityPost = component(
  'ActivityPost',
  Type.Unsafe<Readonly<Record<string, unknown>>>({
    ...plain(post.schema),
    properties: {
      ...plain(post.schema).properties,
      in_reply_to_post_id: id('The post that it replies to.'),
    },
  }),
  'A post with its public fields.',
)

/** The objects that a post refers to. */
export const PostIncludes = Type.Object(
  {
    posts: Type.Optional(Type.Array(post.schema)),
    users: Type.Optional(Type.Array(user.schema)),
  },
  closed,
)

/** A user in activities about relations and messages: `{"data":{user}}`. */
export const WrappedUser: TSchema = component(
  'ActivityUser',
  Type.Object({ data: user.schema }, closed),
  'A user with all public fields.',
)
