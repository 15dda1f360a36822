import { eventKind } from '../../platform/events/event.ts'

/** Members of a profile that can change. `affiliation` is the id of a user. */
export type ProfileField =
  | 'affiliation'
  | 'description'
  | 'handle'
  | 'location'
  | 'name'
  | 'profile_banner_url'
  | 'profile_image_url'
  | 'protected'
  | 'subscription_type'
  | 'url'
  | 'verified_type'

type ProfileUpdate = {
  /** The user whose profile it is. */
  user_id: string
  field: ProfileField
  before: string | number | null
  after: string | number | null
}

/** A user was deleted. What belongs to the user is removed afterwards, with events of its own. */
export const userDeleted = eventKind<{ user_id: string }>('user.deleted', ({ user_id }) => user_id)

/** The operator withheld a user in countries, separated by commas. */
export const userWithheld = eventKind<{ user_id: string; countries: string }>(
  'user.withheld',
  ({ user_id }) => user_id,
)

/** The operator removed where the posts of a user up to an id were written. */
export const userPlacesRemoved = eventKind<{ user_id: string; up_to_post_id: string }>(
  'user.places_removed',
  ({ user_id }) => user_id,
)

/** The user or the operator changed a member of a profile. There is one event per member. */
export const profileUpdated = eventKind<ProfileUpdate>('user.profile_updated', ({ user_id }) => user_id)
