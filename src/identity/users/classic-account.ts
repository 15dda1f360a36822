import { type Static, Type } from 'typebox'
import { component, id, longNumber, nullable } from '../../platform/http/schema.ts'
import { ClassicLink, classicLink } from '../../platform/text/classic-links.ts'
import { classicProfile } from './classic-user.ts'
import { pictureOf } from './default-picture.ts'
import { descriptionEntities, wholeLink } from './entities.ts'
import type { ProfileRow } from './tables.ts'

const closed = { additionalProperties: false }
const count = Type.Integer({ minimum: 0 })
const address = nullable(Type.String())
const picture = Type.String({ description: 'Its own picture, or the default one.' })
const Links = component('Links', Type.Object({ urls: Type.Array(ClassicLink) }, closed))

/** A user in classic form, with everything that libraries read of their own account. */
export const ClassicAccount = component(
  'UserAccount',
  Type.Object(
    {
      id: longNumber('The user.'),
      id_str: id('The id of the user as a string, for clients without 64-bit integers.'),
      name: Type.String(),
      screen_name: Type.String(),
      location: Type.String(),
      description: Type.String(),
      url: address,
      entities: Type.Optional(
        Type.Object(
          { url: Type.Optional(Links), description: Links },
          { ...closed, description: 'Links of the profile: its URL, and those in its description.' },
        ),
      ),
      protected: Type.Boolean(),
      verified: Type.Boolean(),
      followers_count: count,
      friends_count: count,
      listed_count: count,
      favourites_count: count,
      statuses_count: count,
      created_at: Type.String({ description: 'When it was created, like `Wed Jan 20 22:00:00 +0000 2017`.' }),
      utc_offset: nullable(Type.Integer()),
      time_zone: nullable(Type.String()),
      geo_enabled: Type.Boolean(),
      lang: nullable(Type.String()),
      contributors_enabled: Type.Boolean(),
      is_translator: Type.Boolean(),
      profile_image_url: picture,
      profile_image_url_https: picture,
      profile_banner_url: Type.Optional(address),
      default_profile: Type.Boolean(),
      default_profile_image: Type.Boolean(),
      following: Type.Boolean(),
      follow_request_sent: Type.Boolean(),
      notifications: Type.Boolean(),
      suspended: Type.Boolean({ description: 'Always false: the token of a suspended user is rejected.' }),
      needs_phone_verification: Type.Boolean(),
      email: Type.Optional(nullable(Type.String())),
    },
    closed,
  ),
)

/** The account of the user of the token. `show` selects the members. */
export function classicAccount(
  profile: ProfileRow,
  show: { entities: boolean; email: boolean },
  origin: { readonly mediaOrigin: string },
): Static<typeof ClassicAccount> {
  return {
    id: profile.id,
    id_str: profile.id,
    ...classicProfile(profile, origin),
    ...(show.entities && { entities: linksOf(profile) }),
    utc_offset: null,
    time_zone: null,
    geo_enabled: false,
    lang: null,
    contributors_enabled: false,
    is_translator: false,
    profile_image_url: pictureOf(profile, origin),
    ...(profile.profile_banner_url !== null && { profile_banner_url: profile.profile_banner_url }),
    default_profile: true,
    default_profile_image: profile.profile_image_url === null,
    following: false,
    follow_request_sent: false,
    notifications: false,
    suspended: false,
    needs_phone_verification: false,
    ...(show.email && { email: null }),
  }
}

const linksOf = (profile: ProfileRow) => ({
  ...(profile.url !== null && { url: { urls: [classicLink(wholeLink(profile.url))] } }),
  description: { urls: (descriptionEntities(profile)?.urls ?? []).map(classicLink) },
})
