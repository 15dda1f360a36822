import type { ApiError } from '../../platform/http/errors.ts'
import { messageText } from '../../platform/http/message.ts'
import { neutralVocabulary } from '../../platform/http/vocabulary.ts'

/** An error about a value of a seed, with its JSON pointer. */
export interface SeedProblem {
  readonly pointer: string
  readonly what: string
}

/** What an error of the product says about the value that it rejects. */
export function explanationOf({ violations, message }: ApiError): string {
  const fault = violations[0]?.fault
  return fault && 'explanation' in fault ? messageText(fault.explanation, neutralVocabulary) : message
}
