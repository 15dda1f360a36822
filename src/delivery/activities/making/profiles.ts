import type { ProfileRow } from '../../../identity/users/tables.ts'
import type { KindOf } from '../kind.ts'
import type { Update } from '../kinds/profiles.ts'
import { affiliate, banner, bio, geo, handle, picture, screenname, url, verified } from '../kinds/profiles.ts'
import type { Making } from './maker.ts'
import { makerFor } from './maker.ts'
import { otherThan } from './people.ts'

type Value = Update['before']

/** A change of one column. The profile itself stays as it is. */
const changeOf = (
  kind: KindOf<Update>,
  column: keyof ProfileRow,
  after: (user: ProfileRow, making: Making) => Promise<Value> | Value,
) =>
  makerFor(kind, async (user, making) => ({
    user_id: user.id,
    before: user[column],
    after: await after(user, making),
  }))

export const profileMakers = [
  changeOf(bio, 'description', () => 'A sample description'),
  changeOf(geo, 'location', () => 'A sample location'),
  changeOf(url, 'url', () => 'https://example.com/'),
  changeOf(picture, 'profile_image_url', () => 'https://example.com/picture.png'),
  changeOf(banner, 'profile_banner_url', () => 'https://example.com/banner.png'),
  changeOf(screenname, 'name', () => 'A sample name'),
  changeOf(handle, 'screen_name', ({ screen_name }) => `${screen_name.slice(0, -1)}_`),
  changeOf(verified, 'verified_type', ({ verified_type }) => (verified_type === 'none' ? 'blue' : 'none')),
  changeOf(affiliate, 'affiliation_user_id', async (user, making) => (await otherThan(user, making)).id),
]
