import { ApiError, type EngineCause, type ErrorDetails } from '../http/errors.ts'
import { byVocabulary, type Vocabulary } from '../http/vocabulary.ts'

/** Message and code in the legacy protocol: `{errors: [{code, message}]}`. */
export interface LegacyWords {
  status: number
  code: number
  message: string
  label?: string
  /** The body is the message as plain text, as clients of that step expect. */
  plain?: boolean
}

/** Texts of the core API's Problem Details (RFC 7807). No slug means `about:blank`. */
export interface ProblemWords {
  status: number
  slug?: string
  title: string
  detail: string
  /** Whether the Problem also contains a legacy error, where the interface gives its code. */
  legacyCode?: boolean
  /** Members that the subtype adds. Such a Problem has no `status`, because clients expect none. */
  members?: Readonly<Record<string, string>>
}

/** Status, code and message in the advertising protocol: `{errors: [{code, message}], request}`. */
export interface AdsWords {
  status: number
  code: string
  message: string
}

/**
 * Code and description in the protocol of OAuth 2.0: `{error, error_description}` (RFC 6749 section
 * 5.2).
 */
export interface Oauth2Words {
  status: number
  error: string
  description: string
}

interface ErrorWords {
  legacy: LegacyWords
  problem: ProblemWords
  ads: AdsWords
  /** Only where the protocol has its own text. */
  oauth2?: Oauth2Words
}

const notUnderstood = 'One or more parameters to your request was invalid.'
const unauthorized: ProblemWords = { status: 401, title: 'Unauthorized', detail: 'Unauthorized' }
const forbidden = (detail: string): ProblemWords => ({ status: 403, title: 'Forbidden', detail })
const levelTooLow: ProblemWords = {
  status: 403,
  slug: 'oauth1-permissions',
  title: 'Forbidden',
  detail: 'Your client app is not configured with the appropriate oauth1 app permissions for this endpoint.',
}
const legacy = (status: number, code: number, message: string): LegacyWords => ({ status, code, message })
const ads = (status: number, code: string, message: string): AdsWords => ({ status, code, message })
const unsigned = ads(401, 'UNAUTHORIZED_ACCESS', 'This request is not properly authenticated')
/** Errors of uploads (codes of the legacy table). */
const mediaError = (code: 324 | 325, message: string): ErrorWords => ({
  legacy: legacy(400, code, message),
  problem: { status: 400, slug: 'invalid-request', title: 'Invalid Request', detail: notUnderstood },
  ads: ads(400, code === 325 ? 'MEDIA_NOT_FOUND' : 'INVALID_MEDIA', message),
})
/**
 * Actions that a user may not perform on a post or a user. The advertising API has its own codes
 * for these.
 */
const forbiddenAction = (code: number, message: string): ErrorWords => ({
  legacy: legacy(403, code, message),
  problem: forbidden(message),
  ads: ads(403, 'ACTION_NOT_ALLOWED', message),
})
/** The request does not fit the present state. */
const conflicting = (message: string): ErrorWords => ({
  legacy: legacy(409, 44, message),
  problem: { status: 409, slug: 'conflict', title: 'Conflict', detail: message },
  ads: ads(409, 'CONFLICT', message),
})
/** An app, or the project of an app, has reached the usage cap of its plan. */
const usageCapped = (period: 'Daily' | 'Monthly', scope: 'Account' | 'Product'): ErrorWords => {
  const detail = `Usage cap exceeded: ${period} ${scope.toLowerCase()} cap`
  return {
    legacy: legacy(429, 88, detail),
    problem: {
      status: 429,
      slug: 'usage-capped',
      title: 'UsageCapExceeded',
      detail,
      members: { period, scope },
    },
    ads: ads(429, 'TOO_MANY_REQUESTS', detail),
  }
}
/** Errors of the OAuth 2.0 token endpoints, which no other part of the platform returns. */
const oauth2Error = (status: 400 | 401, error: string, description: string): Required<ErrorWords> => ({
  oauth2: { status, error, description },
  legacy: legacy(status, status === 401 ? 32 : 44, description),
  problem:
    status === 401
      ? unauthorized
      : { status, slug: 'invalid-request', title: 'Invalid Request', detail: description },
  ads: ads(status, status === 401 ? 'UNAUTHORIZED_ACCESS' : 'INVALID_PARAMETER', description),
})
/**
 * Every error of the platform, with its status, code and message for each protocol. Sources: the
 * interface's sections Errors and OAuth endpoints; codes of the legacy table.
 */
