import { type Static, Type } from 'typebox'
import { component, id, nullable, time } from '../../../platform/http/schema.ts'

export const postId = id('The post, or one of its versions.')

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** A post in replies of the admin API. */
export const AdminPost = component(
  'AdminPost',
  Type.Object(
    {
      id: id('The post.'),
      author_id: id('The author.'),
      text: Type.String(),
      lang: Type.String({ description: 'Language code.' }),
      conversation_id: id('The first post of the conversation.'),
      in_reply_to_post_id: nullable(id('The post that it replies to.')),
      quote_post_id: nullable(id('The post that it quotes.')),
      repost_of_post_id: nullable(id('The post that it reposts.')),
      community_id: nullable(id('The community that it was posted in.')),
      media_keys: Type.Array(Type.String()),
      poll_id: nullable(id('Its poll.')),
      place_id: nullable(Type.String({ description: 'Its place.' })),
      reply_settings: Type.String({ description: 'Who may reply.' }),
      possibly_sensitive: Type.Boolean(),
      withheld_in: Type.Array(Type.String(), { description: 'Countries in which it is withheld.' }),
      dropped: Type.Boolean({ description: 'Whether it is out of public view.' }),
      like_count: count('Number of likes.'),
      repost_count: count('Number of reposts.'),
      reply_count: count('Number of replies.'),
      quote_count: count('Number of posts that quote it.'),
      bookmark_count: count('Number of bookmarks.'),
      created_at: time('When it was published.'),
    },
    { additionalProperties: false },
  ),
)

export const EXAMPLE: Static<typeof AdminPost> = {
  id: '1900000000000000001',
  author_id: '1900000000000000007',
  text: 'The bridge is open',
  lang: 'en',
  conversation_id: '1900000000000000001',
  in_reply_to_post_id: null,
  quote_post_id: null,
  repost_of_post_id: null,
  community_id: null,
  media_keys: [],
  poll_id: null,
  place_id: null,
  reply_settings: 'everyone',
  possibly_sensitive: false,
  withheld_in: [],
  dropped: false,
  like_count: 0,
  repost_count: 0,
  reply_count: 0,
  quote_count: 0,
  bookmark_count: 0,
  created_at: '2026-03-01T12:00:00.000Z',
}
