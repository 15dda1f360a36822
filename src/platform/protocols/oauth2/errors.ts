import type { Renderer } from '../../http/contract.ts'
import type { Violation } from '../../http/errors.ts'
import { oauth2WordsOf, wordsOf } from '../catalogue.ts'

/** For caches of HTTP/1.0, in addition to `Cache-Control` (RFC 6749 section 5.1). */
export const NOT_CACHED = { pragma: 'no-cache' } as const

/**
 * The error format of the endpoints of OAuth 2.0 user tokens: `{error, error_description}` (RFC
 * 6749 section 5.2).
 */
export const oauth2: Renderer = (failure, { vocabulary }) => {
  const { status, error, description } = oauth2WordsOf(wordsOf(failure, vocabulary))
  const [violation] = failure.violations
  const error_description = violation ? parameterSentence(violation) : description
  return {
    status,
    contentType: 'application/json; charset=utf-8',
    headers: {
      ...NOT_CACHED,
      // A 401 must name the authentication scheme (RFC 6749 section 5.2).
      ...(status === 401 && { 'www-authenticate': 'Basic realm="oauth2"' }),
    },
    body: JSON.stringify({ error, error_description }),
  }
}

function parameterSentence({ name, fault }: Violation): string {
  switch (fault.kind) {
    case 'missing':
    case 'empty':
      return `Missing required parameter [${name}].`
    case 'repeated':
      return `Parameter [${name}] may be given only once.`
    default:
      return `Value passed for the parameter [${name}] was invalid.`
  }
}
