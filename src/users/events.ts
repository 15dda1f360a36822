import { eventKind } from '../events/event.ts'

/** What a profile shows and can change. `affiliation` is the id of a user. */
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

type Update = {
  /** The subject: whose profile it is. */
  user_id: string
  field: ProfileField
  before: string | number | null
  after: string | number | null
}

/** A member of a profile has another value, by the user or by the operator. One event for each member. */
export const profileUpdated = eventKind<Update>('user.profile_updated', ({ user_id }) => user_id)
