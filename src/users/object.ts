import { Type } from 'typebox'
import { isoTime } from '../common/time.ts'
import { choice, storedChoice, id, time } from '../http/schema.ts'
import { fieldsOf, objectShape } from '../objects/shape.ts'
import type { ProfileRow } from '../storage/tables.ts'
import { followsBetween, newestPosts, profilesByIds, profilesByNames } from './queries.ts'

const { field, batched } = fieldsOf<ProfileRow>()
const closed = { additionalProperties: false }
const count = Type.Integer({ minimum: 0 })
const text = (description: string) => Type.String({ description })
const flag = (description: string) => Type.Boolean({ description })

const fields = {
  id: field(id('The user.'), (row) => row.id),
  name: field(text('Name that the profile shows.'), (row) => row.name),
  username: field(text('Name that mentions use, in the spelling of its user.'), (row) => row.screen_name),
  connection_status: batched(
    Type.Array(choice(['followed_by', 'following'], 'A relation.', 'UserConnection'), {
      description: 'Relations between the user and the user who calls.',
    }),
    async (page, { userId, store }) => {
      if (userId === undefined) return () => undefined
      const rows = await store.all(followsBetween, { user: userId, ids: idsOf(page) })
      const related = new Set(rows.map((row) => `${row.follower_id} ${row.followed_id}`))
      return ({ id: other }) => {
        const followedBy = related.has(`${other} ${userId}`) ? (['followed_by'] as const) : []
        const following = related.has(`${userId} ${other}`) ? (['following'] as const) : []
        return [...followedBy, ...following]
      }
    },
  ),
  created_at: field(time('When the user was created.'), (row) => isoTime(row.created_at)),
  description: field(text('What the user says about themselves.'), (row) => row.description),
  location: field(text('Where the user says to be.'), (row) => row.location || undefined),
  most_recent_post_id: batched(id('The newest public post of the user.'), async (page, { store }) => {
    const rows = await store.all(newestPosts, { ids: idsOf(page) })
    // Ids of posts have 19 digits: the greater text is the newer post.
    const newest = new Map(
      rows.map((row) => [row.author_id, [row.organic ?? '', row.to_somebody ?? ''].sort()[1]]),
    )
    return (row) => newest.get(row.id) || undefined
  }),
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
      { ...closed, description: 'What the profile counts.' },
    ),
    (row) => ({
      followers_count: row.followers_count,
      following_count: row.following_count,
      post_count: row.post_count,
      listed_count: row.listed_count,
      like_count: row.like_count,
    }),
  ),
  subscription_type: field(
    storedChoice(
      ['None', 'Basic', 'Premium', 'PremiumPlus'],
      'Subscription of the user.',
      'SubscriptionType',
    ),
    (row) => row.subscription_type,
  ),
  url: field(text('URL that the profile shows.'), (row) => row.url ?? undefined),
  verified: field(flag('The user is verified.'), (row) => row.verified === 1),
  verified_type: field(
    storedChoice(['none', 'blue', 'government', 'business'], 'How the user is verified.', 'VerifiedType'),
    (row) => row.verified_type,
  ),
}

const idsOf = (page: readonly ProfileRow[]) => JSON.stringify(page.map((row) => row.id))

/** A user (core reference, 00 sections 6.1 and 6.2). Everyone sees users; suspended ones are withheld. */
export const user = objectShape<ProfileRow>({
  name: 'user',
  plural: 'users',
  component: 'User',
  description: 'A user. What was not requested, or is empty, is left out.',
  fields,
  absent: [
    'affiliation',
    'confirmed_email',
    'entities',
    'is_identity_verified',
    'parody',
    'receives_your_dm',
    'subscription',
    'verified_followers_count',
    'withheld',
  ],
  defaults: ['id', 'name', 'username'],
  required: ['id', 'name', 'username'],
  expansions: {
    most_recent_post_id: { to: 'post', field: 'most_recent_post_id', ids: 'value' },
    pinned_post_id: { to: 'post', field: 'pinned_post_id', ids: 'value' },
  },
  absentExpansions: ['affiliation.user_id'],
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