const catalogue = {
  'bad authentication data': {
    legacy: legacy(400, 215, 'Bad Authentication data.'),
    problem: unauthorized,
    ads: unsigned,
  },
  'scheme unknown': {
    legacy: legacy(400, 215, 'Bad Authentication data.'),
    problem: {
      status: 403,
      slug: 'unsupported-authentication',
      title: 'Unsupported Authentication',
      detail: '',
    },
    ads: unsigned,
  },
  'could not authenticate': {
    legacy: legacy(401, 32, 'Could not authenticate you.'),
    problem: unauthorized,
    ads: unsigned,
  },
  'app suspended': {
    legacy: legacy(401, 416, 'Invalid / suspended application'),
    problem: { ...unauthorized, legacyCode: true },
    ads: unsigned,
    oauth2: { status: 401, error: 'invalid_client', description: 'Invalid / suspended application' },
  },
  'timestamp out of bounds': {
    legacy: legacy(401, 135, 'Timestamp out of bounds.'),
    problem: unauthorized,
    ads: unsigned,
  },
  'invalid token': {
    legacy: legacy(401, 89, 'Invalid or expired token.'),
    problem: { ...unauthorized, legacyCode: true },
    ads: unsigned,
  },
  'user suspended': {
    legacy: legacy(403, 64, 'Your account is suspended and is not permitted to access this feature'),
    problem: {
      ...forbidden('Your account is suspended and is not permitted to access this feature'),
      legacyCode: true,
    },
    ads: ads(403, 'CURRENT_USER_SUSPENDED', 'The current user is suspended'),
  },
  'auth kind not allowed': {
    legacy: legacy(403, 220, 'Your credentials do not allow access to this resource.'),
    problem: {
      status: 403,
      slug: 'unsupported-authentication',
      title: 'Unsupported Authentication',
      detail: '',
    },
    ads: ads(403, 'UNAUTHORIZED_CLIENT_APPLICATION', 'Sign this request with OAuth 1.0a as a user'),
  },
  'write not permitted': {
    legacy: legacy(403, 261, 'Application cannot perform write actions.'),
    problem: levelTooLow,
    ads: ads(403, 'READONLY_CLIENT_APPLICATION', 'The app has read-only access'),
  },
  'write not granted': {
    legacy: legacy(403, 261, 'Application cannot perform write actions.'),
    problem: levelTooLow,
    ads: ads(403, 'INSUFFICIENT_USER_AUTHORIZED_PERMISSION', 'The user granted the app read access only'),
  },
  'direct messages not permitted': {
    legacy: legacy(403, 93, 'This application is not allowed to access or delete your direct messages.'),
    problem: { ...levelTooLow, legacyCode: true },
    ads: ads(403, 'INSUFFICIENT_USER_AUTHORIZED_PERMISSION', 'The app may not read direct messages'),
  },
  'cannot message user': {
    legacy: legacy(403, 349, 'You cannot send messages to this user.'),
    problem: { ...forbidden('You cannot send messages to this user.'), legacyCode: true },
    ads: ads(403, 'ACTION_NOT_ALLOWED', 'You cannot send messages to this user'),
  },
  'user unknown': {
    legacy: legacy(404, 50, 'User not found.'),
    problem: { status: 404, title: 'Not Found', detail: 'User not found.' },
    ads: ads(403, 'USER_NOT_FOUND', 'User not found'),
  },
  'other user suspended': {
    legacy: legacy(403, 63, 'User has been suspended.'),
    problem: forbidden('User has been suspended.'),
    ads: ads(403, 'ACTION_NOT_ALLOWED', 'The user has been suspended'),
  },
  'not in conversation': forbiddenAction(220, 'You are not a participant of this conversation.'),
  'medium not for messages': forbiddenAction(
    200,
    'You are not permitted to attach this media to a DM event.',
  ),
  'scope missing': {
    legacy: legacy(403, 220, 'Your credentials do not allow access to this resource.'),
    problem: forbidden('Forbidden'),
    ads: ads(403, 'UNAUTHORIZED_CLIENT_APPLICATION', 'Sign this request with OAuth 1.0a as a user'),
  },
  'client unknown': oauth2Error(
    401,
    'invalid_client',
    'Value passed for the client id or secret was invalid.',
  ),
  'client credentials missing': oauth2Error(401, 'unauthorized_client', 'Missing valid authorization header'),
  'client ambiguous': oauth2Error(
    400,
    'invalid_request',
    'Value passed for the client id did not match the authorization header.',
  ),
  'grant type unknown': oauth2Error(
    400,
    'unsupported_grant_type',
    'Value passed for the grant type was neither authorization_code nor refresh_token.',
  ),
  'code invalid': oauth2Error(400, 'invalid_request', 'Value passed for the authorization code was invalid.'),
  'redirect mismatch': oauth2Error(
    400,
    'invalid_request',
    'Value passed for the redirect uri did not match the uri of the authorization code.',
  ),
  'verifier mismatch': oauth2Error(
    400,
    'invalid_request',
    'Value passed for the code verifier did not match the code challenge.',
  ),
  'user token invalid': oauth2Error(400, 'invalid_request', 'Value passed for the token was invalid.'),
  'client not permitted': {
    legacy: legacy(403, 87, 'Client is not permitted to perform this action.'),
    problem: forbidden('Client is not permitted to perform this action.'),
    ads: ads(403, 'UNAUTHORIZED_CLIENT_APPLICATION', 'The app is not permitted to perform this action'),
  },
  'client not enrolled': {
    legacy: legacy(403, 87, 'Client is not permitted to perform this action.'),
    problem: {
      status: 403,
      slug: 'client-forbidden',
      title: 'Client Forbidden',
      detail: 'The app must be enrolled before it may use this endpoint.',
      members: { reason: 'client-not-enrolled' },
    },
    ads: ads(403, 'UNAUTHORIZED_CLIENT_APPLICATION', 'The app is not enrolled'),
  },
  'enterprise needed': {
    legacy: legacy(403, 87, 'Client is not permitted to perform this action.'),
    problem: {
      status: 403,
      slug: 'client-forbidden',
      title: 'Client Forbidden',
      detail: 'The app must have an enterprise plan to use this endpoint.',
      members: { reason: 'client-not-enrolled' },
    },
    ads: ads(403, 'UNAUTHORIZED_CLIENT_APPLICATION', 'The app has no enterprise plan'),
  },
  'activity not permitted': {
    legacy: legacy(403, 87, 'The user has not authorized the app to see these events.'),
    problem: forbidden('The user has not authorized the app to see these events.'),
    ads: ads(403, 'ACTION_NOT_ALLOWED', 'The user has not authorized the app to see these events'),
  },
  'no subscription': forbiddenAction(87, 'Personalized trends need a subscription.'),
  'duplicate post': forbiddenAction(187, 'You are not allowed to create a Post with duplicate content.'),
  'reply target gone': forbiddenAction(
    385,
    'You attempted to reply to a Post that is deleted or not visible to you.',
  ),
  'reply restricted': forbiddenAction(
    433,
    'The author of the conversation has limited who may reply to this Post.',
  ),
  'not community member': forbiddenAction(433, 'Only members of a community may write posts in it.'),
  'edit not allowed': forbiddenAction(200, 'You are not permitted to edit this Post.'),
  'post of another user': forbiddenAction(87, 'You are not authorized to delete this Post.'),
  'repost not allowed': forbiddenAction(328, 'You are not permitted to repost this Post.'),
  'not author of conversation': forbiddenAction(
    87,
    'You are not authorized to hide replies in this conversation: only its author can.',
  ),
  'follow blocked': forbiddenAction(
    162,
    'You have been blocked from following this account at the request of the user.',
  ),
  'follow of blocked user': forbiddenAction(
    200,
    'You have blocked this account: unblock it before you follow it.',
  ),
  'too many follows': forbiddenAction(161, 'You are unable to follow more people at this time.'),
  'not list owner': forbiddenAction(200, 'Only the owner of a list may change it.'),
  'not addable to list': forbiddenAction(104, 'You are not allowed to add members to this list.'),
  'too many lists': forbiddenAction(200, 'A user may have at most 1,000 lists.'),
  'too many list members': forbiddenAction(104, 'A list may have at most 5,000 members.'),
  'list not followed': forbiddenAction(200, 'Only lists that you own or follow can be pinned.'),
  'too many pinned lists': forbiddenAction(200, 'A user may have at most 5 pinned lists.'),
  'no articles': forbiddenAction(200, 'You need a Premium subscription to write articles.'),
  'too many drafts': forbiddenAction(200, 'A user may have at most 100 drafts of articles.'),
  'not article author': forbiddenAction(200, 'You are not authorized to publish this article.'),
  'too many bookmark folders': forbiddenAction(200, 'A user may have at most 1,000 bookmark folders.'),
  'not space creator': forbiddenAction(200, 'Only the creator of a space may see who bought its tickets.'),
  'not a note writer': forbiddenAction(200, 'User must be an API Note Writer to access this endpoint.'),
  'note exists': forbiddenAction(200, 'User already created a note for this post.'),
  'note of another user': forbiddenAction(200, 'You are not authorized to delete this note.'),
  'note feed not permitted': forbiddenAction(
    200,
    'Only top writers may read feeds of the sizes large, xl and xxl.',
  ),
  'post not eligible for notes': forbiddenAction(
    200,
    'This Post is not eligible for notes: it must be public, not a repost, and at most 7 days old.',
  ),
  'public keys of another user': forbiddenAction(200, 'You may only add public keys of your own.'),
  'too many public keys': forbiddenAction(200, 'A user may have at most 100 versions of public keys.'),
  'public key exists': conflicting('You have other public keys with this version.'),
  'chat key not newest': conflicting(
    'The conversation has a newer key: load its key changes, and encrypt the message again.',
  ),
  'chat key not newer': conflicting('The version of a new key must be higher than that of the present one.'),
  'chat group exists': conflicting('The group exists, with other members or another key.'),
  'not chat admin': forbiddenAction(200, 'Only an admin of the group may do this.'),
  'not own chat message': forbiddenAction(
    200,
    'You may delete messages for all members only if you sent them, or are an admin of the group.',
  ),
  'not chat medium owner': forbiddenAction(200, 'Only the user who uploaded the media may delete it.'),
  'broadcast not running': conflicting('The broadcast is not running.'),
  'broadcast started': conflicting('Only a broadcast that has not started can be changed or deleted.'),
  'broadcast running': conflicting('Only a broadcast that has not started can go live.'),
  'source not receiving': conflicting('The source of the broadcast is not receiving video.'),
  'not broadcast owner': forbiddenAction(200, 'Only the owner of a broadcast may moderate its chat.'),
  'muted in chat': forbiddenAction(200, 'The owner of the broadcast has muted you.'),
  'blocked in chat': forbiddenAction(200, 'The owner of the broadcast has blocked you.'),
  'too many broadcasts': forbiddenAction(200, 'A user may have at most 100 broadcasts that have not ended.'),
  'tls needed': {
    legacy: legacy(403, 92, 'SSL is required'),
    problem: forbidden('SSL is required'),
    ads: ads(403, 'UNAUTHORIZED_ACCESS', 'Use https'),
  },
  'credentials unverifiable': {
    legacy: { ...legacy(403, 99, 'Unable to verify your credentials'), label: 'authenticity_token_error' },
    problem: forbidden('Unable to verify your credentials'),
    ads: unsigned,
  },
  'bearer asked too often': {
    legacy: legacy(403, 99, 'The bearer token was requested too often. Store it: it stays the same.'),
    problem: forbidden('The bearer token was requested too often. Store it: it stays the same.'),
    ads: unsigned,
  },
  'callback malformed': {
    legacy: legacy(403, 415, 'The client application failed validation: Not a valid callback URL format.'),
    problem: forbidden('Not a valid callback URL format.'),
    ads: unsigned,
  },
  'callback not approved': {
    legacy: legacy(
      403,
      415,
      'Callback URL not approved for this client application. Approved callback URLs can be adjusted in your application settings',
    ),
    problem: forbidden('Callback URL not approved for this client application.'),
    ads: unsigned,
  },
  'desktop app needs oob': {
    legacy: legacy(401, 417, "Desktop applications only support the oauth_callback value 'oob'"),
    problem: unauthorized,
    ads: unsigned,
  },
  'verifier invalid': {
    legacy: {
      ...legacy(401, 89, 'Error processing your OAuth request: Invalid oauth_verifier parameter'),
      plain: true,
    },
    problem: unauthorized,
    ads: unsigned,
  },
  'form not authentic': {
    legacy: { ...legacy(403, 99, 'Unable to verify the form'), label: 'authenticity_token_error' },
    problem: forbidden('Unable to verify the form'),
    ads: unsigned,
  },
  'not found': {
    legacy: legacy(404, 34, 'Sorry, that page does not exist.'),
    problem: { status: 404, title: 'Not Found', detail: 'Not Found' },
    ads: ads(404, 'ROUTE_NOT_FOUND', 'No such route'),
  },
  'endpoint retired': {
    legacy: legacy(410, 251, 'This endpoint has been retired and should not be used.'),
    problem: { status: 410, title: 'Gone', detail: 'This endpoint has been retired and should not be used.' },
    ads: ads(404, 'ROUTE_NOT_FOUND', 'No such route'),
  },
  'version retired': {
    legacy: legacy(410, 68, 'Version 1 of the API is no longer active. Use version 2.'),
    problem: {
      status: 410,
      title: 'Gone',
      detail: 'Version 1 of the API is no longer active. Use version 2.',
    },
    ads: ads(404, 'ROUTE_NOT_FOUND', 'No such route'),
  },
  'method not allowed': {
    legacy: legacy(405, 34, 'The method is not allowed for this path.'),
    problem: { status: 405, title: 'Method Not Allowed', detail: 'Method Not Allowed' },
    ads: ads(405, 'METHOD_NOT_ALLOWED', 'The method is not allowed for this path'),
  },
  'bad request': {
    legacy: legacy(400, 44, 'The request is malformed.'),
    problem: { status: 400, slug: 'invalid-request', title: 'Invalid Request', detail: notUnderstood },
    ads: ads(400, 'INVALID_PARAMETER', 'The request is malformed'),
  },
  'body too large': {
    legacy: legacy(413, 44, 'The request body is too large.'),
    problem: { status: 413, title: 'Payload Too Large', detail: 'The request body is too large.' },
    ads: ads(413, 'REQUEST_TOO_COMPLEX', 'The request body is too large'),
  },
  'headers too large': {
    legacy: legacy(431, 44, 'The request headers are too large.'),
    problem: {
      status: 431,
      title: 'Request Header Fields Too Large',
      detail: 'The request headers are too large.',
    },
    ads: ads(431, 'REQUEST_TOO_COMPLEX', 'The request headers are too large'),
  },
  'request timeout': {
    legacy: legacy(408, 44, 'The request was not complete in time.'),
    problem: { status: 408, title: 'Request Timeout', detail: 'The request was not complete in time.' },
    ads: ads(408, 'REQUEST_TIMEOUT', 'The request was not complete in time'),
  },
  'media type not supported': {
    // The token endpoints of OAuth 2.0 return 400 for every malformed request (RFC 6749 section
    // 5.2).
    oauth2: {
      status: 400,
      error: 'invalid_request',
      description: 'The content type of the body is not supported.',
    },
    legacy: legacy(415, 44, 'The content type of the body is not supported.'),
    problem: {
      status: 415,
      title: 'Unsupported Media Type',
      detail: 'The content type of the body is not supported.',
    },
    ads: ads(415, 'INVALID_PARAMETER', 'The content type of the body is not supported'),
  },
  'media not readable': mediaError(324, 'The file is not a complete image, GIF or video of its category.'),
  'media too large': mediaError(
    324,
    'The file is too large: images may have 5 MB, GIFs 15 MB, and videos 512 MB in segments of up to 5 MB.',
  ),
  'media segments wrong': mediaError(
    324,
    'The segments do not match the announced upload: they must be numbered from 0 and have total_bytes in total.',
  ),
  'media quota exceeded': mediaError(324, 'The media quota of this user is exceeded.'),
  'media not found': mediaError(325, 'A media id was not found.'),
  'too many rules': {
    legacy: legacy(400, 93, 'Rules cap exceeded.'),
    problem: {
      status: 400,
      slug: 'rule-cap',
      title: 'RulesCapExceeded',
      detail: 'Rules cap exceeded. Delete rules before you add others.',
      members: {},
    },
    ads: ads(400, 'TOO_MANY_RULES', 'Rules cap exceeded'),
  },
  'daily usage of app capped': usageCapped('Daily', 'Account'),
  'monthly usage of app capped': usageCapped('Monthly', 'Account'),
  'daily usage of project capped': usageCapped('Daily', 'Product'),
  'monthly usage of project capped': usageCapped('Monthly', 'Product'),
  'no stream rules': {
    legacy: legacy(409, 93, 'You must define rules to connect to the stream.'),
    problem: {
      status: 409,
      slug: 'streaming-connection',
      title: 'ConnectionException',
      detail: 'You must define rules to connect to the stream. Add rules and try again.',
      members: { connection_issue: 'RuleConfigurationIssue' },
    },
    ads: ads(409, 'NO_STREAM_RULES', 'You must define rules to connect to the stream'),
  },
  'too many connections': {
    legacy: legacy(429, 88, 'This stream is currently at the maximum allowed connection limit.'),
    problem: {
      status: 429,
      slug: 'streaming-connection',
      title: 'ConnectionException',
      detail: 'This stream is currently at the maximum allowed connection limit.',
      members: { connection_issue: 'TooManyConnections' },
    },
    ads: ads(429, 'TOO_MANY_CONNECTIONS', 'This stream is at the maximum allowed connection limit'),
  },
  'signed url expired': {
    legacy: legacy(403, 44, 'The URL has expired.'),
    problem: forbidden('The URL has expired.'),
    ads: ads(403, 'ACTION_NOT_ALLOWED', 'The URL has expired'),
  },
  conflict: {
    legacy: legacy(409, 44, 'The request conflicts with the present state.'),
    problem: {
      status: 409,
      slug: 'conflict',
      title: 'Conflict',
      detail: 'The request conflicts with the present state.',
    },
    ads: ads(409, 'CONFLICT', 'The request conflicts with the present state'),
  },
  'replay running': {
    legacy: legacy(409, 44, 'A replay of this webhook is running.'),
    problem: {
      status: 409,
      slug: 'conflict',
      title: 'Conflict',
      detail: 'A replay of this webhook is running. Wait until it has ended.',
    },
    ads: ads(409, 'CONFLICT', 'A replay of this webhook is running'),
  },
  'rate limited': {
    legacy: legacy(429, 88, 'Rate limit exceeded'),
    problem: { status: 429, title: 'Too Many Requests', detail: 'Too Many Requests' },
    ads: ads(429, 'TOO_MANY_REQUESTS', 'Too many requests'),
  },
  internal: {
    legacy: legacy(500, 131, 'Internal error'),
    problem: { status: 500, title: 'Internal Server Error', detail: 'Internal Server Error' },
    ads: ads(500, 'INTERNAL_ERROR', 'Internal error'),
  },
  busy: {
    legacy: legacy(503, 130, 'Over capacity'),
    problem: { status: 503, title: 'Service Unavailable', detail: 'Service Unavailable' },
    ads: ads(423, 'LOCK_ACQUISITION_TIMEOUT', 'The entity is being changed by another request: try again'),
  },
  'over capacity': {
    legacy: legacy(503, 130, 'Over capacity'),
    problem: { status: 503, title: 'Service Unavailable', detail: 'Service Unavailable' },
    ads: ads(503, 'SERVICE_UNAVAILABLE', 'Service unavailable'),
  },
} satisfies Record<string, ErrorWords> & Record<EngineCause, ErrorWords>

