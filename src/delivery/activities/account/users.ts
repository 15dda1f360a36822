import { Type } from 'typebox'
import { pictureOf } from '../../../identity/users/default-picture.ts'
import type { ProfileRow } from '../../../identity/users/tables.ts'
import { component, id } from '../../../platform/http/schema.ts'
import { closed } from '../payloads.ts'

const count = Type.Integer({ minimum: 0 })

/** A user of a direct message (core reference, 02 section 5.1). */
const DirectMessageUser = component(
  'DirectMessageUser',
  Type.Object(
    {
      id: id('The user.'),
      created_timestamp: Type.String({ description: 'When the account was created, in epoch milliseconds.' }),
      name: Type.String(),
      screen_name: Type.String(),
      location: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      url: Type.Optional(Type.String()),
      protected: Type.Boolean(),
      verified: Type.Boolean(),
      followers_count: count,
      friends_count: count,
      statuses_count: count,
      profile_image_url_https: Type.String(),
    },
    closed,
  ),
)

/** By id. */
export const DirectMessageUsers = Type.Object({}, { additionalProperties: DirectMessageUser })

const present = (name: string, value: string | null) =>
  value === null || value === '' ? {} : { [name]: value }

interface Origin {
  readonly mediaOrigin: string
}

const directMessageUser = (row: ProfileRow, origin: Origin) => ({
  id: row.id,
  created_timestamp: String(row.created_at),
  name: row.name,
  screen_name: row.screen_name,
  ...present('location', row.location),
  ...present('description', row.description),
  ...present('url', row.url),
  protected: row.protected === 1,
  verified: row.verified === 1,
  followers_count: row.followers_count,
  friends_count: row.following_count,
  statuses_count: row.post_count,
  profile_image_url_https: pictureOf(row, origin),
})

export const directMessageUsers = (
  ids: readonly string[],
  profiles: ReadonlyMap<string, ProfileRow>,
  origin: Origin,
) =>
  Object.fromEntries(
    [...new Set(ids)].flatMap((userId) => {
      const row = profiles.get(userId)
      return row ? [[userId, directMessageUser(row, origin)]] : []
    }),
  )
