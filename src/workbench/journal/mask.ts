/** What stands in place of a secret. */
export const MASK = '********'

/** Parameters and members whose values are secrets, by their neutral and by common names. */
const SECRET_NAMES = [
  'access_token',
  'bearer_token',
  'client_assertion',
  'client_secret',
  'code',
  'code_verifier',
  'consumer_secret',
  'authenticity_token',
  'id_token',
  'oauth_token_secret',
  'oauth_verifier',
  'password',
  'pin',
  'refresh_token',
  'secret',
  'session[password]',
  'token',
  'token_secret',
  'verifier',
]
const secretNames = new Set(SECRET_NAMES)

export const isSecretName = (name: string): boolean => secretNames.has(name.toLowerCase())

/** A member of a JSON object. The text may be cut within the value. */
const jsonMember = (names: readonly string[]) =>
  new RegExp(
    `("(?:${names.map((name) => name.replace(/[[\]]/g, '\\$&')).join('|')})"\\s{0,8}:\\s{0,8})"(?:[^"\\\\]|\\\\.)*(?:"|\\\\?$)`,
    'gi',
  )
const SENT_MEMBER = jsonMember(SECRET_NAMES)
/** The `code` of a reply names an error. */
const RECEIVED_MEMBER = jsonMember(SECRET_NAMES.filter((name) => name !== 'code'))
const FORM_FIELD = /([?&]|^)([^=&#?]*)=([^&#]*)/g
/**
 * App-only bearers, wherever they are sent: they begin with a run of the letter A, and nothing else
 * does.
 */
const APP_BEARER = /AAAAAAAA[A-Za-z0-9%._~+/=-]{20,}/g

/** A query string or a form body without secrets. Text that is neither stays as it is. */
export const maskedFields = (text: string): string =>
  text.replace(FORM_FIELD, (field, before: string, name: string) =>
    isSecretName(decodedName(name)) ? `${before}${name}=${MASK}` : field,
  )

function decodedName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The text of a body of any type, without secrets. */
export function maskedBody(text: string, contentType: string, of: 'request' | 'reply'): string {
  const isJson = /json/i.test(contentType) || /^\s*[{[]/.test(text)
  const member = of === 'request' ? SENT_MEMBER : RECEIVED_MEMBER
  const masked = isJson ? text.replace(member, `$1"${MASK}"`) : maskedFields(text)
  return masked.replace(APP_BEARER, MASK).replace(SIGNED_SEGMENT, '/$1…')
}

/** Long segments of a path may be tokens, such as those of previews. */
const LONG_SEGMENT = /([^/]{8})[^/]{65,}/g

/** The end of an address that is signed, such as those of uploads and results: 32 bytes or more. */
const SIGNED_SEGMENT = /\/((?:[A-Za-z0-9.]{1,40}-)?)[A-Za-z0-9_-]{43,256}(?=[/?"#]|$)/g

/** A target or URL without secrets in its query, path or user information. */
export function maskedUrl(url: string): string {
  const query = url.indexOf('?')
  const path = query === -1 ? url : url.slice(0, query)
  const shown = path
    .replace(/^([a-z]+:\/\/)[^/@]*@/i, `$1${MASK}@`)
    .replace(LONG_SEGMENT, '$1…')
    .replace(SIGNED_SEGMENT, '/$1…')
  const masked = query === -1 ? shown : `${shown}?${maskedFields(url.slice(query + 1))}`
  return masked.replace(APP_BEARER, MASK)
}

const SECRET_HEADERS = new Set(['cookie', 'proxy-authorization', 'x-csrf-token'])
const SET_COOKIE = /^([^=;]*)=[^;]*/

/** The value of a header without secrets. */
export function maskedHeader(name: string, value: string): string {
  const lower = name.toLowerCase()
  if (lower === 'authorization') return maskedAuthorization(value)
  if (SECRET_HEADERS.has(lower)) return MASK
  if (lower === 'set-cookie') return value.replace(SET_COOKIE, `$1=${MASK}`)
  return lower === 'location' || lower === 'referer' ? maskedUrl(value) : value.replace(APP_BEARER, MASK)
}

/**
 * Only the scheme of a bearer token or a password is shown. The parameters of OAuth 1.0a are no
 * secrets, except the verifier: what signs is not sent.
 */
function maskedAuthorization(value: string): string {
  const [, scheme = '', rest = ''] = /^\s*(\S+)\s*([\s\S]*)$/.exec(value) ?? []
  if (scheme.toLowerCase() !== 'oauth') return rest === '' ? MASK : `${scheme} ${MASK}`
  return value.replace(/(oauth_verifier\s{0,8}=\s{0,8}")[^"]*/gi, `$1${MASK}`)
}