/** The name of an error in the catalogue. */
export type Cause = keyof typeof catalogue

export const causes = Object.keys(catalogue) as Cause[]

export const words: Record<Cause, ErrorWords> = catalogue

/** The texts of OAuth 2.0. A cause without one gets the error of its status. */
export function oauth2WordsOf({ oauth2, legacy: { status, message } }: ErrorWords): Oauth2Words {
  if (oauth2) return oauth2
  const error = status === 500 ? 'server_error' : status > 428 ? 'temporarily_unavailable' : 'invalid_request'
  return { status, error, description: message }
}

/** The codes and sentences of the catalogue, as they are declared. */
export const catalogueTexts = {
  codes: Object.values<ErrorWords>(catalogue).flatMap(({ ads, legacy, problem }) =>
    [ads.code, legacy.label, problem.slug].filter((code) => code !== undefined),
  ),
  sentences: Object.values<ErrorWords>(catalogue).flatMap(({ ads, legacy, problem }) => [
    ads.message,
    legacy.message,
    problem.title,
    problem.detail,
  ]),
}

/** The errors of usage caps. */
export const usageCaps = [
  'daily usage of app capped',
  'monthly usage of app capped',
  'daily usage of project capped',
  'monthly usage of project capped',
] as const satisfies readonly Cause[]

