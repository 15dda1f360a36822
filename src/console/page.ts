import type { Clock } from '../common/clock.ts'
import type { Vocabulary } from '../http/vocabulary.ts'
import type { Sealer } from '../storage/seal.ts'
import type { Store } from '../storage/store.ts'

/** What the pages read and change. */
export interface PageParts {
  readonly store: Store
  readonly sealer: Sealer
  readonly clock: Clock
  readonly vocabulary: Vocabulary
  onError(error: unknown): void
}

/** The answer to a request of someone who is signed in. */
export interface Answer {
  readonly status?: number
  /** A page, or where the browser continues. */
  readonly body?: string
  readonly location?: string
}

/** A request of someone who is signed in. */
export interface Asked {
  readonly params: Readonly<Record<string, string>>
  /** Of the query, or of the form. The first of repeated ones counts. */
  readonly values: Readonly<Record<string, string | undefined>>
  readonly formToken: string
}
