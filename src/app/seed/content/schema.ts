import { type Static, Type } from 'typebox'
import {
  MAX_DESCRIPTION,
  MAX_LOCALE,
  MAX_TITLE as MAX_BROADCAST_TITLE,
} from '../../../domain/broadcasts/broadcasts.ts'
import { MAX_TEXT } from '../../../domain/broadcasts/chat/chat.ts'
import { SOURCE_ID } from '../../../domain/broadcasts/sources.ts'
import {
  MAX_DESCRIPTION_LENGTH as MAX_COMMUNITY_DESCRIPTION,
  MAX_NAME_LENGTH as MAX_COMMUNITY_NAME,
} from '../../../domain/communities/communities.ts'
import { MAX_DESCRIPTION_LENGTH, MAX_LISTS, MAX_NAME_LENGTH } from '../../../domain/lists/lists.ts'
import { GivenPreview } from '../../../domain/link-previews/members.ts'
import { MAX_WHOLE_BYTES } from '../../../domain/media/upload-rules.ts'
import { GIVEN_MEMBERS } from '../../../domain/posts/given.ts'
import { MAX_LENGTH } from '../../../domain/posts/weight.ts'
import { MAX_COHOSTS, MAX_INVITED, MAX_SPEAKERS, MAX_TITLE } from '../../../domain/spaces/spaces.ts'
import { SPACE_EXTRAS } from '../../../domain/spaces/topics.ts'
import { MAX_PASSWORD_LENGTH } from '../../../identity/users/password.ts'
import { choice, text, webAddress } from '../../../platform/http/schema.ts'
import { COMMUNITY_MEMBERS } from '../../../workbench/create/communities.ts'
import { USER_MEMBERS } from '../../../workbench/create/users.ts'

const closed = { additionalProperties: false }
const optional = Type.Optional

const userOf = (description: string) => text(1, 15, description)
/** A name within the file. */
const label = (description: string) => text(1, 100, description)
const usersOf = (description: string, maxItems = 1000) =>
  Type.Array(userOf('Screen name.'), { maxItems, description })
const pastTime = (what: string) =>
  text(
    1,
    100,
    `${what}: RFC 3339, or a distance from the first start such as \`-2h\` or \`-1d12h\`. The first start by default; never later.`,
  )

/** Members of a user of a seed besides the names and the password. */
export const SEED_PROFILE = {
  description: optional(USER_MEMBERS.description),
  location: optional(USER_MEMBERS.location),
  url: optional(webAddress('URL of the profile.')),
  profile_image_url: optional(webAddress('URL of the picture, which the profile shows unchanged.')),
  profile_banner_url: optional(webAddress('URL of the banner, which the profile shows unchanged.')),
  protected: optional(USER_MEMBERS.protected),
  verified_type: optional(USER_MEMBERS.verified_type),
  subscription_type: optional(USER_MEMBERS.subscription_type),
  affiliation: optional(userOf('Screen name of the organization that the user belongs to.')),
  suspended: optional(USER_MEMBERS.suspended),
  parody: optional(USER_MEMBERS.parody),
  is_identity_verified: optional(USER_MEMBERS.is_identity_verified),
  withheld_in: optional(USER_MEMBERS.withheld_in),
  created_at: optional(pastTime('When the user joined')),
  pinned_post: optional(label('The `id` of a post of the user, which the profile shows first.')),
  follows: optional(usersOf('Whom the user follows.')),
  blocks: optional(usersOf('Whom the user blocks.')),
  mutes: optional(usersOf('Whom the user mutes.')),
  password: optional(text(1, MAX_PASSWORD_LENGTH, 'Generated if absent.')),
  can_sign_in: optional(
    Type.Boolean({
      description: 'True by default. With false, the user has no password; starting is faster.',
    }),
  ),
}

const Poll = Type.Object(
  {
    options: Type.Array(
      Type.Object(
        {
          label: text(1, 25, 'An answer.'),
          votes: optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: '0 by default.' })),
        },
        closed,
      ),
      { minItems: 2, maxItems: 4 },
    ),
    duration_minutes: Type.Integer({ minimum: 5, maximum: 10_080 }),
  },
  closed,
)

/** Of a file in one piece, as base64. */
const MAX_DATA = Math.ceil(MAX_WHOLE_BYTES / 3) * 4