/** The catalogue with the names of a vocabulary. */
export const wordsIn = byVocabulary((vocabulary): Record<Cause, ErrorWords> => {
  if (vocabulary.neutral) return words
  const entries = Object.entries<ErrorWords>(catalogue).map(([cause, words]) => [
    cause,
    renamedWords(words, vocabulary),
  ])
  return Object.fromEntries(entries) as Record<Cause, ErrorWords>
})

function renamedWords(
  { legacy, problem, ads, oauth2 }: ErrorWords,
  { name, code, text }: Vocabulary,
): ErrorWords {
  return {
    // Codes and descriptions of OAuth 2.0 are defined by its standard.
    ...(oauth2 && { oauth2 }),
    legacy: {
      ...legacy,
      message: text(legacy.message),
      ...(legacy.label !== undefined && { label: name(legacy.label) }),
    },
    problem: {
      ...problem,
      title: text(problem.title),
      detail: text(problem.detail),
      ...(problem.slug !== undefined && { slug: name(problem.slug) }),
    },
    ads: { ...ads, code: code(ads.code), message: text(ads.message) },
  }
}

/** An API error from the catalogue. A `detail` goes to the log only. */
export function apiError(cause: Cause, more?: string | ErrorDetails): ApiError {
  return new ApiError(cause, typeof more === 'string' ? { detail: more } : more)
}

/** The status, code and message of an error. */
export const wordsOf = ({ reason }: ApiError, vocabulary: Vocabulary): ErrorWords =>
  wordsIn(vocabulary)[reason as Cause]
