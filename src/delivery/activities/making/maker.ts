import type { ProfileRow } from '../../../identity/users/tables.ts'
import type { Clock } from '../../../platform/common/clock.ts'
import type { IdSource } from '../../../platform/common/ids.ts'
import type { Vocabulary } from '../../../platform/http/vocabulary.ts'
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
  /** Undefined: the activity is built as `outbound`, and reaches subscriptions of both directions. */
  readonly direction: Direction | undefined
}

/** Where missing objects are made. */
export interface Making {
  readonly tx: Transaction
  readonly clock: Clock
  readonly ids: IdSource
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
