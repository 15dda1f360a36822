import type { EngineCause, ErrorDetails } from '../http/errors.ts'
import { ApiError } from '../http/errors.ts'
import type { Vocabulary } from '../http/vocabulary.ts'

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
  /** Whether the Problem also has a legacy error, where the interface names its code. */
  legacyCode?: boolean
  /** Members that the subtype adds. Such a Problem has no `status`, as clients know it. */
  members?: Readonly<Record<string, string>>
}

/** Status, code and message in the advertising protocol: `{errors: [{code, message}], request}`. */
export interface AdsWords {
  status: number
  code: string
  message: string
}

interface Words {
  legacy: LegacyWords
  problem: ProblemWords
  ads: AdsWords
}

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
const mediaError = (code: 324 | 325, message: string): Words => ({
  legacy: legacy(400, code, message),
  problem: { status: 400, slug: 'invalid-request', title: 'Invalid Request', detail: message },
  ads: ads(400, code === 325 ? 'MEDIA_NOT_FOUND' : 'INVALID_MEDIA', message),
})
/** What a user may not do with a post. Advertisers have codes of their own for that. */
const forbiddenPost = (code: number, message: string): Words => ({
  legacy: legacy(403, code, message),
  problem: forbidden(message),
  ads: ads(403, 'ACTION_NOT_ALLOWED', message),
})
const notUnderstood = 'One or more parameters to your request was invalid.'

/**
 * Every error of the platform, once, with status, code and message for each protocol.
 * Sources: the interface's sections Errors and OAuth endpoints; codes of the legacy table.
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
    ads: ads(403, 'READONLY_CLIENT_APPLICATION', 'The app may only read'),
  },
  'direct messages not permitted': {
    legacy: legacy(403, 93, 'This application is not allowed to access or delete your direct messages.'),
    problem: { ...levelTooLow, legacyCode: true },
    ads: ads(403, 'INSUFFICIENT_USER_AUTHORIZED_PERMISSION', 'The app may not read direct messages'),
  },
  'client not permitted': {
    legacy: legacy(403, 87, 'Client is not permitted to perform this action.'),
    problem: forbidden('Client is not permitted to perform this action.'),
    ads: ads(403, 'UNAUTHORIZED_CLIENT_APPLICATION', 'The app is not permitted to perform this action'),
  },
  'duplicate post': forbiddenPost(187, 'You are not allowed to create a Post with duplicate content.'),
  'reply target gone': forbiddenPost(
    385,
    'You attempted to reply to a Post that is deleted or not visible to you.',
  ),
  'reply restricted': forbiddenPost(
    433,
    'The author of the conversation has limited who may reply to this Post.',
  ),
  'edit not allowed': forbiddenPost(200, 'You are not permitted to edit this Post.'),
  'post of another user': forbiddenPost(87, 'You are not authorized to delete this Post.'),
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
    legacy: legacy(403, 99, 'The bearer token was requested too often: keep it, it stays the same.'),
    problem: forbidden('The bearer token was requested too often: keep it, it stays the same.'),
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
  'media type not supported': {
    legacy: legacy(415, 44, 'The content type of the body is not supported.'),
    problem: {
      status: 415,
      title: 'Unsupported Media Type',
      detail: 'The content type of the body is not supported.',
    },
    ads: ads(415, 'INVALID_PARAMETER', 'The content type of the body is not supported'),
  },
  'media not readable': mediaError(324, 'The file is no complete image, GIF or video of its category.'),
  'media too large': mediaError(
    324,
    'The file is too large: images hold up to 5 MB, GIFs 15 MB, videos 512 MB in segments of up to 5 MB.',
  ),
  'media segments wrong': mediaError(
    324,
    'The segments do not make up what was announced: they count from 0, and hold total_bytes together.',
  ),
  'media quota exceeded': mediaError(324, 'The media of this user use up their quota.'),
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
    ads: ads(423, 'LOCK_ACQUISITION_TIMEOUT', 'Others are changing the same entity: try again'),
  },
  'over capacity': {
    legacy: legacy(503, 130, 'Over capacity'),
    problem: { status: 503, title: 'Service Unavailable', detail: 'Service Unavailable' },
    ads: ads(503, 'SERVICE_UNAVAILABLE', 'Service unavailable'),
  },
} satisfies Record<string, Words> & Record<EngineCause, Words>

/** The name of an error in the catalogue. */
export type Cause = keyof typeof catalogue

export const causes = Object.keys(catalogue) as Cause[]

export const words: Record<Cause, Words> = catalogue

/** The codes and sentences of the catalogue, as they are declared. */
export const catalogueTexts = {
  codes: Object.values<Words>(catalogue).flatMap(({ ads, legacy, problem }) =>
    [ads.code, legacy.label, problem.slug].filter((one) => one !== undefined),
  ),
  sentences: Object.values<Words>(catalogue).flatMap(({ ads, legacy, problem }) => [
    ads.message,
    legacy.message,
    problem.title,
    problem.detail,
  ]),
}

const renamedCatalogues = new WeakMap<Vocabulary, Record<Cause, Words>>()

/** The catalogue with the names of a vocabulary, computed once. */
export function wordsIn(vocabulary: Vocabulary): Record<Cause, Words> {
  if (vocabulary.neutral) return words
  const known = renamedCatalogues.get(vocabulary)
  if (known) return known
  const entries = Object.entries<Words>(catalogue).map(([cause, one]) => [
    cause,
    renamedWords(one, vocabulary),
  ])
  const made = Object.fromEntries(entries) as Record<Cause, Words>
  renamedCatalogues.set(vocabulary, made)
  return made
}

function renamedWords({ legacy, problem, ads }: Words, { name, code, text }: Vocabulary): Words {
  return {
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
export const wordsOf = ({ reason }: ApiError, vocabulary: Vocabulary): Words =>
  wordsIn(vocabulary)[reason as Cause]
