import { type Static, Type } from 'typebox'
import { WRITER_LEVELS } from '../../../domain/notes/writers.ts'
import { MESSAGE_SENDERS, SUBSCRIPTION_TYPES, VERIFIED_TYPES } from '../../../identity/users/users.ts'
import { choice, component, id, nullable, time } from '../../../platform/http/schema.ts'
import { USER_NAME } from '../../../workbench/create/find-user.ts'
import { USER_MEMBERS } from '../../../workbench/create/users.ts'
import { optional } from '../optional.ts'

/** A user, in a path or in a body. */
export const userName = (description: string) => Type.String({ pattern: USER_NAME, description })

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** A user in replies of the admin API. It has no secret. */
export const AdminUser = component(
  'AdminUser',
  Type.Object(
    {
      id: id('The user.'),
      screen_name: Type.String(),
      name: Type.String({ description: 'Display name.' }),
      description: Type.String(),
      location: Type.String(),
      url: nullable(Type.String()),
      profile_image_url: nullable(Type.String()),
      profile_banner_url: nullable(Type.String()),
      protected: Type.Boolean({ description: 'Whether only followers see the posts of the user.' }),
      verified: Type.Boolean(),
      verified_type: choice([...VERIFIED_TYPES], 'The badge.'),
      subscription_type: choice([...SUBSCRIPTION_TYPES], 'The subscription that the user pays for.'),
      affiliation_user_id: nullable(id('The organization that the user belongs to.')),
      direct_messages_from: choice([...MESSAGE_SENDERS], 'Who may send the user direct messages.'),
      note_writer: nullable(choice([...WRITER_LEVELS], 'The level of a writer of community notes.')),
      suspended: Type.Boolean(),
      parody: Type.Boolean(),
      is_identity_verified: Type.Boolean(),
      withheld_in: Type.Array(Type.String(), { description: 'Countries in which the user is withheld.' }),
      followers_count: count('Number of followers.'),
      following_count: count('Number of users that the user follows.'),
      post_count: count('Number of posts.'),
      created_at: time('When the user joined.'),
    },
    { additionalProperties: false },
  ),
)

/** The optional members of a body that makes or changes a user. */
export const UserBodyMembers = optional(USER_MEMBERS)

export const EXAMPLE: Static<typeof AdminUser> = {
  id: '1900000000000000007',
  screen_name: 'ann',
  name: 'Ann',
  description: 'Writes about bridges.',
  location: 'Hamburg',
  url: 'https://ann.example/',
  profile_image_url: null,
  profile_banner_url: null,
  protected: false,
  verified: true,
  verified_type: 'blue',
  subscription_type: 'Premium',
  affiliation_user_id: null,
  direct_messages_from: 'everyone',
  note_writer: null,
  suspended: false,
  parody: false,
  is_identity_verified: false,
  withheld_in: [],
  followers_count: 0,
  following_count: 0,
  post_count: 0,
  created_at: '2026-03-01T12:00:00.000Z',
}
