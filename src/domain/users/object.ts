import { Type } from 'typebox'
import { pairsAround, readRelations } from '../../identity/relations/queries.ts'
import { UserEntities, userEntities } from '../../identity/users/entities.ts'
import { profilesByIds, profilesByNames } from '../../identity/users/queries.ts'
import type { ProfileRow } from '../../identity/users/tables.ts'
import { FIRST_ID, greatestId } from '../../platform/common/ids.ts'
import { objectTime } from '../../platform/common/time.ts'
import { choice, id, storedChoice, time } from '../../platform/http/schema.ts'
import { fieldsOf, objectShape } from '../../platform/objects/shape.ts'
import type { UrlEntity } from '../../platform/text/entities.ts'
import { acceptingMessages } from '../direct-messages/acceptance.ts'
import { storedPreviews } from '../link-previews/previews.ts'
import { newestPosts } from '../posts/queries.ts'

const { field, batched } = fieldsOf<ProfileRow>()
const closed = { additionalProperties: false }
const count = Type.Integer({ minimum: 0 })
const text = (description: string) => Type.String({ description })
const flag = (description: string) => Type.Boolean({ description })

/** Relations of a user to the caller, in the order in which they are shown. */
const CONNECTIONS = [
  'follow_request_received',
  'follow_request_sent',
  'blocking',
  'followed_by',
  'following',
  'muting',
] as const
type Connection = (typeof CONNECTIONS)[number]

const fields = {
  id: field(id('The user.'), (row) => row.id),
  name: field(text('Display name.'), (row) => row.name),
  username: field(text('Name used in mentions, as the user spells it.'), (row) => row.screen_name),
  affiliation: batched(
    Type.Object(
      {
        badge_url: Type.Optional(text('URL of the picture of the organisation.')),
        description: text('Name of the organisation.'),
        url: Type.Optional(text('URL of the organisation.')),
        user_id: Type.Array(id('The user of the organisation.')),
      },
      { ...closed, description: 'The organisation that the user belongs to.' },
    ),
    async (page, { store }) => {
      const ids = [...new Set(page.flatMap((row) => row.affiliation_user_id ?? []))]
      const rows = ids.length === 0 ? [] : await store.all(profilesByIds, { ids: JSON.stringify(ids) })
      const known = new Map(rows.map((row) => [row.id, row]))
      return ({ affiliation_user_id }) => {
        const of = known.get(affiliation_user_id ?? '')
        if (!of) return undefined
        return {
          ...(of.profile_image_url !== null && { badge_url: of.profile_image_url }),
          description: of.name,
          ...(of.url !== null && { url: of.url }),
          user_id: [of.id],
        }
      }
    },
  ),
  connection_status: batched(
    Type.Array(choice([...CONNECTIONS], 'A relation.', 'UserConnection'), {
      description: 'Relations between the user and the authenticated user.',
    }),
    async (page, { userId, store }) => {
      if (userId === undefined) return () => undefined
      const others = page.map(({ id: otherId }) => otherId).filter((otherId) => otherId !== userId)
      const { has } = await readRelations(store, pairsAround(userId, others))
      return ({ id: otherId }) => {
        const holds: Record<Connection, boolean> = {
          follow_request_received: has('request', otherId, userId),
          follow_request_sent: has('request', userId, otherId),
          blocking: has('block', userId, otherId),
          followed_by: has('follow', otherId, userId),
          following: has('follow', userId, otherId),
          muting: has('mute', userId, otherId),
        }
        return CONNECTIONS.filter((connection) => holds[connection])
      }
    },
  ),
  created_at: field(time('When the user was created.'), (row) => objectTime(row.created_at)),
  description: field(text('Description that the user gives.'), (row) => row.description),
  entities: batched(UserEntities, async (page, { store }) => {
    const of = await userEntities(page, store)
    const found = new Map(page.map((row) => [row, of(row)]))
    const links = [...found.values()].flatMap((entities) => [
      ...(entities?.description?.urls ?? []),
      ...(entities?.url?.urls ?? []),
    ])
    const preview = await storedPreviews(store, links)
    return (row) => withPreviewsOf(found.get(row), preview)
  }),
  is_identity_verified: field(
    flag('Whether the identity of the user was checked.'),
    (row) => row.identity_verified === 1,
  ),
  location: field(text('Location that the user gives.'), (row) => row.location || undefined),
  most_recent_post_id: batched(
    id('The newest post of the user that the caller sees.'),
    async (page, view) => {
      const rows = await view.store.all(newestPosts, { ids: idsOf(page), viewer: view.userId ?? '' })
      const newest = new Map(
        rows.map((row) => [row.author_id, greatestId(row.organic ?? FIRST_ID, row.to_somebody ?? FIRST_ID)]),
      )
      return (row) => {
        const found = newest.get(row.id)
        return found === FIRST_ID ? undefined : found
      }
    },
  ),
  parody: field(flag('Whether the user says to be a parody.'), (row) => row.parody === 1),
  pinned_post_id: field(id('The post at the top of the profile.'), (row) => row.pinned_post_id ?? undefined),
  profile_banner_url: field(text('URL of the banner.'), (row) => row.profile_banner_url ?? undefined),
  profile_image_url: field(text('URL of the picture.'), (row) => row.profile_image_url ?? undefined),
  protected: field(flag('Only followers see the posts of the user.'), (row) => row.protected === 1),
  public_metrics: field(
    Type.Object(
      {
        followers_count: count,
        following_count: count,
        post_count: count,
        listed_count: count,
        like_count: count,
      },
      { ...closed, description: 'Counts of the profile.' },
    ),
    (row) => ({
      followers_count: row.followers_count,
      following_count: row.following_count,
      post_count: row.post_count,
      listed_count: row.listed_count,
      like_count: row.like_count,
    }),
  ),
  receives_your_dm: batched(
    flag('Whether the user accepts direct messages from the authenticated user.'),
    async (page, { userId, store }) => {
      if (userId === undefined) return () => undefined
      const accepting = await acceptingMessages(store, userId, page)
      return ({ id: otherId }) => accepting.has(otherId)
    },
  ),
  subscription_type: field(
    storedChoice(
      ['None', 'Basic', 'Premium', 'PremiumPlus'],
      'Subscription of the user.',
      'SubscriptionType',
    ),
    (row) => row.subscription_type,
  ),
  url: field(text('URL of the profile.'), (row) => row.url ?? undefined),
  withheld: field(
    Type.Object(
      {
        country_codes: Type.Array(Type.String(), { description: 'Countries, ISO 3166-1 alpha-2.' }),
        scope: choice(['user'], 'What is withheld.', 'UserWithheldScope'),
      },
      { ...closed, description: 'Where the user is withheld. Plaza shows the user everywhere.' },
    ),
    ({ withheld_in }) =>
      withheld_in === null
        ? undefined
        : { country_codes: JSON.parse(withheld_in) as string[], scope: 'user' as const },
  ),
  verified: field(flag('The user is verified.'), (row) => row.verified === 1),
  verified_type: field(
    storedChoice(['none', 'blue', 'government', 'business'], 'How the user is verified.', 'VerifiedType'),
    (row) => row.verified_type,
  ),
}

