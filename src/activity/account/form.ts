import type { TSchema } from 'typebox'
import type { Shown } from '../../objects/shape.ts'
import type { Store } from '../../storage/store.ts'
import type { Activity, ActivityKind, KindOf } from '../kind.ts'
import type { ActivityReader } from '../reader.ts'

/** What forms read. */
export interface FormParts {
  readonly store: Pick<Store, 'all'>
  readonly reader: ActivityReader
  readonly mediaOrigin: string
}

/** One activity as a webhook receives it, without `for_user_id`; undefined when no one may see it (any more). */
export type Written = { readonly [member: string]: unknown } | undefined

/** How activities of some kinds look in account activity (core reference, 02 section 5.1). */
export interface AccountForm {
  readonly kinds: readonly ActivityKind[]
  /** The member that holds the activities: what several kinds tell about one event is delivered once. */
  readonly member: string
  readonly schema: TSchema
  /** Whether it is only for apps that may see direct messages. */
  readonly isPrivate: boolean
  /** Reads what many activities need at once. */
  prepare(activities: readonly Activity[], parts: FormParts): Promise<(activity: Activity) => Written>
}

/** Declares the form of kinds that have the same facts. */
export const accountForm = <Facts>(declared: {
  kinds: readonly KindOf<Facts>[]
  member: string
  schema: TSchema
  isPrivate?: boolean
  prepare(
    activities: readonly Activity<Facts>[],
    parts: FormParts,
  ): Promise<(activity: Activity<Facts>) => Shown | undefined>
}): AccountForm => ({
  ...declared,
  isPrivate: declared.isPrivate ?? false,
  // Activities of a kind are made by `of`, with its facts.
  prepare: declared.prepare as AccountForm['prepare'],
})
