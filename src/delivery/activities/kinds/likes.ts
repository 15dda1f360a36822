import { Type } from 'typebox'
import { postLiked } from '../../../domain/posts/events.ts'
import { idOfLike } from '../../../domain/posts/like-object.ts'
import { objectTime } from '../../../platform/common/time.ts'
import { id, time } from '../../../platform/http/schema.ts'
import { activityKind, sourceOf } from '../kind.ts'
import { closed, PostIncludes } from '../payloads.ts'

export interface Like {
  user_id: string
  post_id: string
  author_id: string
  at: number
}

export const likeCreate = activityKind<Like>({
  name: 'like.create',
  description: 'The user likes a post, or a post of the user is liked.',
  scope: 'like.read',
  isDirected: true,
  payload: Type.Object(
    {
      id: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'The like.' }),
      created_at: time('When it was liked.'),
      timestamp_ms: Type.String({ description: 'The same in epoch milliseconds.' }),
      liked_post_id: id('The post.'),
      liked_post_author_id: id('Its author.'),
    },
    closed,
  ),
  includes: PostIncludes,
  async prepare(facts, reader) {
    const [posts, users] = await Promise.all([
      reader.posts(facts.map(({ post_id }) => post_id)),
      reader.users(facts.map(({ user_id }) => user_id)),
    ])
    return (like) => {
      const [found, user] = [posts(like.post_id), users(like.user_id)]
      if (!found || !user) return undefined
      const others = found.users.filter((one) => one.id !== user.id)
      return {
        payload: {
          id: idOfLike(like),
          created_at: objectTime(like.at),
          timestamp_ms: String(like.at),
          liked_post_id: like.post_id,
          liked_post_author_id: like.author_id,
        },
        includes: { users: [user, ...others], posts: [found.post, ...found.posts] },
      }
    }
  },
})

export const likeKinds = [likeCreate]

export const likeSources = [
  sourceOf(postLiked, (data, event) => {
    const facts = { ...data, at: event.at }
    const { user_id, author_id } = data
    // One activity in both directions.
    if (user_id === author_id) return [likeCreate.of({ event, facts, subject: { user: user_id } })]
    return [
      likeCreate.of({ event, facts, subject: { user: user_id }, direction: 'outbound' }),
      likeCreate.of({ event, facts, subject: { user: author_id }, direction: 'inbound' }),
    ]
  }),
]
