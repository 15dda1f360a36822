import { communityId } from '../communities/community-id.ts'
import { type Static, Type } from 'typebox'
import { CallToActions } from '../../../domain/posts/classic-media.ts'
import { MAX_LENGTH } from '../../../domain/posts/weight.ts'
import { choice, component, id, text, webAddress } from '../../../platform/http/schema.ts'

const closed = { additionalProperties: false }
const flag = (description: string) => Type.Optional(Type.Boolean({ default: false, description }))
const postId = id('A post.')

/** A list of users, without duplicates. */
const users = (maxItems: number, description: string) =>
  Type.Array(id('A user.'), { maxItems, uniqueItems: true, description })

const REPLY_SETTINGS = ['following', 'mentionedUsers', 'subscribers', 'verified'] as const
const replySettings = Type.Optional(
  choice([...REPLY_SETTINGS], 'Who may reply; everyone by default.', 'NewReplySettings'),
)

const media = Type.Object(
  {
    media_ids: Type.Array(id('A medium.'), { minItems: 1, maxItems: 4, uniqueItems: true }),
    tagged_user_ids: Type.Optional(users(10, 'Users who are in the media.')),
    title: Type.Optional(text(1, 70, 'Title of the video.')),
    description: Type.Optional(text(1, 200, 'Text of the video.')),
    embeddable: Type.Optional(Type.Boolean({ description: 'Whether other sites may embed the video.' })),
    preview_media_id: Type.Optional(
      id('The image that represents the video or GIF. It is shown wherever the medium is.'),
    ),
    call_to_actions: Type.Optional(CallToActions),
  },
  { ...closed, description: 'Up to 4 images, or 1 GIF, or 1 video.' },
)

const poll = Type.Object(
  {
    options: Type.Array(text(1, 25, 'An answer.'), { minItems: 2, maxItems: 4, uniqueItems: true }),
    duration_minutes: Type.Integer({ minimum: 5, maximum: 10_080 }),
    reply_settings: replySettings,
  },
  { ...closed, description: 'A question with two to four answers.' },
)

const reply = Type.Object(
  {
    in_reply_to_post_id: postId,
    exclude_reply_user_ids: Type.Optional(users(100, 'Users that the reply does not mention automatically.')),
    auto_populate_reply_metadata: flag(
      'Prefixes the reply with the name of the author of the post and of the users it mentions.',
    ),
  },
  { ...closed, description: 'The post that this one replies to.' },
)

/** The body of `POST /2/posts` (core reference, 04 section 1.1). */
export const CreatePostBody = component(
  'CreatePostBody',
  Type.Object(
    {
      text: Type.Optional(
        text(
          0,
          MAX_LENGTH,
          'Text with a weight of up to 280; up to 25,000 characters for users with a subscription.',
        ),
      ),
      card_uri: Type.Optional(Type.String({ pattern: '^card://[0-9]{1,19}$', description: 'A card.' })),
      community_id: Type.Optional(
        communityId(
          'The community to post in, of which the user is a member. A reply is in the community of its post.',
        ),
      ),
      share_with_followers: flag('Also shows a post of a community to followers.'),
      paid_partnership: flag('Labels it as paid promotion.'),
      made_with_ai: flag('Labels it as made with AI.'),
      direct_message_deep_link: Type.Optional(webAddress('A link to a conversation.')),
      edit_options: Type.Optional(
        Type.Object(
          { previous_post_id: postId },
          { ...closed, description: 'The version that it replaces.' },
        ),
      ),
      for_super_followers_only: flag('Only subscribers of the author see it.'),
      geo: Type.Optional(
        Type.Object(
          { place_id: Type.String({ pattern: '^[0-9a-f]{16}$' }) },
          { ...closed, description: 'A place.' },
        ),
      ),
      media: Type.Optional(media),
      nullcast: flag('Only advertisements show it.'),
      poll: Type.Optional(poll),
      quote_post_id: Type.Optional(id('The post that it quotes.')),
      reply: Type.Optional(reply),
      reply_settings: replySettings,
    },
    closed,
  ),
)
export type CreatePostBody = Static<typeof CreatePostBody>
