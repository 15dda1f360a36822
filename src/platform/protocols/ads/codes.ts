import { type Message, msg, word } from '../../http/message.ts'

/**
 * The codes of the advertising API with their statuses (interface, Errors; reference, error table).
 * `INVALID` and similar codes come from rules of an entity, the others from the request.
 */
export const adsCodes = {
  ACTION_NOT_ALLOWED: 403,
  ACCOUNT_MEDIA_NOT_FOUND: 404,
  ACCOUNT_NOT_FOUND: 403,
  APP_EVENT_PROVIDER_CONFIGURATION_NOT_FOUND: 404,
  APP_EVENT_TAG_NOT_FOUND: 404,
  CAMPAIGN_NOT_FOUND: 404,
  CARD_NOT_FOUND: 404,
  DUPLICATE_POST: 400,
  EXCLUSIVE_PARAMETERS: 400,
  FEATURE_NOT_AVAILABLE: 400,
  FUNDING_INSTRUMENT_ACCESS_NOT_ALLOWED: 403,
  FUNDING_INSTRUMENT_NOT_FOUND: 404,
  INCLUSIVE_PARAMETERS: 400,
  INCOMPATIBLE_LINE_ITEM: 400,
  INVALID: 400,
  INVALID_APP_ID: 404,
  INVALID_CARD_COMPONENTS_COMBINATION: 400,
  INVALID_DENOMINATION: 400,
  INVALID_FUNDING_INSTRUMENT: 400,
  INVALID_IAB_CATEGORY: 404,
  INVALID_ID_ILLEGAL_CHARACTERS: 404,
  INVALID_IMAGE: 400,
  INVALID_MEDIA: 400,
  INVALID_MEDIA_ID: 400,
  INVALID_PARAMETER: 400,
  INVALID_PLACEMENT_TYPE: 400,
  INVALID_POST: 400,
  INVALID_TAILORED_AUDIENCE_TYPE: 400,
  INVALID_TARGETING_TYPE: 400,
  INVALID_TIME_WINDOW: 400,
  INVALID_TV_SHOW_LOCATIONS: 400,
  INVALID_USER_ID: 400,
  LINE_ITEM_APP_NOT_FOUND: 404,
  LINE_ITEM_NOT_FOUND: 404,
  MACT_APP_NOT_FOUND: 404,
  MEDIA_CREATIVE_NOT_FOUND: 404,
  MEDIA_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  MISSING_PARAMETER: 400,
  NOT_FOUND: 404,
  POST_CANNOT_BE_BLANK: 400,
  POST_NOT_FOUND: 404,
  POST_RATE_LIMIT_EXCEEDED: 429,
  PROMOTABLE_USER_NOT_FOUND: 404,
  PROMOTED_ACCOUNT_NOT_FOUND: 404,
  PROMOTED_POST_NOT_FOUND: 404,
  REQUEST_TOO_COMPLEX: 400,
  SCHEDULED_POST_LIMIT_EXCEEDED: 400,
  ROUTE_NOT_FOUND: 404,
  SPEND_EXCEEDS_BUDGET: 400,
  TAILORED_AUDIENCE_NOT_FOUND: 404,
  TARGETING_CRITERION_NOT_FOUND: 404,
  TOO_MANY_CAMPAIGNS: 400,
  TOO_MANY_JOBS: 400,
  TOO_MANY_LINE_ITEMS: 400,
  TV_SHOW_OUTSIDE_MARKET: 400,
  UNAUTHORIZED_CLIENT_APPLICATION: 403,
  UNKNOWN_CARD_TYPE: 400,
  USER_NOT_FOUND: 403,
  WEB_EVENT_TAG_NOT_FOUND: 404,
} as const

export type AdsCode = keyof typeof adsCodes

/** One entry of `errors` or of `operation_errors`. */
export interface AdsError {
  code: AdsCode
  message: Message
  /** The parameter of the request that is wrong. */
  parameter?: string
  /** Instead of `parameter`: the attribute of the entity that breaks a rule. */
  attribute?: string
  /** Whether `parameter` is already a public name, because it comes from the request. */
  renamed?: true
}

/** An error that names a parameter of the request. Names are neutral: rendering renames them. */
export const wrongParameter = (parameter: string, message: Message, code: AdsCode = 'INVALID_PARAMETER') =>
  ({ code, message, parameter }) satisfies AdsError

/** An error that names an attribute of the entity. */
export const wrongAttribute = (attribute: string, message: Message, code: AdsCode = 'INVALID') =>
  ({ code, message, attribute }) satisfies AdsError

/** `"x" is a required parameter`. */
export const missingParameter = (parameter: string) =>
  ({
    code: 'MISSING_PARAMETER',
    message: msg`"${word(parameter)}" is a required parameter`,
    parameter,
  }) satisfies AdsError
