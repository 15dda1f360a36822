import { option, toggle } from './option.ts'
import { wholeNumber } from './readers.ts'

const DAY_SECONDS = 86_400

/** OAuth 2.0 user tokens. */
export const userTokenOptions = {
  oauth2CodeSeconds: option({
    flag: 'oauth2-code-seconds',
    takes: 'S',
    describe: 'How long an OAuth 2.0 authorization code is valid.',
    fallback: 30,
    read: wholeNumber(1, 600),
  }),
  oauth2AccessSeconds: option({
    flag: 'oauth2-access-seconds',
    takes: 'S',
    describe:
      'How long an OAuth 2.0 access token is valid. Its refresh token is valid until it is used or revoked.',
    fallback: 7_200,
    read: wholeNumber(1, 365 * DAY_SECONDS),
  }),
  oauth2Iss: toggle(
    'oauth2-iss',
    'Adds the issuer to OAuth 2.0 redirects as `iss` (RFC 9207). Clients that are not configured with an issuer reject it.',
  ),
} as const
