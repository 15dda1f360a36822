import type { EmitParts } from '../../delivery/activities/emit.ts'
import type { TimeSource } from '../../platform/common/clock.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import type { Store } from '../../platform/storage/store.ts'

/** The state that pages read and change. */
export interface PageParts {
  readonly store: Store
  readonly sealer: Sealer
  readonly clock: TimeSource
  readonly vocabulary: Vocabulary
  /** What emitting an activity needs. */
  readonly emitting: EmitParts
  onError(error: unknown): void
}

/** The response to a signed-in user. */
export interface Answer {
  readonly status?: number
  /** A page, or a redirect. */
  readonly body?: string
  readonly location?: string
}

/** A request of a signed-in user. */
export interface PageRequest {
  readonly params: Readonly<Record<string, string>>
  /** From the query or the form. If a name is repeated, the first value counts. */
  readonly values: Readonly<Record<string, string | undefined>>
  readonly formToken: string
}