const SeedMedium = Type.Object(
  {
    file: optional(
      text(1, 4096, 'Path of an image, GIF or video of up to 15 MB, from the folder of the seed file.'),
    ),
    data: optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_DATA,
        pattern: '^[A-Za-z0-9+/]+={0,2}$',
        description: 'Instead of `file`, its content as base64.',
      }),
    ),
    alt_text: optional(text(1, 1000, 'Alternative text.')),
  },
  closed,
)

/** Members that a post and the later posts of its thread have. */
const POST = {
  id: optional(label('A name for this file, by which others refer to the post.')),
  text: optional(text(0, MAX_LENGTH, 'Text; optional for a post with a quote, a poll or media.')),
  lang: optional(
    Type.String({
      pattern: '^[a-z]{2,3}(-[A-Za-z]{2,8})?$',
      description: 'Language; found in the text by default, which takes longer.',
    }),
  ),
  quotes: optional(label('The `id` of the post that it quotes.')),
  poll: optional(Poll),
  media: optional(
    Type.Array(SeedMedium, {
      minItems: 1,
      maxItems: 4,
      description: 'Up to 4 images, or 1 GIF, or 1 video. Not with a quote or a poll.',
    }),
  ),
  possibly_sensitive: optional(
    Type.Boolean({ description: 'Whether media or links may be sensitive; false by default.' }),
  ),
  ...GIVEN_MEMBERS,
  likes: optional(usersOf('Who likes it.')),
  reposts: optional(usersOf('Who reposts it.')),
  bookmarks: optional(usersOf('Who bookmarks it.')),
}

const SeedPost = Type.Object(
  {
    ...POST,
    author: userOf('Screen name.'),
    created_at: optional(pastTime('When it was published')),
    reply_to: optional(label('The `id` of the post that it replies to.')),
    community: optional(
      label('The `id` of the community that it is in. A reply is in the community of its post.'),
    ),
    share_with_followers: optional(
      Type.Boolean({ description: 'Whether followers see a post of a community too; false by default.' }),
    ),
    reply_settings: optional(
      choice(
        ['everyone', 'following', 'mentionedUsers', 'subscribers', 'verified'],
        'Who may reply; everyone by default.',
      ),
    ),
    thread: optional(
      Type.Array(Type.Object(POST, closed), {
        maxItems: 100,
        description: 'More posts of the author: each replies to the one before it, a minute later.',
      }),
    ),
  },
  closed,
)

const SeedMessage = Type.Object(
  {
    from: userOf('Screen name of the sender.'),
    to: Type.Array(userOf('Screen name.'), {
      minItems: 1,
      maxItems: 49,
      description: 'With several users, it is a group: all messages among the same users are in one.',
    }),
    text: text(1, 10_000, 'Up to 10,000 characters.'),
    created_at: optional(pastTime('When it was sent')),
  },
  closed,
)

const SeedSpace = Type.Object(
  {
    creator: userOf('Screen name of the first host.'),
    title: text(1, MAX_TITLE, 'Title.'),
    lang: optional(text(2, 10, 'Language.')),
    hosts: optional(usersOf('Hosts besides the creator.', MAX_COHOSTS)),
    speakers: optional(usersOf('Speakers.', MAX_SPEAKERS)),
    invited: optional(usersOf('Users who were invited.', MAX_INVITED)),
    starts_at: optional(
      text(
        1,
        100,
        'RFC 3339, or a distance from the first start such as `-20m` or `+2d`; up to 30 days later. The first start by default.',
      ),
    ),
    duration_minutes: optional(
      Type.Integer({ minimum: 1, maximum: 1440, description: 'Until it is ended by default.' }),
    ),
    posts: optional(Type.Array(label('The `id` of a post that was shared in it.'), { maxItems: 100 })),
    ...SPACE_EXTRAS,
    buyers: optional(usersOf('Who bought tickets. With this list, even an empty one, tickets are sold.')),
  },
  closed,
)

const SeedList = Type.Object(
  {
    owner: userOf('Screen name.'),
    name: text(1, MAX_NAME_LENGTH, 'Name.'),
    description: optional(text(0, MAX_DESCRIPTION_LENGTH, 'Description.')),
    private: optional(Type.Boolean({ description: 'Whether only the owner sees it; false by default.' })),
    created_at: optional(pastTime('When it was created')),
    members: optional(usersOf('Members, in the order in which they were added.')),
    followers: optional(usersOf('Followers, in the order in which they followed.')),
    pinned_by: optional(usersOf('Who has pinned it: the owner, or followers.')),
  },
  closed,
)

