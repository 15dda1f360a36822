import type { TSchema } from 'typebox'
import type { ObjectMembers } from '../../../platform/objects/shape.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { Activity, ActivityKind, KindOf } from '../kind.ts'
import type { ActivityReader } from '../reader.ts'

/** What forms use to read data. */
export interface FormParts {
  readonly store: Pick<Store, 'all'>
  readonly reader: ActivityReader
  readonly mediaOrigin: string
  readonly coreOrigin: string
}

/**
 * One activity as a webhook receives it, without `for_user_id`; undefined when no one may see it
 * any more.
 */
export type FormPayload = { readonly [member: string]: unknown } | undefined

/** How account activity renders activities of some kinds (core reference, 02 section 5.1). */
export interface AccountForm {
  readonly kinds: readonly ActivityKind[]
  /**
   * The member that holds the activities. When several kinds report one event in the same member,
   * it is delivered once.
   */
  readonly member: string
  readonly schema: TSchema
  /** Whether only apps that may see direct messages receive it. */
  readonly isPrivate: boolean
  /** Reads what many activities need, with few queries. */
  prepare(activities: readonly Activity[], parts: FormParts): Promise<(activity: Activity) => FormPayload>
}

/** Declares the form of kinds whose facts have the same type. */
export const accountForm = <Facts>(declared: {
  kinds: readonly KindOf<Facts>[]
  member: string
  schema: TSchema
  isPrivate?: boolean
  prepare(
    activities: readonly Activity<Facts>[],
    parts: FormParts,
  ): Promise<(activity: Activity<Facts>) => ObjectMembers | undefined>
}): AccountForm => ({
  ...declared,
  isPrivate: declared.isPrivate ?? false,
  // Safe: only `of` creates activities of a kind, with the facts of that kind.
  prepare: declared.prepare as AccountForm['prepare'],
})
