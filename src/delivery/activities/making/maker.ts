import { NO_PASSWORD } from '../../../identity/users/password.ts'
import { profilesByIds, profilesByNames } from '../../../identity/users/queries.ts'
import type { ProfileRow } from '../../../identity/users/tables.ts'
import { createUser } from '../../../identity/users/users.ts'
import type { Clock } from '../../../platform/common/clock.ts'
import type { IdSource } from '../../../platform/common/ids.ts'
import type { Vocabulary } from '../../../platform/http/vocabulary.ts'
import type { Sealer } from '../../../platform/storage/seal.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { ActivityKind, Direction, KindOf } from '../kind.ts'

/** What an activity that is emitted by hand is about. */
export interface About {
  /** The user of the filter. For `oauth.revoke`: who revokes the app, if the operator says so. */
  readonly user: ProfileRow | undefined
  /** For news. */
  readonly text: string
  /** For `oauth.revoke`. */
  readonly appId: string
  /**
   * Undefined: the activity is built as `outbound`, and reaches subscriptions of both directions.
   */
  readonly direction: Direction | undefined
}

/** Where missing objects are made. */
export interface Making {
  readonly tx: Transaction
  readonly clock: Clock
  readonly ids: IdSource
  readonly sealer: Pick<Sealer, 'derive'>
  readonly naming: { readonly vocabulary: Vocabulary }
}

/** Makes the facts of an activity. They refer to stored objects. */
export type Maker = (about: About, making: Making) => Promise<unknown>

/** How the facts of a kind are made. */
export const maker = <Facts>(
  kind: KindOf<Facts>,
  make: (about: About, making: Making) => Promise<Facts>,
): [ActivityKind, Maker] => [kind, make]

/** The same for a kind whose filter names a user. */
export const makerFor = <Facts>(
  kind: KindOf<Facts>,
  make: (user: ProfileRow, making: Making, about: About) => Promise<Facts> | Facts,
): [ActivityKind, Maker] =>
  maker(kind, async (about, making) => {
    if (!about.user) throw new Error(`${kind.name} needs a user`)
    return make(about.user, making, about)
  })

/** The other users of emitted activities. No one can sign in as them. */
const NAMES = ['sample_user', 'sample_user_2', 'sample_user_3', 'sample_user_4'] as const

/** Users other than the given one, whom everyone sees. Those that are missing are made. */
export async function othersThan(
  userId: string | undefined,
  count: number,
  { tx, clock, ids }: Making,
): Promise<ProfileRow[]> {
  const found = await tx.all(profilesByNames, { keys: JSON.stringify(NAMES) })
  const byName = new Map(found.map((row) => [row.screen_name_key, row]))
  const others: ProfileRow[] = []
  for (const name of NAMES) {
    if (others.length === count) break
    const row = byName.get(name) ?? (await makeUser(name, { tx, clock, ids }))
    if (row.id !== userId && row.protected === 0 && row.suspended === 0) others.push(row)
  }
  if (others.length < count) throw new Error(`not enough of the users ${NAMES.join(', ')} are public`)
  return others
}

export async function otherThan(user: ProfileRow, making: Making): Promise<ProfileRow> {
  const [other] = await othersThan(user.id, 1, making)
  return other as ProfileRow
}

async function makeUser(
  name: string,
  { tx, clock, ids }: Omit<Making, 'naming' | 'sealer'>,
): Promise<ProfileRow> {
  const id = ids.next()
  await createUser(tx, {
    ...{ id, screen_name: name, screen_name_key: name, name: 'Sample user' },
    ...{ password_hash: NO_PASSWORD, suspended: 0, created_at: clock.now() },
  })
  const [row] = await tx.all(profilesByIds, { ids: JSON.stringify([id]) })
  if (!row) throw new Error(`the user ${id} was not stored`)
  return row
}
