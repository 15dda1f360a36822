import type { Refusal } from '../http/errors.ts'
import type { Vocabulary } from '../http/vocabulary.ts'

/** A refusal, ready to be sent. */
export interface Rendered {
  status: number
  contentType: string
  body: string
  headers?: Readonly<Record<string, string>>
}

/** What a dialect may need besides the refusal. */
export interface Speech {
  vocabulary: Vocabulary
  /** `{problem_base}`: the prefix of Problem type URIs. */
  problemBase: string
}

/**
 * Renders refusals in the words of one part of the platform. `request`: JSON text of how the call was understood,
 * where the dialect repeats it.
 */
export type Dialect = (refusal: Refusal, speech: Speech, request?: string) => Rendered