const SeedCommunity = Type.Object(
  {
    id: optional(label('A name for this file, by which posts refer to the community.')),
    name: text(1, MAX_COMMUNITY_NAME, 'Name.'),
    description: optional(text(0, MAX_COMMUNITY_DESCRIPTION, 'Description.')),
    access: optional(COMMUNITY_MEMBERS.access),
    join_policy: optional(COMMUNITY_MEMBERS.join_policy),
    created_at: optional(pastTime('When it was created')),
    members: optional(usersOf('Members, in the order in which they joined.')),
  },
  closed,
)

const pixels = (description: string) =>
  optional(
    Type.Integer({ minimum: 1, maximum: 8192, description: `${description} of the video, in pixels.` }),
  )

const SeedBroadcastSource = Type.Object(
  {
    owner: userOf('Screen name.'),
    id: Type.String({ pattern: SOURCE_ID, description: 'Its id.' }),
    name: optional(text(0, 100, 'Name.')),
    receiving: optional(Type.Boolean({ description: 'Whether video arrives; false by default.' })),
    width: pixels('Width'),
    height: pixels('Height'),
    high_latency: optional(Type.Boolean({ description: 'Whether the video is late; false by default.' })),
  },
  closed,
)

const SeedBroadcastMessage = Type.Object(
  {
    author: userOf('Screen name.'),
    text: text(1, MAX_TEXT, 'What it says.'),
    sent_at: optional(pastTime('When it was sent')),
  },
  closed,
)

const SeedBroadcast = Type.Object(
  {
    owner: userOf('Screen name.'),
    title: text(0, MAX_BROADCAST_TITLE, 'Title.'),
    description: optional(text(0, MAX_DESCRIPTION, 'Description.')),
    source: optional(text(1, 64, 'The `id` of a source of the owner.')),
    starts_at: optional(
      text(
        1,
        100,
        'RFC 3339, or a distance from the first start such as `-20m` or `+2d`; up to 366 days later. The first start by default.',
      ),
    ),
    duration_minutes: optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_080,
        description: 'By default until it is ended; 60 if it starts later.',
      }),
    ),
    locale: optional(text(1, MAX_LOCALE, 'Locale, such as `en_US`.')),
    manual_publish: optional(
      Type.Boolean({ description: 'Whether one that starts later waits for the call that starts it.' }),
    ),
    available_for_replay: optional(Type.Boolean({ description: 'Whether it can be watched after its end.' })),
    locked: optional(Type.Boolean({ description: 'Whether only its owner knows of it.' })),
    chat: optional(Type.Array(SeedBroadcastMessage, { maxItems: 1000 })),
  },
  closed,
)

/** The content of a seed besides users, apps and accounts. */
export const SEED_CONTENT = {
  link_previews: optional(
    Type.Array(GivenPreview, {
      maxItems: 10_000,
      description: 'Previews of web pages, for every link to them. Plaza reads no pages.',
    }),
  ),
  posts: optional(Type.Array(SeedPost, { maxItems: 10_000 })),
  direct_messages: optional(Type.Array(SeedMessage, { maxItems: 10_000 })),
  spaces: optional(Type.Array(SeedSpace, { maxItems: 1000 })),
  lists: optional(Type.Array(SeedList, { maxItems: MAX_LISTS })),
  communities: optional(Type.Array(SeedCommunity, { maxItems: 1000 })),
  broadcast_sources: optional(Type.Array(SeedBroadcastSource, { maxItems: 1000 })),
  broadcasts: optional(Type.Array(SeedBroadcast, { maxItems: 1000 })),
}

export type SeedMedium = Static<typeof SeedMedium>
export type SeedPost = Static<typeof SeedPost>
export type SeedThreadPost = Omit<
  SeedPost,
  'author' | 'created_at' | 'reply_to' | 'reply_settings' | 'community' | 'share_with_followers' | 'thread'
>
export type SeedMessage = Static<typeof SeedMessage>
export type SeedSpace = Static<typeof SeedSpace>
export type SeedList = Static<typeof SeedList>
export type SeedCommunity = Static<typeof SeedCommunity>
export type SeedBroadcast = Static<typeof SeedBroadcast>

/** Parts with names. */
export const CONTENT_PARTS = {
  ...{ SeedPost, SeedPoll: Poll, SeedMedium, SeedMessage, SeedSpace, SeedList, SeedCommunity },
  ...{ SeedBroadcastSource, SeedBroadcast, SeedBroadcastMessage },
}