type FoundEntities = ReturnType<Awaited<ReturnType<typeof userEntities>>>

/** Entities of a profile with the previews of their links. */
function withPreviewsOf(
  found: FoundEntities,
  preview: Awaited<ReturnType<typeof storedPreviews>>,
): FoundEntities {
  const previewed = <Of extends { urls?: UrlEntity[] }>(of: Of): Of =>
    of.urls ? { ...of, urls: of.urls.map((link) => ({ ...link, ...preview(link) })) } : of
  return (
    found && {
      ...(found.description && { description: previewed(found.description) }),
      ...(found.url && { url: previewed(found.url) }),
    }
  )
}

const idsOf = (page: readonly ProfileRow[]) => JSON.stringify(page.map((row) => row.id))

/**
 * A user (core reference, 00 sections 6.1 and 6.2). Everyone sees users; suspended ones are
 * withheld.
 */
export const user = objectShape<ProfileRow>({
  name: 'user',
  plural: 'users',
  component: 'User',
  description: 'A user. Fields that were not requested, or are empty, are omitted.',
  fields,
  absent: ['confirmed_email', 'subscribes_to_you', 'subscription', 'verified_followers_count'],
  defaults: ['id', 'name', 'username'],
  required: ['id', 'name', 'username'],
  expansions: {
    'affiliation.user_id': { to: 'user', field: 'affiliation', ids: { member: 'user_id' } },
    most_recent_post_id: { to: 'post', field: 'most_recent_post_id', ids: 'value' },
    pinned_post_id: { to: 'post', field: 'pinned_post_id', ids: 'value' },
  },
  lookups: {
    id: {
      load: (ids, { store }) => store.all(profilesByIds, { ids: JSON.stringify(ids) }),
      keyOf: (row) => row.id,
    },
    username: {
      load: (names, { store }) => store.all(profilesByNames, { keys: JSON.stringify(names) }),
      keyOf: (row) => row.screen_name_key,
      normalised: (name) => name.toLowerCase(),
    },
  },
  withheld: (row) => (row.suspended === 1 ? 'suspended' : undefined),
})
