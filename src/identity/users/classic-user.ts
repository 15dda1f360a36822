import { type Static, Type } from 'typebox'
import { classicTime } from '../../platform/common/time.ts'
import { component, id, longNumber, nullable } from '../../platform/http/schema.ts'
import { pictureOf } from './default-picture.ts'
import type { ProfileRow } from './tables.ts'

const closed = { additionalProperties: false }
const many = Type.Optional(Type.Integer({ minimum: 0 }))
const flag = Type.Optional(Type.Boolean())

/** A user; only the ids when trimmed. */
export const ClassicUser = component(
  'PostUser',
  Type.Object(
    {
      id: longNumber('The user.'),
      id_str: id('The user.'),
      name: Type.Optional(Type.String()),
      screen_name: Type.Optional(Type.String()),
      location: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      url: Type.Optional(nullable(Type.String())),
      protected: flag,
      verified: flag,
      followers_count: many,
      friends_count: many,
      listed_count: many,
      favourites_count: many,
      statuses_count: many,
      created_at: Type.Optional(Type.String()),
      profile_image_url_https: Type.Optional(
        Type.String({ description: 'Its own picture, or the default one.' }),
      ),
      profile_banner_url: Type.Optional(nullable(Type.String())),
    },
    closed,
  ),
)

/** The members of a profile in classic form, which posts and the account contain. */
export const classicProfile = (profile: ProfileRow, origin: { readonly mediaOrigin: string }) => ({
  name: profile.name,
  screen_name: profile.screen_name,
  location: profile.location,
  description: profile.description,
  url: profile.url,
  protected: profile.protected === 1,
  verified: profile.verified === 1,
  followers_count: profile.followers_count,
  friends_count: profile.following_count,
  listed_count: profile.listed_count,
  favourites_count: profile.like_count,
  statuses_count: profile.post_count,
  created_at: classicTime(profile.created_at),
  profile_image_url_https: pictureOf(profile, origin),
})

/** Without a profile: only the ids. */
export const classicUser = (
  userId: string,
  profile: ProfileRow | undefined,
  origin: { readonly mediaOrigin: string },
): Static<typeof ClassicUser> => ({
  id: userId,
  id_str: userId,
  ...(profile && { ...classicProfile(profile, origin), profile_banner_url: profile.profile_banner_url }),
})
