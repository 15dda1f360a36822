import { ApiError } from '../../http/errors.ts'
import { messageText } from '../../http/message.ts'
import { neutralVocabulary } from '../../http/vocabulary.ts'
import { type AdsError, wrongParameter } from './codes.ts'

interface AdsApiErrorDetails {
  errors?: readonly AdsError[]
  operations?: readonly (readonly AdsError[])[]
  request?: string
  detail?: string
  headers?: Readonly<Record<string, string>>
}

/**
 * An API error of the advertising API: errors with codes of their own, for the request or for each
 * operation of a batch.
 */
export class AdsApiError extends ApiError {
  readonly errors: readonly AdsError[]
  /** One list per operation. */
  readonly operations: readonly (readonly AdsError[])[] | undefined
  /** The parsed request as JSON text, when it is more than its parameters. */
  readonly request: string | undefined
  constructor({ errors = [], operations, request, detail, headers = {} }: AdsApiErrorDetails) {
    const [first] = errors
    const text = detail ?? (first && messageText(first.message, neutralVocabulary))
    super('bad request', text === undefined ? { headers } : { detail: text, headers })
    this.errors = errors
    this.operations = operations
    this.request = request
  }
}

/** An API error of the advertising API. The first error's code decides the status. */
export const adsApiError = (...errors: [AdsError, ...AdsError[]]): AdsApiError => new AdsApiError({ errors })

/** The API error of one parameter. */
export const rejected = (...error: Parameters<typeof wrongParameter>): AdsApiError =>
  adsApiError(wrongParameter(...error))

/** The advertising errors of a thrown value; empty for other values. */
export const adsErrorsOf = (thrown: unknown): readonly AdsError[] =>
  thrown instanceof AdsApiError ? thrown.errors : []
