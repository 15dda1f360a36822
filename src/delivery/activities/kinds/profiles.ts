import { Type } from 'typebox'
import { type ProfileField, profileUpdated } from '../../../identity/users/events.ts'
import { activityKind, type KindOf, sourceOf } from '../kind.ts'
import { closed } from '../payloads.ts'

export interface Update {
  user_id: string
  before: string | number | null
  after: string | number | null
}

const profileKind = (
  name: string,
  description: string,
  {
    otherNames = [],
    formerNames = [],
  }: { otherNames?: readonly string[]; formerNames?: readonly string[] } = {},
) =>
  activityKind<Update>({
    name: `profile.update.${name}`,
    otherNames: otherNames.map((one) => `profile.update.${one}`),
    formerNames,
    description,
    payload: Type.Object(
      {
        before: Type.String({ description: 'The previous value; empty if there was none.' }),
        after: Type.String({ description: 'The new value; empty if there is none.' }),
      },
      closed,
    ),
    async prepare(facts, reader) {
      const users = await reader.users(facts.map(({ user_id }) => user_id))
      // Profiles of suspended users are hidden.
      return ({ user_id, before, after }) =>
        users(user_id) && { payload: { before: textOf(before), after: textOf(after) } }
    },
  })

const textOf = (value: string | number | null) => (value === null ? '' : String(value))

export const bio = profileKind('bio', 'The user changes the description of the profile.')
export const geo = profileKind('geo', 'The user changes the location of the profile.')
export const url = profileKind('url', 'The user changes the URL of the profile.')
export const picture = profileKind('profile_picture', 'The picture of the user changes; values are URLs.')
export const banner = profileKind('banner_picture', 'The banner of the user changes; values are URLs.', {
  formerNames: ['ProfileBannerUpdate'],
})
export const screenname = profileKind('screenname', 'The display name or the handle of the user changes.')
export const handle = profileKind('handle', 'The handle of the user changes.')
export const verified = profileKind('verified', 'The verification of the user changes.', {
  otherNames: ['verified_badge'],
})
export const affiliate = profileKind(
  'affiliate',
  'The affiliation of the user changes; values are ids of users.',
  {
    otherNames: ['affiliate_badge'],
  },
)

export const profileKinds = [bio, geo, url, picture, banner, screenname, handle, verified, affiliate]

/**
 * The kinds that a change of each member emits. The documents disagree about `screenname`, so it
 * reports both members.
 */
const KINDS: Readonly<Record<ProfileField, readonly KindOf<Update>[]>> = {
  affiliation: [affiliate],
  description: [bio],
  handle: [handle, screenname],
  location: [geo],
  name: [screenname],
  profile_banner_url: [banner],
  profile_image_url: [picture],
  protected: [],
  subscription_type: [],
  url: [url],
  verified_type: [verified],
}

export const profileSources = [
  sourceOf(profileUpdated, ({ field, ...facts }, event) =>
    KINDS[field].map((kind) => kind.of({ event, facts, subject: { user: facts.user_id } })),
  ),
]
